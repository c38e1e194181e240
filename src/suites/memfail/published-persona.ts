import { z } from 'zod'
import { escapeRegExp } from '../../base/text.js'
import { profileCues } from '../../language/derive-cues.js'
import type { AuditNote, View } from '../../model/index.js'
import type { Material, MaterialRow, QuestionDraft } from './material.js'
import { freshNames, type Renaming, renaming } from './rename.js'
import { jsonCell, readTable, reject, type TableDefect } from './table.js'

const COLUMNS = ['entity', 'entity_facts', 'questions'] as const

const PublishedQuestion = z
  .object({
    text: z.string().min(1),
    is_misleading: z.boolean(),
    distractor: z.string().nullable(),
    ground_truth_answer: z.string().min(1),
  })
  .refine(
    (question) => !question.is_misleading || question.distractor !== null,
    'a misleading question needs a distractor',
  )

/** An essay with its questions, as published. */
export interface PublishedPersona {
  entity: string
  essay: string
  questions: z.infer<typeof PublishedQuestion>[]
}

/**
 * The personas as published. A misleading question needs no fact, in either view. Audited: every essay is about somebody of a name of their
 * own, misleading questions are about people nobody ever spoke of, and those that name the essay's own person are dropped.
 */
export function loadPersona(file: string, view: View): Material {
  const { personas, hash } = readPersonas(file)
  const audit: AuditNote[] = []
  const build =
    view === 'audited'
      ? audited(personas, audit)
      : (persona: PublishedPersona, index: number) => released(persona, personas, index, audit)
  return { task: 'persona', rows: personas.map(build), audit, hash }
}

/** Reads the personas of a published file; a bad cell is a `UserError`. */
export function readPersonas(file: string): { personas: PublishedPersona[]; hash: string } {
  const { rows: records, hash } = readTable(file, COLUMNS)
  const defects: TableDefect[] = []
  const personas = records.map((record): PublishedPersona => {
    const essays = jsonCell(record, 'entity_facts', z.array(z.string().min(1)).length(1), defects)
    const questions = jsonCell(record, 'questions', z.array(PublishedQuestion).min(1), defects)
    if (record.cells.entity!.trim() === '') defects.push({ row: record, column: 'entity', problem: 'empty' })
    return { entity: record.cells.entity!, essay: essays?.[0] ?? '', questions: questions ?? [] }
  })
  reject(file, defects)
  return { personas, hash }
}

function released(
  persona: PublishedPersona,
  all: readonly PublishedPersona[],
  index: number,
  audit: AuditNote[],
): MaterialRow {
  const note = (slot: number, why: string): string => {
    audit.push({ task: 'persona', row: `${index}.${slot}`, action: 'flagged', why })
    return why
  }
  const namesakes = all.filter(({ entity }) => entity === persona.entity).length
  const questions = persona.questions.map((question, slot) => {
    const flags: string[] = []
    if (!question.is_misleading && namesakes > 1) flags.push(note(slot, 'several essays are about people of this name'))
    if (question.is_misleading && all.some(({ entity }) => entity === question.distractor)) {
      flags.push(note(slot, 'the “unknown” person has an essay in this store'))
    }
    return draft(question, question.distractor, flags)
  })
  return row(index, persona.entity, persona.essay, questions)
}

function audited(
  personas: readonly PublishedPersona[],
  audit: AuditNote[],
): (persona: PublishedPersona, index: number) => MaterialRow {
  const everything = personas
    .map(({ essay, questions }) => `${essay} ${questions.map(({ text }) => text).join(' ')}`)
    .join(' ')
  const freshEntity = freshNames('full', everything)
  const freshUnknown = freshNames('unknown', everything)
  const people = new Set(personas.map(({ entity }) => entity))
  return (persona, index) => {
    const note = (id: string, action: AuditNote['action'], why: string) =>
      audit.push({ task: 'persona', row: id, action, why })
    const shared = personas.filter(({ entity }) => entity === persona.entity).length > 1
    const own = shared ? renaming(persona.entity, freshEntity()) : unchanged(persona.entity)
    if (shared) note(String(index), 'repaired', 'shares its name with other essays; here called by a name of its own')
    const firstName = new RegExp(`(?<!\\p{L})${escapeRegExp(persona.entity.split(' ')[0]!)}(?!\\p{L})`, 'u')
    const questions = persona.questions.flatMap((question, slot): QuestionDraft[] => {
      const id = `${index}.${slot}`
      if (!question.is_misleading) return [draft(swap(question, own), null, [])]
      if (firstName.test(question.text)) {
        note(id, 'dropped', 'a question about somebody unknown names the essay’s own person')
        return []
      }
      const known = people.has(question.distractor!)
      const stranger = known ? renaming(question.distractor!, freshUnknown()) : unchanged(question.distractor!)
      if (known) note(id, 'repaired', 'the “unknown” person had an essay in this store; now a name nobody ever said')
      return [draft(swap(question, stranger), stranger.to, [])]
    })
    return row(index, own.to, own.apply(persona.essay), questions)
  }
}

function draft(question: PublishedPersona['questions'][number], about: string | null, flags: string[]): QuestionDraft {
  const text = question.ground_truth_answer
  return {
    text: question.text,
    needs: question.is_misleading ? [] : [[0]],
    ...(question.is_misleading && { tempting: [0] }),
    gold: question.is_misleading ? { kind: 'abstain', about: about ?? '', text } : { kind: 'free', text },
    tags: { kind: question.is_misleading ? 'misleading' : 'direct' },
    flags,
  }
}

function row(index: number, entity: string, essay: string, questions: QuestionDraft[]): MaterialRow {
  return {
    id: String(index),
    units: [{ text: essay }],
    facts: [{ unit: 0, text: essay, cues: profileCues(entity, essay) }],
    questions,
  }
}

function swap(
  question: PublishedPersona['questions'][number],
  { apply }: Renaming,
): PublishedPersona['questions'][number] {
  return { ...question, text: apply(question.text), ground_truth_answer: apply(question.ground_truth_answer) }
}

function unchanged(name: string): Renaming {
  return { to: name, apply: (text) => text }
}
