import { z } from 'zod'
import { ruleCues } from '../../language/derive-cues.js'
import type { AuditNote, View } from '../../model/index.js'
import { findingsFor } from './findings.js'
import type { FactDraft, Material, MaterialRow, QuestionDraft } from './material.js'
import { freshNames, renaming } from './rename.js'
import { jsonCell, readTable, reject, type TableDefect, type TableRow } from './table.js'

const COLUMNS = [
  'entity',
  'entity_category',
  'behavior',
  'condition_type',
  'condition',
  'entity_facts',
  'question',
  'question_context',
  'condition_met',
  'ground_truth_answer',
] as const

/** A rule as published. */
export interface PublishedRule {
  entity: string
  category: string
  behavior: string
  condition: string
  type: string
  essay: string
  question: string
  conditionMet: boolean
  answer: 'yes' | 'no'
  answerText: string
}

/**
 * The conditional rules as published. Released: as they are, with rows whose essay does not state the rule flagged `unsupported`. Audited:
 * such questions are dropped (their essays stay in the store), and people who share a name get names of their own.
 */
export function loadConditional(task: 'conditional-easy' | 'conditional-hard', file: string, view: View): Material {
  const { rules, hash } = readConditional(file)
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
      tags: { 'condition type': rule.type },
      flags,
    }
    return { id: String(index), units: [{ text: rule.essay }], facts: [fact], questions: dropped ? [] : [question] }
  })
  return { task, rows, audit, hash }
}

/** Reads the rules of a published file; a bad cell is a `UserError`. */
export function readConditional(file: string): { rules: PublishedRule[]; hash: string } {
  const { rows: records, hash } = readTable(file, COLUMNS)
  const defects: TableDefect[] = []
  const rules = records.map((record) => parse(record, defects))
  reject(file, defects)
  return { rules: rules.filter((rule) => rule !== null), hash }
}

function parse(record: TableRow, defects: TableDefect[]): PublishedRule | null {
  const { cells } = record
  for (const column of ['entity', 'behavior', 'condition_type', 'condition', 'question'] as const) {
    if (cells[column]!.trim() === '') defects.push({ row: record, column, problem: 'empty' })
  }
  if (!/^(yes|no)$/.test(cells.condition_met!)) {
    defects.push({ row: record, column: 'condition_met', problem: `expected yes or no, got "${cells.condition_met}"` })
  }
  const essays = jsonCell(record, 'entity_facts', z.array(z.string().min(1)).length(1), defects)
  const answer = /^(yes|no)\b/i.exec(cells.ground_truth_answer!)?.[1]?.toLowerCase()
  if (answer === undefined) {
    defects.push({
      row: record,
      column: 'ground_truth_answer',
      problem: 'expected an answer that begins with Yes or No',
    })
  }
  if (!essays || !answer) return null
  return {
    entity: cells.entity!,
    category: cells.entity_category!,
    behavior: cells.behavior!,
    condition: cells.condition!,
    type: cells.condition_type!,
    essay: essays[0]!,
    question: cells.question!,
    conditionMet: cells.condition_met === 'yes',
    answer: answer === 'yes' ? 'yes' : 'no',
    answerText: cells.ground_truth_answer!,
  }
}

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
