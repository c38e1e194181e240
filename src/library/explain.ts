import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { type Attributed, attributionReport, blameOf, failureOf } from '../analysis/attribution.js'
import { type LifeResults, readRun } from '../analysis/results.js'
import { UserError } from '../base/errors.js'
import { wholeNumber } from '../base/whole-number.js'
import { inLanes } from '../engine/lanes.js'
import { askOracles, type Failed } from '../engine/oracles.js'
import {
  answersKey,
  askKey,
  type Counterfactual,
  type Depth,
  type Judge,
  type JudgePair,
  probesOf,
  readerKey,
  subjectKey,
} from '../model/index.js'
import { resultKeys } from './compose.js'
import { type Heard, heard, stoppable } from './control.js'
import { explainedDepths } from './explain-depth.js'
import { type KeptRun, type OpenOptions, withKeptRun } from './kept-run.js'
import { modelAccess } from './models.js'
import { systemMsFrom } from './request.js'
import { withoutSecrets } from './secrets.js'
import type { Control, Explained, ExplainOptions } from './types.js'

export async function explain(asked: ExplainOptions, control: Control = {}): Promise<Explained> {
  const told = heard(control)
  const depth = depthFrom(asked)
  const open: OpenOptions = {
    usage: 'Usage: memscope explain <run> [--k 5] [--json -]',
    writes: true,
    compose: ({ id }) => ({
      access: modelAccess(asked),
      account: `${id} explain`,
      systemMs: systemMsFrom(asked),
      log: (message) => told.tell({ type: 'warning', message }),
    }),
  }
  return stoppable(told, () => withKeptRun(asked, open, (kept) => attribute(kept, depth, told)))
}

/** The depth that was named. */
function depthFrom({ k, tokenBudget }: ExplainOptions): Depth | null {
  if (k !== undefined && tokenBudget !== undefined)
    throw new UserError(
      '--k and --token-budget exclude each other here.',
      'Name the one depth that is to be explained.',
    )
  if (tokenBudget !== undefined) return { tokens: wholeNumber('token-budget', tokenBudget, 2) }
  return k === undefined ? null : { k: wholeNumber('k', k, 1) }
}

/**
 * Asks what was not asked yet, keeps it, and returns every failed question at one depth with both attributions. Without a depth, one that was
 * run is taken.
 *
 * @public `run` reads it only when it is asked for
 * @throws UserError when the depth was never run
 */
export async function attribute(
  { record, workshop, store, home }: KeptRun,
  named: Depth | null,
  { tell, signal }: Heard,
): Promise<Explained> {
  const { plan, judge, readers, embed } = workshop
  const judgeKey = bothKeys(judge)
  const depths = explainedDepths(plan, named)
  const keys = resultKeys(workshop)
  const lives: LifeResults[] = []
  for await (const life of readRun(record.id, plan, keys, store)) {
    if (life.planned.subject.definition.class !== 'reference') lives.push(life)
  }
  for (const message of depths.leftOut) tell({ type: 'warning', message })
  const warn = (message: string) => tell({ type: 'warning', message: withoutSecrets(message) })
  let done = 0
  let broken = 0
  const attributed: Attributed[][] = []
  await inLanes(lives, availableParallelism(), async (results) => {
    const { planned: life, reader: who } = results
    const reader = readers.get(readerKey(who)) ?? null
    const by = answersKey(who, readers)
    const key = { run: record.id, ...life.key }
    const known = new Map(
      (await store.getCounterfactuals(key, by, judgeKey))
        .filter(isMeasured)
        .map((one) => [askKey(one.question, one.depth), one]),
    )
    const times = new Map(probesOf(life.scenario).map(({ id, time }) => [id, time]))
    const failures = results.results.filter(
      (result) =>
        failureOf(result.assessment.outcome) !== null &&
        depths.has(life.suite.name, result.question.task, result.depth),
    )
    const open = failures
      .filter((result) => !known.has(askKey(result.question.id, result.depth)))
      .map(
        (result): Failed => ({
          question: result.question,
          probe: result.witness.probe,
          time: times.get(result.witness.probe) ?? '',
          depth: result.depth,
        }),
      )
    const asked = await askOracles(record.id, life, open, {
      store,
      embed,
      llm: workshop.llm,
      endpoint: workshop.endpoint,
      workroot: join(home.work, `${record.id}-oracles`),
      signal,
      inFlight: 64,
      settleMs: workshop.systemMs,
      systemMs: workshop.systemMs,
      log: warn,
      redact: withoutSecrets,
      onFailure: (message) => {
        broken++
        warn(message)
      },
      judge: judge.facts,
      reader,
      grade: async (question, answer, facts) => {
        const plain = life.suite.grade(question, answer)
        const verdict =
          plain ??
          (judge.answers.judgeAnswers
            ? (await judge.answers.judgeAnswers([{ question, answer, facts }]))[0]!
            : await judge.answers.judgeAnswer(question, answer))
        return verdict.grade === 'error' ? null : verdict.grade === 'right'
      },
    })
    await store.putCounterfactuals(key, by, judgeKey, asked)
    for (const one of asked) known.set(askKey(one.question, one.depth), one)
    done++
    tell({ type: 'progress', done, total: lives.length, at: `${life.scenario.id} · ${subjectKey(life.subject)}` })
    attributed.push(
      failures.map((result): Attributed => {
        const counterfactual = known.get(askKey(result.question.id, result.depth))!
        return {
          suite: life.suite.name,
          task: result.question.task,
          subject: life.key.subject,
          reader: who,
          question: result.question.id,
          text: result.question.text,
          depth: result.depth,
          judged: failureOf(result.assessment.outcome)!,
          proven: blameOf(counterfactual),
          counterfactual,
        }
      }),
    )
  })
  const order = new Map(lives.map(({ planned }, i) => [`${subjectKey(planned.subject)} ${planned.scenario.id}`, i]))
  const at = ({ subject, suite, task }: Attributed) => order.get(`${subjectKey(subject)} ${suite}/${task}`) ?? 0
  const sorted = attributed.flat().sort((a, b) => at(a) - at(b) || (a.question < b.question ? -1 : 1))
  return {
    at: depths.words,
    overall: attributionReport(sorted),
    bySystem: Object.fromEntries(bySystem(sorted).map(([name, list]) => [name, attributionReport(list)])),
    questions: sorted,
    failures: broken,
  }
}

/** What was proven before two judges is kept by both. */
function bothKeys({ facts, answers }: JudgePair<Judge>): string {
  return facts.key === answers.key ? facts.key : `${facts.key} + ${answers.key}`
}

/** What could not be had is asked for again the next time. */
function isMeasured({ needed, store, stored, faithful, both }: Counterfactual): boolean {
  return [needed, store, stored, faithful, both].every((part) => part !== null)
}

function bySystem(attributed: readonly Attributed[]): [string, Attributed[]][] {
  const groups = new Map<string, Attributed[]>()
  for (const one of attributed) {
    const name = subjectKey(one.subject) + (one.reader ? `, read by ${readerKey(one.reader)}` : '')
    groups.set(name, [...(groups.get(name) ?? []), one])
  }
  return [...groups]
}
