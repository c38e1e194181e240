import { z } from 'zod'
import { fold } from '../../base/text.js'
import { preferenceCues } from '../../language/derive-cues.js'
import type { AuditNote } from '../../model/index.js'
import { collisions } from './lint/rule.js'
import { type Material, type MaterialRow, rowOfFacts } from './material.js'
import { filled, jsonCell, readTable } from './table.js'

const strings = jsonCell(z.array(z.string().min(1)).min(1))

const Cells = z
  .object({
    preference_category: z.string(),
    preferences: strings,
    preference_facts: strings,
    question: filled,
    ground_truth_answer: z.string(),
  })
  .superRefine(({ preferences, preference_facts: facts }, context) => {
    if (preferences.length === facts.length) return
    const message = `expected ${preferences.length} facts, one for each preference, got ${facts.length}`
    context.addIssue({ code: 'custom', path: ['preference_facts'], message })
  })

/** Words by which a preference is told as one's own. */
export const FIRST_PERSON = /\b(?:i|i'm|i've|i'll|i'd|me|my|mine|myself|we|our|us)\b/

/**
 * The coexisting preferences as published. Both views hold the same rows: a preference that several rows state, and one that is not said of
 * the user, are flagged. A fact is told by its own sentence, so that another row's memory cannot stand in for it.
 */
export function loadCoexisting(file: string): Material {
  const { rows: parsed, hash } = readCoexisting(file)
  const repeated = collisions(parsed, ({ preferences }) => preferences.map(({ name }) => fold(name)))
  const audit: AuditNote[] = []
  const rows = parsed.map(({ row, preferences, question, answer }): MaterialRow => {
    const flags: string[] = []
    const flag = (why: string, told = why) => {
      flags.push(told)
      audit.push({ task: 'coexisting', row, action: 'flagged', why })
    }
    const shared = preferences.filter(({ name }) => repeated.has(fold(name))).map(({ name }) => name)
    if (shared.length > 0)
      flag('other rows state one of its preferences too', `other rows state ${shared.join(', ')} too`)
    if (preferences.some(({ fact }) => !FIRST_PERSON.test(fold(fact))))
      flag('a preference is told as a general truth, not as the user’s own')
    const items = preferences.map(({ name }) => name)
    const facts = preferences.map(({ name, fact }) => ({ text: fact, cues: preferenceCues(name, fact) }))
    const gold = { kind: 'list' as const, items, text: answer }
    return rowOfFacts(row, facts, { text: question, gold, tags: { N: String(items.length) }, flags })
  })
  return { task: 'coexisting', rows, audit, hash }
}

/** Reads the preferences of a published file; a bad cell is a `UserError`. */
export function readCoexisting(file: string) {
  const { rows, hash } = readTable(file, Cells)
  return {
    rows: rows.map(({ preference_category, preferences, preference_facts, question, ground_truth_answer }, i) => ({
      row: String(i),
      category: preference_category,
      question,
      answer: ground_truth_answer,
      preferences: preferences.map((name, at) => ({ name, fact: preference_facts[at]!, forms: [name] })),
    })),
    hash,
  }
}
