import { z } from 'zod'
import { escapeRegExp } from '../../base/text.js'
import { profileCues } from '../../language/derive-cues.js'
import type { AuditNote, View } from '../../model/index.js'
import type { Material, MaterialRow, QuestionDraft } from './material.js'
import { freshNames, type Renaming, renaming } from './rename.js'
import { filled, jsonCell, readTable } from './table.js'

const Asked = z
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
  .transform(({ text, is_misleading: misleading, distractor, ground_truth_answer: answer }) => {
    return { text, misleading, distractor, answer }
  })

const Cells = z.object({
  entity: filled,
  entity_facts: jsonCell(z.tuple([z.string().min(1)])),
  questions: jsonCell(z.array(Asked).min(1)),
})

type PublishedPersona = ReturnType<typeof readPersonas>['rows'][number]
type AskedOfPersona = z.infer<typeof Asked>

/**
 * The personas as published. A misleading question needs no fact, in either view. Audited: every essay is about somebody of a name of their
 * own, misleading questions are about people nobody ever spoke of, and those that name the essay's own person are dropped.
 */
export function loadPersona(file: string, view: View): Material {
  const { rows: personas, hash } = readPersonas(file)
  const audit: AuditNote[] = []
  const build =
    view === 'audited'
      ? audited(personas, audit)
      : (persona: PublishedPersona, index: number) => released(persona, personas, index, audit)
  return { task: 'persona', rows: personas.map(build), audit, hash }
}

/** Reads the personas of a published file; a bad cell is a `UserError`. */
export function readPersonas(file: string) {
  const { rows, hash } = readTable(file, Cells)
  const personas = rows.map(({ entity, entity_facts: [essay], questions }, i) => ({
    row: String(i),
    entity,
    essay,
    details: [],
    questions: questions.map((question, slot) => ({ ...question, row: `${i}.${slot}` })),
  }))
  return { rows: personas, hash }
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
    if (!question.misleading && namesakes > 1) flags.push(note(slot, 'several essays are about people of this name'))
    if (question.misleading && all.some(({ entity }) => entity === question.distractor)) {
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
      if (!question.misleading) return [draft(swap(question, own), null, [])]
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

function draft(question: AskedOfPersona, about: string | null, flags: string[]): QuestionDraft {
  const text = question.answer
  return {
    text: question.text,
    needs: question.misleading ? [] : [[0]],
    ...(question.misleading && { tempting: [0] }),
    gold: question.misleading ? { kind: 'abstain', about: about ?? '', text } : { kind: 'free', text },
    tags: { kind: question.misleading ? 'misleading' : 'direct' },
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

function swap(question: AskedOfPersona, { apply }: Renaming): AskedOfPersona {
  return { ...question, text: apply(question.text), answer: apply(question.answer) }
}

function unchanged(name: string): Renaming {
  return { to: name, apply: (text) => text }
}
