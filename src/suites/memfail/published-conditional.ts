import { z } from 'zod'
import { ruleCues } from '../../language/derive-cues.js'
import type { AuditNote, View } from '../../model/index.js'
import { findingsFor } from './findings.js'
import type { FactDraft, Material, MaterialRow, QuestionDraft } from './material.js'
import { freshNames, renaming } from './rename.js'
import { filled, jsonCell, readTable } from './table.js'

const Cells = z.object({
  entity: filled,
  entity_category: z.string(),
  behavior: filled,
  condition_type: filled,
  condition: filled,
  entity_facts: jsonCell(z.tuple([z.string().min(1)])),
  question: filled,
  question_context: z.string(),
  condition_met: z.enum(['yes', 'no'], { error: ({ input }) => `expected yes or no, got "${input}"` }),
  ground_truth_answer: z.string().regex(/^(?:yes|no)\b/i, 'expected an answer that begins with Yes or No'),
})

/**
 * The conditional rules as published. Released: as they are, with rows whose essay does not state the rule flagged `unsupported`. Audited:
 * such questions are dropped (their essays stay in the store), and people who share a name get names of their own.
 */
export function loadConditional(task: 'conditional-easy' | 'conditional-hard', file: string, view: View): Material {
  const { rows: rules, hash } = readConditional(file)
  const findings = findingsFor(task, hash)
  const audit: AuditNote[] = []
  const note = (row: number, action: AuditNote['action'], why: string) =>
    audit.push({ task, row: String(row), action, why })
  const renamed = view === 'audited' ? uniqueNames(rules, (row, why) => note(row, 'repaired', why)) : rules
  const rows = renamed.map((rule, index): MaterialRow => {
    const flags: string[] = []
    let unsupported: string | undefined
    let dropped = false
    for (const { kind, why } of findings(index)) {
      if (kind === 'unsupported') unsupported = why
      if (view === 'audited' && (kind === 'unsupported' || kind === 'drop-question')) {
        dropped = true
        note(index, 'dropped', `${why}; its essay stays in the store`)
      } else if (view === 'audited' && kind === 'repair-label') {
        note(index, 'repaired', why)
      } else {
        flags.push(why)
        note(index, 'flagged', why)
      }
    }
    const fact: FactDraft = {
      unit: 0,
      text: rule.essay,
      ...(task === 'conditional-hard' && { spread: true }),
      ...(unsupported !== undefined && { unsupported }),
      cues: ruleCues(rule.entity, rule.behavior, rule.condition, rule.essay),
    }
    const question: QuestionDraft = {
      text: rule.question,
      needs: [[0]],
      gold: { kind: 'yes-no', answer: rule.answer, text: rule.answerText },
      tags: { 'condition type': rule.conditionType },
      flags,
    }
    return { id: String(index), units: [{ text: rule.essay }], facts: [fact], questions: dropped ? [] : [question] }
  })
  return { task, rows, audit, hash }
}

/** Reads the rules of a published file; a bad cell is a `UserError`. */
export function readConditional(file: string) {
  const { rows, hash } = readTable(file, Cells)
  return { rows: rows.map(ruleFrom), hash }
}

function ruleFrom(cells: z.infer<typeof Cells>, index: number) {
  const { entity, behavior, condition, question, ground_truth_answer: answerText } = cells
  return {
    row: String(index),
    entity,
    behavior,
    condition,
    question,
    answerText,
    category: cells.entity_category,
    conditionType: cells.condition_type,
    conditionMet: cells.condition_met === 'yes',
    essay: cells.entity_facts[0],
    answer: /^yes/i.test(answerText) ? ('yes' as const) : ('no' as const),
  }
}

type PublishedRule = ReturnType<typeof ruleFrom>

/** The first bearer of a name keeps it; every other gets a fresh one, in the essay and in the question. */
function uniqueNames(rules: readonly PublishedRule[], repaired: (row: number, why: string) => void): PublishedRule[] {
  const fresh = freshNames('given', rules.map(({ essay, question }) => `${essay} ${question}`).join(' '))
  const taken = new Set<string>()
  return rules.map((rule, index) => {
    const key = rule.entity.toLowerCase()
    if (!taken.has(key)) {
      taken.add(key)
      return rule
    }
    const { to, apply } = renaming(rule.entity, fresh())
    repaired(index, `${rule.entity} is also the name of somebody else in this store; here called ${to}`)
    return {
      ...rule,
      entity: to,
      behavior: apply(rule.behavior),
      condition: apply(rule.condition),
      essay: apply(rule.essay),
      question: apply(rule.question),
      answerText: apply(rule.answerText),
    }
  })
}
