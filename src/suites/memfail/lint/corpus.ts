import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { CuePart, Threshold } from '../../../model/index.js'
import { releasePath } from '../findings.js'
import type { MemfailTask } from '../material.js'
import { type OwnRows, readOwn } from '../own.js'
import { readCoexisting } from '../published-coexisting.js'
import { readConditional } from '../published-conditional.js'
import { readChains } from '../published-long-hop.js'
import { readPersonas } from '../published-persona.js'

/** A conditional rule with its essay, whoever wrote it. */
export interface RuleRow {
  row: string
  entity: string
  category: string
  behavior: string
  condition: string
  conditionType: string
  conditionMet: boolean
  answer: 'yes' | 'no'
  question: string
  essay: string
  /** Sentences marked as stating the rule; absent in published data. */
  marked?: { whole?: string; behavior?: string; condition?: string; link?: string }
  /** Accepted forms, where they are written. */
  parts?: CuePart[]
  threshold?: Threshold
}

export interface PreferencesRow {
  row: string
  category: string
  preferences: { name: string; fact: string; forms: string[] }[]
  question: string
  /** The answer as published, where it is. */
  answer?: string
}

export interface PersonaLintRow {
  row: string
  entity: string
  essay: string
  questions: { row: string; text: string; misleading: boolean; distractor: string | null }[]
  details: { id: string; sentence: string; parts: string[][] }[]
}

export interface ChainRow {
  row: string
  hops: number
  anchors: string[]
  facts: string[]
  question: string
  answer: string
  choices: string[]
}

/** A corpus in the shape that rules read. */
export type LintCorpus =
  | { task: 'conditional-easy' | 'conditional-hard'; rows: RuleRow[] }
  | { task: 'coexisting'; rows: PreferencesRow[] }
  | { task: 'persona'; rows: PersonaLintRow[] }
  | { task: 'long-hop'; rows: ChainRow[] }

/** Reads the corpus of a task: the bundled one, or one in a folder in the published layout or in ours. */
export function readCorpus(task: MemfailTask, folder?: string): LintCorpus {
  const published = folder === undefined ? undefined : join(folder, releasePath(task))
  if (published !== undefined && existsSync(published)) return fromRelease(task, published)
  return fromOwn(task, readOwn(task, folder === undefined ? undefined : pathToFileURL(`${folder}/`)))
}

function fromRelease(task: MemfailTask, file: string): LintCorpus {
  switch (task) {
    case 'conditional-easy':
    case 'conditional-hard':
      return { task, rows: readConditional(file).rows }
    case 'coexisting':
      return { task, rows: readCoexisting(file).rows }
    case 'persona':
      return { task, rows: readPersonas(file).rows }
    case 'long-hop':
      return { task, rows: readChains(file).rows }
  }
}

/** Rows in our layout in the shape that rules read. */
export function fromOwn(task: MemfailTask, own: OwnRows): LintCorpus {
  switch (own.kind) {
    case 'conditional': {
      const rows = own.rows.map(({ id, cues, easy, hard, ...row }): RuleRow => {
        const shared = {
          ...row,
          row: id,
          parts: [
            { role: 'what' as const, forms: cues.what },
            { role: 'condition' as const, forms: cues.condition },
          ],
          ...(cues.threshold && { threshold: cues.threshold }),
        }
        if (task === 'conditional-easy') return { ...shared, essay: easy.essay, marked: { whole: easy.rule } }
        const { essay, behavior, condition, link } = hard
        return { ...shared, essay, marked: { behavior, condition, link } }
      })
      return { task: task === 'conditional-easy' ? task : 'conditional-hard', rows }
    }
    case 'coexisting':
      return { task: 'coexisting', rows: own.rows.map(({ id, ...row }) => ({ ...row, row: id })) }
    case 'persona': {
      const rows = own.rows.map(({ id, entity, essay, questions, details }) => ({
        row: id,
        entity,
        essay,
        details,
        questions: questions.map((question, j) => ({
          row: `${id}.${j + 1}`,
          text: question.text,
          misleading: question.misleading,
          distractor: question.misleading ? question.distractor : null,
        })),
      }))
      return { task: 'persona', rows }
    }
    case 'long-hop':
      return {
        task: 'long-hop',
        rows: own.rows.map(({ id, facts, ...row }) => ({ ...row, row: id, facts: facts.map(({ text }) => text) })),
      }
  }
}
