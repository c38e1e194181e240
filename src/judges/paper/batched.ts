import { fenced, field } from '../../base/fence.js'
import type { FactStages, QuestionCase, QuestionVerdict } from '../../model/index.js'
import type { Settled } from '../llm/settle.js'
import { formOf } from '../llm/target.js'
import type { Check, PaperCalls, Stage } from './calls.js'
import { gradeOf, type Listed } from './single.js'

interface Entry {
  item: QuestionCase
  shown: Listed
  passed: Partial<Record<Stage, boolean>>
  reason: string
  failure: string | null
  answer: QuestionVerdict['answer']
}

/**
 * Judges questions about people, 20 a call: every stage runs over all that came through the one before. A question about somebody unknown
 * goes the same way with the account it tempts a reader to use; where that account was not stored or not retrieved it passes without being
 * read, as in the released code.
 */
export async function judgeBatched(
  calls: PaperCalls,
  items: readonly QuestionCase[],
  store: Listed,
  shownOf: (item: QuestionCase) => Listed,
): Promise<QuestionVerdict[]> {
  const entries: Entry[] = items.map((item) => ({
    item,
    shown: shownOf(item),
    passed: {},
    reason: '',
    failure: null,
    answer: null,
  }))
  const run = async (stage: Stage, open: readonly Entry[], write: (entries: readonly Entry[]) => string) => {
    const checks = await calls.many(`${stage} essay`, open, write)
    for (const [i, check] of checks.entries()) note(open[i]!, stage, check)
    return open.filter(({ passed }) => passed[stage])
  }
  const overStore = (open: readonly Entry[]) => {
    const listed = open.map((entry, i) => account(entry, i + 1)).join('\n')
    return `${fenced('memories', store, listed)}\n\n${fenced('entries', listed, store)}`
  }
  const stored = await run('storage', entries, overStore)
  const faithful = await run('summary', stored, overStore)
  const retrieved = await run('retrieval', faithful, (open) =>
    fenced(
      'entries',
      open.map((entry, i) => [account(entry, i + 1, true), field('retrieved', entry.shown)].join('\n')).join('\n'),
    ),
  )
  const misleading = ({ item }: Entry) => item.question.gold.kind === 'abstain'
  const graded = (open: readonly Entry[]) =>
    fenced('entries', open.map((entry, i) => answered(entry, i + 1)).join('\n'))
  await Promise.all([
    run(
      'invocation',
      retrieved.filter((entry) => !misleading(entry)),
      graded,
    ),
    run('abstention', retrieved.filter(misleading), graded),
  ])
  return entries.map(verdictOf)
}

function note(entry: Entry, stage: Stage, check: Settled<Check>): void {
  if ('failure' in check) {
    entry.failure = check.failure
    return
  }
  entry.passed[stage] = check.verdict.passed
  entry.reason = check.verdict.reason
  if (stage === 'invocation' || stage === 'abstention') entry.answer = gradeOf(check.verdict)
}

function verdictOf({ item, passed, reason, failure, answer }: Entry): QuestionVerdict {
  if (failure !== null) return { stages: [], answer: { grade: 'error', reason: failure } }
  const { storage, summary, retrieval } = passed
  const stages = item.facts.map(
    ({ id }): FactStages => ({
      fact: id,
      stored: storage ?? false,
      faithful: summary ?? null,
      retrieved: retrieval ?? null,
      reason,
    }),
  )
  const vacuous = item.question.gold.kind === 'abstain' && (!storage || retrieval === false)
  if (!vacuous) return { stages, answer }
  const why = 'Passed without being read: what it tempts a reader to use was not there.'
  return { stages, answer: { grade: 'right', uncertain: true, reason: why } }
}

/** The person and the account of them; facts told one by one make one account. */
function account({ item: { question, facts } }: Entry, number: number, asked = false): string {
  return [
    `[${number}]`,
    field('person', facts.map((fact) => formOf(fact, 'who')).find((who) => who !== undefined) ?? 'the user'),
    ...(asked ? [field('question', question.text)] : []),
    field('account', facts.map(({ text }) => text).join(' ')),
  ].join('\n')
}

function answered(entry: Entry, number: number): string {
  const { question, answer } = entry.item
  const { gold } = question
  const known = gold.kind === 'abstain' ? field('asked about', gold.about) : field('expected', gold.text)
  return [account(entry, number, true), known, field('answer', answer)].join('\n')
}
