import { UserError } from '../base/errors.js'
import { wholeNumber } from '../base/whole-number.js'
import { answerLife } from '../engine/answer.js'
import { oncePerJudge } from '../engine/execute.js'
import { gradeLife } from '../engine/grade.js'
import { judgeLife } from '../engine/judge-life.js'
import { inLanes } from '../engine/lanes.js'
import type { RunRequest } from '../engine/plan.js'
import { answersKey, type JudgePair, readerKey, subjectKey } from '../model/index.js'
import { findBaseline, requireBaseline } from './baseline.js'
import { hearControl, stoppable } from './control.js'
import { IN_FLIGHT, notesTo, type OpenOptions, withKeptRun } from './kept-run.js'
import { modelAccess } from './model-access.js'
import type { CodeParts } from './named-code.js'
import { judgePromptFrom, readerPromptFrom } from './prompts.js'
import { checkGate, checkOutputs, publishRun } from './publish.js'
import { judgesFrom, MOST_TRIALS, reasoningReaders } from './request.js'
import type { Control, ReanswerOptions, RejudgeOptions, ReportOptions, RunResult } from './types.js'

/** A run that was made before, in any format. */
export async function report(asked: ReportOptions, control: Control = {}): Promise<RunResult> {
  checkOutputs(asked)
  if (asked.bundle !== undefined) (await import('./view/bundle.js')).requireBundleFolder(asked.bundle)
  const usage = 'Usage: memscope report <run>; "last" is the newest, memscope runs lists them.'
  const told = hearControl(control)
  return stoppable(told, async () => {
    const baseline = await findBaseline(asked)
    return withKeptRun(asked, { usage, note: notesTo(told) }, async (kept) => {
      checkGate(asked, kept.workshop.plan)
      if (baseline) requireBaseline(baseline, kept.workshop.plan, kept.record.id)
      return { ...(await publishRun(kept, asked, baseline)), explained: null }
    })
  })
}

/** The same witnesses and answers before another judge. */
export async function rejudge(asked: RejudgeOptions, control: Control = {}): Promise<RunResult> {
  const { judge, factJudge, answerJudge, judgeTrials: times, judgePrompt } = asked
  const isNew = {
    facts: (factJudge ?? judge ?? judgePrompt) !== undefined,
    answers: (answerJudge ?? judge ?? judgePrompt) !== undefined,
  }
  if (!isNew.facts && !isNew.answers && times === undefined)
    throw new UserError(
      '--judge is missing.',
      'Usage: memscope rejudge <run> --judge <name> | --fact-judge <name> | --answer-judge <name> [flags]',
    )
  const judgeTrials = wholeNumber('judge-trials', times ?? 1, 1, MOST_TRIALS)
  const change: OpenOptions['change'] = {
    request: async ({ judgePrompt: kept, ...request }, parts) => {
      const judges = judgesFrom(asked, request.judge, parts)
      const prompts = await judgePromptFrom(judgePrompt, Object.values(judges), parts, kept)
      return { ...request, judge: judges, judgeTrials, ...prompts }
    },
    parts: ['fact judge', 'answer judge'],
  }
  // Who stays has judged already; what they could not judge is left for --resume, unless they are to judge several times.
  const judged = times === undefined ? isNew : { facts: true, answers: true }
  const made = ({ judge: { facts, answers }, ...request }: RunRequest): CodeParts => ({
    ...{ ...request, systems: [] },
    judge: { ...(!isNew.facts && { facts }), ...(!isNew.answers && { answers }) },
  })
  return redo(asked, 'rejudge', { change, judged, made }, control)
}

/** Lets other readers answer from what a run has retrieved already, and judges the answers. */
export async function reanswer(asked: ReanswerOptions, control: Control = {}): Promise<RunResult> {
  if (asked.reader === undefined)
    throw new UserError('--reader is missing.', 'Usage: memscope reanswer <run> --reader <names>')
  const change: OpenOptions['change'] = {
    request: async ({ readerPrompt, ...request }, parts) => {
      const { readers, reasoning } = reasoningReaders(parts.names(asked.reader)!, asked.reasoning)
      return {
        ...request,
        ...(await readerPromptFrom(asked.readerPrompt, readers, parts, readerPrompt)),
        readers,
        answerStyle: asked.answerStyle ?? request.answerStyle,
        reasoning: asked.reasoning === undefined ? request.reasoning : reasoning,
      }
    },
    parts: ['readers'],
  }
  const made = (request: RunRequest): CodeParts => ({ ...request, systems: [], readers: [] })
  return redo(asked, 'reanswer', { change, judged: { facts: true, answers: true }, made }, control)
}

/**
 * Does one stage of a run again from what was kept. Only the named parts of its setting may differ.
 *
 * @param judged what is judged again; verdicts that are there already are not asked for anew
 * @param made what of the run is made besides what was asked for: no system, for none is asked
 */
async function redo(
  asked: RejudgeOptions | ReanswerOptions,
  what: string,
  {
    change,
    judged,
    made,
  }: {
    change: NonNullable<OpenOptions['change']>
    judged: JudgePair<boolean>
    made(kept: RunRequest): CodeParts
  },
  control: Control,
): Promise<RunResult> {
  checkOutputs(asked)
  const told = hearControl(control)
  const { signal, warn } = told
  const open: OpenOptions = {
    usage: `Usage: memscope ${what} <run>`,
    works: { makes: made, ...(asked.trustRun && { trustRun: true }) },
    change,
    compose: ({ id }) => ({ access: modelAccess(asked), account: `${id} ${what}`, log: warn }),
  }
  const work = () =>
    withKeptRun(asked, open, async (kept) => {
      const { record, workshop, store } = kept
      const { plan, judge, judgedAgain, readers } = workshop
      checkGate(asked, plan)
      const tell = oncePerJudge(warn)
      let done = 0
      await inLanes(plan.lives, IN_FLIGHT, async (life) => {
        const judges = [judge, ...judgedAgain]
        if (judged.facts)
          for (const { facts } of judges) await judgeLife(record.id, life, facts, store, signal, tell(facts))
        for (const who of life.readers) {
          const reader = readers.get(readerKey(who))
          if (reader)
            await answerLife(record.id, life, reader, { store, signal, inFlight: IN_FLIGHT, onAnswer: () => {} })
          if (!judged.answers) continue
          const key = answersKey(who, readers)
          for (const { answers } of judges) await gradeLife(record.id, life, key, answers, store, signal)
        }
        const at = `${life.scenario.id} · ${subjectKey(life.subject)}`
        told.tell({ type: 'progress', done: ++done, total: plan.lives.length, at })
      })
      told.tell({ type: 'measured', run: record.id })
      return { ...(await publishRun(kept, asked)), explained: null }
    })
  return stoppable(told, work)
}
