import { z } from 'zod'
import { UserError } from '../base/errors.js'
import { linkCues, preferenceCues, profileCues, ruleCues } from '../model/derive-cues.js'
import type { Fact, Memory } from '../model/index.js'

const label = z.enum(['not_stored', 'summary_error', 'correct'])

/** Written cues, for labelled cases made from a corpus of ours. */
const cues = z.object({
  kind: z.enum(['rule', 'preference', 'link', 'profile', 'state', 'statement']),
  parts: z.array(
    z.object({
      role: z.enum(['who', 'what', 'condition', 'number', 'relation', 'value', 'detail']),
      forms: z.array(z.string()),
    }),
  ),
  explicit: z.boolean(),
  exclusive: z.boolean().optional(),
  negated: z.boolean().optional(),
  threshold: z
    .object({
      comparison: z.enum(['below', 'at-most', 'above', 'at-least', 'exactly', 'before', 'after', 'between']),
      value: z.number(),
      to: z.number().optional(),
      unit: z.string().optional(),
    })
    .optional(),
})

const goldFact = z.object({
  id: z.string(),
  label,
  support: z.array(z.number().int().nonnegative()),
  source_supports: z.boolean(),
  text: z.string().optional(),
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

const criterion = z.object({
  id: z.string(),
  question: z.string(),
  expected: z.enum(['yes', 'no']),
  type: z.enum(['memory_presence', 'forgetting_absence']),
  label: z.enum(['yes', 'no']),
  borderline: z.boolean().optional(),
})

const criteriaCase = z.object({
  id: z.string(),
  task: z.string(),
  date: z.string().optional(),
  question: z.string(),
  answer: z.string(),
  criteria: z.array(criterion).min(1),
})

/** An answer with its criteria, each labelled. */
export type CriteriaCase = z.infer<typeof criteriaCase>

/** Labelled cases of either kind. The kind of a file is told by the shape of its lines. */
export type GoldFile = { kind: 'facts'; cases: GoldCase[] } | { kind: 'criteria'; cases: CriteriaCase[] }

/**
 * Reads a file of labelled facts or of labelled criteria.
 *
 * @example readGoldFile(await readFile('criteria-dev.jsonl', 'utf8'), 'criteria-dev.jsonl').kind // 'criteria'
 */
export function readGoldFile(text: string, file: string): GoldFile {
  const [first] = numbered(text, file)
  const json = first && parseJson(first.line, first.where)
  const hasCriteria = typeof json === 'object' && json !== null && 'criteria' in json
  return hasCriteria
    ? { kind: 'criteria', cases: parseCriteria(text, file) }
    : { kind: 'facts', cases: parseGold(text, file) }
}

/** Reads labelled criteria, one answer a line. */
export function parseCriteria(text: string, file: string): CriteriaCase[] {
  return numbered(text, file).map(({ line, where }) => {
    const read = criteriaCase.safeParse(parseJson(line, where))
    if (read.success) return read.data
    const { path, message } = read.error.issues[0]!
    throw new UserError(
      `${where}: ${path.join('.') || 'the case'}: ${message}`,
      'Correct that field, or remove the line.',
    )
  })
}

function numbered(text: string, file: string): { line: string; where: string; number: number }[] {
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
  const read = numbered(text, file).map(({ line, where, number }) => ({ json: parseJson(line, where), where, number }))
  requireLabels(read, file)
  const cases = read.map(({ json, where }) => parseCase(json, where))
  if (cases.length === 0) {
    throw new UserError(
      `${file} holds no labelled cases.`,
      'Expected one JSON object a line; see gold/README.md for the fields.',
    )
  }
  return cases
}

function parseJson(line: string, where: string): unknown {
  try {
    return JSON.parse(line)
  } catch (error) {
    throw new UserError(
      `${where} is not JSON: ${(error as Error).message}`,
      'Every line must be one complete JSON object.',
    )
  }
}

const blank = z.object({ facts: z.array(z.object({ id: z.string(), label: z.string().nullable().optional() })) })

/** Cases that were drawn to be labelled, and of which some are not yet: all of them are named, the first in full. */
function requireLabels(read: readonly { json: unknown; number: number }[], file: string): void {
  const open = read.flatMap(({ json, number }) => {
    const found = blank.safeParse(json)
    if (!found.success) return []
    return found.data.facts.filter(({ label }) => !label?.trim()).map(({ id }) => ({ number, id }))
  })
  const [first] = open
  if (!first) return
  const numbers = [...new Set(open.map(({ number }) => number))]
  const shown = numbers.slice(0, 12).join(', ')
  throw new UserError(
    `${file}:${first.number}: the fact ${first.id} has no label yet${
      numbers.length > 1
        ? `; ${numbers.length} lines lack one: ${shown}${numbers.length > 12 ? ' and others' : ''}`
        : ''
    }.`,
    `Write ${label.options.map((option) => `"${option}"`).join(' or ')} as its label, or remove the line.`,
  )
}

function parseCase(json: unknown, where: string): GoldCase {
  const read = goldCase.safeParse(json)
  if (!read.success) {
    const { path, message } = read.error.issues[0]!
    throw new UserError(
      `${where}: ${path.join('.') || 'the case'}: ${message}`,
      'Correct that field, or remove the line.',
    )
  }
  const wrong = read.data.facts.find((fact) => fact.support.some((i) => i >= read.data.memories.length))
  if (wrong) {
    throw new UserError(
      `${where}: support of ${wrong.id} names a memory that is not there.`,
      `There are ${read.data.memories.length} memories; support counts from 0.`,
    )
  }
  return read.data
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
