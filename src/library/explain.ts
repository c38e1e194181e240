import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { type Attributed, attributionReport, blameOf, failureOf } from '../analysis/attribution.js'
import { type LifeResults, readRun } from '../analysis/results.js'
import { UserError } from '../base/errors.js'
import { wholeNumber } from '../base/whole-number.js'
import { inLanes } from '../engine/lanes.js'
import { askOracles, type Failed } from '../engine/oracles.js'
import { SELF } from '../engine/plan.js'
import type { Counterfactual, Judge, JudgePair } from '../model/index.js'
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

/** The depth that was named, as plans have it. */
function depthFrom({ k, tokenBudget }: ExplainOptions): number | null {
  if (k !== undefined && tokenBudget !== undefined)
    throw new UserError(
      '--k and --token-budget exclude each other here.',
      'Name the one depth that is to be explained.',
    )
  if (tokenBudget !== undefined) return -wholeNumber('token-budget', tokenBudget, 2)
  return k === undefined ? null : wholeNumber('k', k, 1)
}

/**
 * Asks what was not asked yet, keeps it, and returns every failed question at one depth with both attributions. Without a depth, one that was
 * run is taken.
 *
 * @throws UserError when the depth was never run
 */
export async function attribute(
  { record, workshop, store, home }: KeptRun,
  named: number | null,
  { tell, signal }: Heard,
): Promise<Explained> {
  const { plan, judge, readers, embed } = workshop
  const judgeKey = bothKeys(judge)
  const depths = explainedDepths(plan, named)
  const keys = resultKeys(workshop)
  const lives: LifeResults[] = []
  for await (const life of readRun(record.id, plan, keys, store)) {
    if (life.life.subject.definition.class !== 'reference') lives.push(life)
  }
  for (const message of depths.leftOut) tell({ type: 'warning', message })
  const warn = (message: string) => tell({ type: 'warning', message: withoutSecrets(message) })
  let done = 0
  let broken = 0
  const attributed: Attributed[][] = []
  await inLanes(lives, availableParallelism(), async (results) => {
    const { life, reader: readerName } = results
    const reader = readers.get(readerName) ?? null
    const readerKey = readerName === SELF ? SELF : (reader?.key ?? 'none')
    const key = { run: record.id, ...life.key }
    const known = new Map(
      (await store.getCounterfactuals(key, readerKey, judgeKey))
        .filter(isMeasured)
        .map((one) => [`${one.k} ${one.question}`, one]),
    )
    const times = new Map(
      life.scenario.timeline.flatMap((event) =>
        event.type === 'probe' ? [[event.probe.id, event.probe.time] as const] : [],
      ),
    )
    const failures = results.results.filter(
      (result) =>
        failureOf(result.assessment.outcome) !== null &&
        depths.has(life.suite.name, result.question.task, result.witness.k),
    )
    const depth = (result: (typeof failures)[number]) => result.witness.k
    const open = failures
      .filter((result) => !known.has(`${depth(result)} ${result.question.id}`))
      .map(
        (result): Failed => ({
          question: result.question,
          probe: result.witness.probe,
          time: times.get(result.witness.probe) ?? '',
          k: depth(result),
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
    await store.putCounterfactuals(key, readerKey, judgeKey, asked)
    for (const one of asked) known.set(`${one.k} ${one.question}`, one)
    done++
    tell({ type: 'progress', done, total: lives.length, at: `${life.scenario.id} · ${life.key.system}` })
    attributed.push(
      failures.map((result): Attributed => {
        const counterfactual = known.get(`${depth(result)} ${result.question.id}`)!
        return {
          suite: life.suite.name,
          task: result.question.task,
          system: life.key.system,
          reader: readerName,
          question: result.question.id,
          text: result.question.text,
          k: result.k,
          depth: result.depth,
          judged: failureOf(result.assessment.outcome)!,
          proven: blameOf(counterfactual),
          counterfactual,
        }
      }),
    )
  })
  const order = new Map(lives.map(({ life }, i) => [`${life.key.system} ${life.scenario.id}`, i]))
  const sorted = attributed
    .flat()
    .sort(
      (a, b) =>
        (order.get(`${a.system} ${a.suite}/${a.task}`) ?? 0) - (order.get(`${b.system} ${b.suite}/${b.task}`) ?? 0) ||
        (a.question < b.question ? -1 : 1),
    )
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
    const name = one.reader === 'none' ? one.system : `${one.system}, read by ${one.reader}`
    groups.set(name, [...(groups.get(name) ?? []), one])
  }
  return [...groups]
}
