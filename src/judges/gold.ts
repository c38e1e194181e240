import { z } from 'zod'
import { UserError } from '../base/errors.js'
import { linkCues, preferenceCues, profileCues, ruleCues } from '../language/derive-cues.js'
import type { Fact, Memory } from '../model/index.js'
import { type AnswerGold, answerGold } from './gold-answers.js'
import { asks, cues } from './gold-cues.js'

export { type AnswerGold, answerCaseOf } from './gold-answers.js'

const label = z.enum(['not_stored', 'summary_error', 'correct'])

const goldFact = z.object({
  id: z.string(),
  label,
  support: z.array(z.number().int().nonnegative()),
  source_supports: z.boolean(),
  text: z.string().optional(),
  /** For a fact that is nothing but its text. */
  kind: z.literal('statement').optional(),
  preference: z.string().optional(),
  entity: z.string().optional(),
  behavior: z.string().optional(),
  condition: z.string().optional(),
  evidence: z.array(z.string()).optional(),
  spread: z.boolean().optional(),
  cues: cues.optional(),
})

const goldCase = z.object({
  id: z.string(),
  dataset: z.string(),
  style: z.string(),
  source: z.array(z.string()).min(1),
  question: z.unknown().optional(),
  memories: z.array(z.string()),
  facts: z.array(goldFact).min(1),
})

export type GoldFact = z.infer<typeof goldFact>
export type GoldCase = z.infer<typeof goldCase>

/** A criterion that is asked about the same answer; a judge may look at all of them together. */
const otherCriterion = z.object({
  id: z.string(),
  question: z.string(),
  expected: z.enum(['yes', 'no']),
  type: z.enum(['memory_presence', 'forgetting_absence']),
  asks: asks.optional(),
})

const criterion = otherCriterion.extend({ label: z.enum(['yes', 'no']), borderline: z.boolean().optional() })

const criteriaCase = z.object({
  id: z.string(),
  task: z.string(),
  date: z.string().optional(),
  question: z.string(),
  answer: z.string(),
  criteria: z.array(criterion).min(1),
  others: z.array(otherCriterion).optional(),
})

/** An answer with its criteria, each labelled. */
export type CriteriaCase = z.infer<typeof criteriaCase>

/** What is labelled. */
export const GOLD_KINDS = ['facts', 'answers', 'criteria'] as const

export type GoldKind = (typeof GOLD_KINDS)[number]

/** Labelled cases of any kind. The kind of a file is told by the shape of its lines. */
export type GoldFile =
  | { kind: 'facts'; cases: GoldCase[] }
  | { kind: 'answers'; cases: AnswerGold[] }
  | { kind: 'criteria'; cases: CriteriaCase[] }

/**
 * Reads a file of labelled facts, answers or criteria.
 *
 * @example readGoldFile(await readFile('criteria-dev.jsonl', 'utf8'), 'criteria-dev.jsonl').kind // 'criteria'
 */
export function readGoldFile(text: string, file: string): GoldFile {
  const [first] = numbered(text, file)
  const kind = first === undefined ? 'facts' : goldKind(parseJson(first.line, first.where))
  if (kind === 'facts') return { kind, cases: parseGold(text, file) }
  if (kind === 'criteria') return { kind, cases: parseCriteria(text, file) }
  return { kind, cases: parseLines(text, file, answerGold) }
}

/** What is labelled in a line, by its shape. */
export function goldKind(json: unknown): GoldKind {
  if (typeof json !== 'object' || json === null) return 'facts'
  return 'criteria' in json ? 'criteria' : 'answer' in json && !('memories' in json) ? 'answers' : 'facts'
}

/** Reads labelled criteria, one answer a line. */
export function parseCriteria(text: string, file: string): CriteriaCase[] {
  return parseLines(text, file, criteriaCase)
}

/** Reads lines of one shape; the first that cannot be used is named. */
function parseLines<T>(text: string, file: string, shape: z.ZodType<T>): T[] {
  const read = numbered(text, file).map(({ line, where, number }) => ({ json: parseJson(line, where), where, number }))
  requireLabels(read, file)
  return read.map(({ json, where }) => parseAs(shape, json, where))
}

function parseAs<T>(shape: z.ZodType<T>, json: unknown, where: string): T {
  const read = shape.safeParse(json)
  if (read.success) return read.data
  const { path, message } = read.error.issues[0]!
  throw new UserError(
    `${where}: ${path.join('.') || 'the case'}: ${message}`,
    'Correct that field, or remove the line.',
  )
}

/** The lines of a file that hold something, with where they stand. */
export function numbered(text: string, file: string): { line: string; where: string; number: number }[] {
  return text
    .split('\n')
    .map((line, i) => ({ line: line.trim(), where: `${file}:${i + 1}`, number: i + 1 }))
    .filter(({ line }) => line !== '')
}

/**
 * Reads labelled cases, one JSON object a line. A line that cannot be used is reported by number, with what was wrong with it.
 *
 * @example parseGold(await readFile('judge-dev.jsonl', 'utf8'), 'judge-dev.jsonl')
 */
export function parseGold(text: string, file: string): GoldCase[] {
  const lines = numbered(text, file)
  const cases = parseLines(text, file, goldCase)
  cases.forEach((one, i) => {
    requireSupport(one, lines[i]!.where)
  })
  if (cases.length === 0) {
    throw new UserError(
      `${file} holds no labelled cases.`,
      'Expected one JSON object a line; see gold/README.md for the fields.',
    )
  }
  return cases
}

/** A line as JSON; one that is none is named. */
export function parseJson(line: string, where: string): unknown {
  try {
    return JSON.parse(line)
  } catch (error) {
    throw new UserError(
      `${where} is not JSON: ${(error as Error).message}`,
      'Every line must be one complete JSON object.',
    )
  }
}

const labelled = z.object({ id: z.string(), label: z.string().nullable().optional() })
const blank = {
  facts: z.object({ facts: z.array(labelled) }),
  criteria: z.object({ criteria: z.array(labelled) }),
  answers: labelled,
}

/** The labels of one kind. */
export const LABELS: Record<GoldKind, readonly string[]> = {
  facts: label.options,
  answers: answerGold.shape.label.options,
  criteria: criterion.shape.label.options,
}

/** What is to be labelled in a line, by its name, with the label or null; null for a line of no known shape. */
export function labelsIn(json: unknown): { what: string; id: string; label: string | null }[] | null {
  const kind = goldKind(json)
  const item = (what: string, one: z.infer<typeof labelled>) => ({ what, id: one.id, label: one.label?.trim() || null })
  if (kind === 'answers') {
    const found = blank.answers.safeParse(json)
    return found.success ? [item('the answer', found.data)] : null
  }
  if (kind === 'criteria') {
    const found = blank.criteria.safeParse(json)
    return found.success ? found.data.criteria.map((one) => item(`the criterion ${one.id}`, one)) : null
  }
  const found = blank.facts.safeParse(json)
  return found.success ? found.data.facts.map((one) => item(`the fact ${one.id}`, one)) : null
}

/** Cases that were drawn to be labelled, and of which some are not yet: all of them are named, the first in full. */
function requireLabels(read: readonly { json: unknown; number: number }[], file: string): void {
  const open = read.flatMap(({ json, number }) =>
    (labelsIn(json) ?? [])
      .filter((one) => one.label === null)
      .map(({ what }) => ({ number, what, kind: goldKind(json) })),
  )
  const [first] = open
  if (!first) return
  const numbers = [...new Set(open.map(({ number }) => number))]
  const shown = numbers.slice(0, 12).join(', ')
  throw new UserError(
    `${file}:${first.number}: ${first.what} has no label yet${
      numbers.length > 1
        ? `; ${numbers.length} lines lack one: ${shown}${numbers.length > 12 ? ' and others' : ''}`
        : ''
    }.`,
    `Write ${LABELS[first.kind].map((option) => `"${option}"`).join(' or ')} as its label, or remove the line.`,
  )
}

function requireSupport({ facts, memories }: GoldCase, where: string): void {
  const wrong = facts.find((fact) => fact.support.some((i) => i >= memories.length))
  if (!wrong) return
  throw new UserError(
    `${where}: support of ${wrong.id} names a memory that is not there.`,
    `There are ${memories.length} memories; support counts from 0.`,
  )
}

/** The memories of a case, with ids that say where they come from. */
export function memoriesOf({ id, memories }: GoldCase): Memory[] {
  return memories.map((text, i) => ({ id: `${id}#${i}`, text }))
}

/** The fact a labelled case speaks of. Its cues are derived as they are for the published data it comes from. */
export function factOf(one: GoldCase, fact: GoldFact): Fact {
  const source = one.source.join('\n')
  const base = {
    id: `${one.id}/${fact.id}`,
    sources: [one.id],
    ...(fact.source_supports ? {} : { unsupported: 'source' }),
  }
  if (fact.cues !== undefined && fact.text !== undefined) {
    return {
      ...base,
      text: fact.text,
      ...(fact.evidence && { evidence: fact.evidence }),
      ...(fact.spread !== undefined && { spread: fact.spread }),
      cues: fact.cues,
    }
  }
  if (fact.kind === 'statement') {
    return { ...base, text: fact.text ?? source, cues: { kind: 'statement', parts: [], explicit: false } }
  }
  if (fact.preference !== undefined && fact.text !== undefined) {
    return { ...base, text: fact.text, cues: preferenceCues(fact.preference, fact.text) }
  }
  if (fact.entity !== undefined && fact.behavior !== undefined && fact.condition !== undefined) {
    return { ...base, text: source, cues: ruleCues(fact.entity, fact.behavior, fact.condition, source) }
  }
  if (fact.entity !== undefined) return { ...base, text: source, cues: profileCues(fact.entity, source) }
  const text = fact.text ?? source
  return { ...base, text, cues: linkCues(text) }
}
