import { z } from 'zod'
import { fold } from '../../base/text.js'
import { preferenceCues } from '../../language/derive-cues.js'
import type { AuditNote } from '../../model/index.js'
import type { Material, MaterialRow } from './material.js'
import { jsonCell, readTable, reject, type TableDefect } from './table.js'

const COLUMNS = ['preference_category', 'preferences', 'preference_facts', 'question', 'ground_truth_answer'] as const

const FIRST_PERSON = /\b(?:i|i'm|i've|i'll|i'd|me|my|mine|myself|we|our|us)\b/

/**
 * The coexisting preferences as published. Both views hold the same rows: a preference that several rows state, and one that is not said of
 * the user, are flagged. A fact is told by its own sentence, so that another row's memory cannot stand in for it.
 */
export function loadCoexisting(file: string): Material {
  const { rows: parsed, hash } = readCoexisting(file)
  const rowsOf = new Map<string, number[]>()
  for (const [index, { preferences }] of parsed.entries()) {
    for (const preference of preferences) {
      const key = fold(preference)
      rowsOf.set(key, [...(rowsOf.get(key) ?? []), index])
    }
  }
  const audit: AuditNote[] = []
  const rows = parsed.map(({ preferences, facts, question, answer }, index): MaterialRow => {
    const flags: string[] = []
    const shared = preferences.filter((preference) => new Set(rowsOf.get(fold(preference))).size > 1)
    if (shared.length > 0) flags.push(`other rows state ${shared.join(', ')} too`)
    const impersonal = facts.filter((fact) => !FIRST_PERSON.test(fold(fact)))
    if (impersonal.length > 0) flags.push('a preference is told as a general truth, not as the user’s own')
    for (const why of flags) {
      audit.push({
        task: 'coexisting',
        row: String(index),
        action: 'flagged',
        why: why.startsWith('other rows') ? 'other rows state one of its preferences too' : why,
      })
    }
    return {
      id: String(index),
      units: facts.map((text) => ({ text })),
      facts: facts.map((text, unit) => ({ unit, text, cues: preferenceCues(preferences[unit]!, text) })),
      questions: [
        {
          text: question,
          needs: [facts.map((_, i) => i)],
          gold: { kind: 'list', items: preferences, text: answer },
          tags: { N: String(facts.length) },
          flags,
        },
      ],
    }
  })
  return { task: 'coexisting', rows, audit, hash }
}

/** Preferences of one category, as published. */
export interface PublishedPreferences {
  category: string
  preferences: string[]
  facts: string[]
  question: string
  answer: string
}

/** Reads the preferences of a published file; a bad cell is a `UserError`. */
export function readCoexisting(file: string): { rows: PublishedPreferences[]; hash: string } {
  const { rows: records, hash } = readTable(file, COLUMNS)
  const defects: TableDefect[] = []
  const strings = z.array(z.string().min(1)).min(1)
  const rows = records.map((record): PublishedPreferences => {
    const preferences = jsonCell(record, 'preferences', strings, defects)
    const facts = jsonCell(record, 'preference_facts', strings, defects)
    if (preferences && facts && preferences.length !== facts.length) {
      const problem = `expected ${preferences.length} facts, one for each preference, got ${facts.length}`
      defects.push({ row: record, column: 'preference_facts', problem })
    }
    if (record.cells.question!.trim() === '') defects.push({ row: record, column: 'question', problem: 'empty' })
    const { preference_category: category, question, ground_truth_answer: answer } = record.cells
    return {
      category: category!,
      question: question!,
      answer: answer!,
      preferences: preferences ?? [],
      facts: facts ?? [],
    }
  })
  reject(file, defects)
  return { rows, hash }
}
