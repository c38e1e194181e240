import { availableParallelism } from 'node:os'
import { type Attributed, attributedFailure, attributionReport, blameOf } from '../analysis/attribution.js'
import { type LifeResults, readRun } from '../analysis/results.js'
import { UserError } from '../base/errors.js'
import { groupBy } from '../base/group-by.js'
import { inLanes } from '../engine/lanes.js'
import { askOracles, type Failed } from '../engine/oracles.js'
import type { Counterfactual, Depth, Judge, JudgePair } from '../model/index.js'
import { answersKey, askKey, probesOf, readerKey, subjectKey } from '../model/index.js'
import { resultKeys } from './compose.js'
import { type Heard, hearControl, stoppable } from './control.js'
import { explainedDepths } from './explain-depth.js'
import { type KeptRun, lifeTools, type OpenOptions, withKeptRun } from './kept-run.js'
import { modelAccess } from './model-access.js'
import { depthFrom, systemMsFrom } from './settings/values.js'
import type { Control, Explained, ExplainOptions } from './types.js'

/** Which part of a memory, made perfect, repairs its failures. */
export async function explain(asked: ExplainOptions, control: Control = {}): Promise<Explained> {
  const told = hearControl(control)
  const depth = depthFrom(asked, 'to be explained')
  const open: OpenOptions = {
    usage: 'Usage: memscope explain <run> [--k 5] [--json -]',
    works: { makes: (kept) => kept, ...(asked.trustRun && { trustRun: true }) },
    compose: ({ id }) => {
      const account = `${id} explain`
      return { access: modelAccess(asked), account, systemMs: systemMsFrom(asked), log: told.warn }
    },
  }
  return stoppable(told, () => withKeptRun(asked, open, (kept) => attributeFailures(kept, depth, told)))
}

/**
 * Asks what was not asked yet, keeps it, and returns every failed question at one depth, or one that was run, with both attributions.
 *
 * @public `run` reads it only when it is asked for
 */
export async function attributeFailures(kept: KeptRun, named: Depth | null, told: Heard): Promise<Explained> {
  const { record, workshop, store } = kept
  const { plan, judge, readers } = workshop
  const tools = lifeTools(kept, `${record.id}-oracles`, told)
  const judgeKey = bothKeys(judge)
  const depths = explainedDepths(plan, named)
  const keys = resultKeys(workshop)
  const lives: LifeResults[] = []
  const played = plan.subjects.filter(({ definition }) => definition.playback).map(({ system }) => system)
  if (played.length === plan.subjects.length)
    throw new UserError(
      `${played.join(', ')} was run elsewhere: what it would do with a repaired part cannot be asked.`,
    )
  if (played.length > 0) told.warn(`Left out, for it was run elsewhere: ${played.join(', ')}.`)
  for await (const life of readRun(record.id, plan, keys, store)) {
    const { definition } = life.planned.subject
    if (definition.class !== 'reference' && !definition.playback) lives.push(life)
  }
  for (const message of depths.leftOut) told.warn(message)
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
      ({ assessment, question, depth }) =>
        attributedFailure(assessment.outcome) !== null && depths.has(life.suite.name, question.task, depth),
    )
    const open = failures
      .filter(({ question, depth }) => !known.has(askKey(question.id, depth)))
      .map(({ question, depth, witness: { probe } }): Failed => {
        return { question, probe, time: times.get(probe) ?? '', depth }
      })
    const asked = await askOracles(record.id, life, open, {
      ...tools,
      onFailure: (message) => {
        broken++
        told.warn(message)
      },
      judge: judge.facts,
      reader,
      grade: async (question, answer, facts) => {
        const judged = async () =>
          (await judge.answers.judgeAnswers?.([{ question, answer, facts }]))?.[0] ??
          (await judge.answers.judgeAnswer(question, answer))
        const verdict = life.suite.grade(question, answer) ?? (await judged())
        return verdict.grade === 'error' ? null : verdict.grade === 'right'
      },
    })
    await store.putCounterfactuals(key, by, judgeKey, asked)
    for (const one of asked) known.set(askKey(one.question, one.depth), one)
    const at = `${life.scenario.id} · ${subjectKey(life.subject)}`
    told.tell({ type: 'progress', done: ++done, total: lives.length, at })
    attributed[lives.indexOf(results)] = failures.map(({ question, depth, assessment }): Attributed => {
      const counterfactual = known.get(askKey(question.id, depth))!
      return {
        suite: life.suite.name,
        task: question.task,
        subject: life.key.subject,
        reader: who,
        question: question.id,
        text: question.text,
        depth,
        judged: attributedFailure(assessment.outcome)!,
        proven: blameOf(counterfactual),
        counterfactual,
      }
    })
  })
  const order = new Map(lives.map(({ planned }, i) => [`${subjectKey(planned.subject)} ${planned.scenario.id}`, i]))
  const at = ({ subject, suite, task }: Attributed) => order.get(`${subjectKey(subject)} ${suite}/${task}`) ?? 0
  const sorted = attributed.flat().sort((a, b) => at(a) - at(b) || (a.question < b.question ? -1 : 1))
  const systems = [...groupBy(sorted, systemAndReader)]
  return {
    at: depths.words,
    overall: attributionReport(sorted),
    bySystem: Object.fromEntries(systems.map(([name, list]) => [name, attributionReport(list)])),
    questions: sorted,
    failures: broken,
  }
}

/** What was proven before two judges is kept by both. */
export function bothKeys({ facts, answers }: JudgePair<Judge>): string {
  return facts.key === answers.key ? facts.key : `${facts.key} + ${answers.key}`
}

/** What could not be had is asked for again the next time. */
function isMeasured({ needed, store, stored, faithful, both }: Counterfactual): boolean {
  return [needed, store, stored, faithful, both].every((part) => part !== null)
}

function systemAndReader({ subject, reader }: Attributed): string {
  return subjectKey(subject) + (reader ? `, read by ${readerKey(reader)}` : '')
}
