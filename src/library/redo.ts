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
import type { Parts } from './own-parts.js'
import { judgePromptFrom, readerPromptFrom } from './prompts.js'
import { checkGate, checkOutputs, publishRun } from './publish.js'
import { judgesFrom } from './settings/judges.js'
import { refuseMoved } from './settings/moved.js'
import { MOST_TRIALS, reasoningReaders } from './settings/readers.js'
import { flagOf } from './settings/setting.js'
import type { Control, RedoOptions, ReportOptions, RunResult } from './types.js'

/** A run that was made before, in any format. */
export async function report(asked: ReportOptions, control: Control = {}): Promise<RunResult> {
  refuseMoved(asked, ['badge', 'saveBaseline'])
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

/** What of a run is judged again; verdicts that are there already are not asked for anew. */
interface Redone {
  change: NonNullable<OpenOptions['change']>
  judged: JudgePair<boolean>
  /** What of the run is made besides what was asked for: no system, for none is asked. */
  made(kept: RunRequest): CodeParts
}

/** What `redo` is asked to do, checked; both stages where both are named. */
function redone(asked: RedoOptions): Redone {
  const { reader, judge, factJudge, answerJudge, judgePrompt, judgeTrials: times } = asked
  const isNew = {
    facts: (factJudge ?? judge ?? judgePrompt) !== undefined,
    answers: (answerJudge ?? judge ?? judgePrompt) !== undefined,
  }
  const isJudged = isNew.facts || isNew.answers || times !== undefined
  if (reader === undefined) {
    const idle = (['answerStyle', 'reasoning', 'readerPrompt'] as const).find((name) => asked[name] !== undefined)
    if (idle !== undefined)
      throw new UserError(`--${flagOf(idle)} is for readers, and none is named.`, `--reader is missing. ${USAGE}`)
    if (!isJudged) throw new UserError('What shall be done again? --reader or --judge is missing.', USAGE)
  }
  const judgeTrials = wholeNumber('judge-trials', times ?? 1, 1, MOST_TRIALS)
  const change: Redone['change'] = {
    request: async (kept, parts) => {
      const read = reader === undefined ? kept : await withReaders(kept, asked, parts)
      return isJudged ? withJudges(read, asked, judgeTrials, parts) : read
    },
    parts: [...(reader === undefined ? [] : ['readers']), ...(isJudged ? ['fact judge', 'answer judge'] : [])],
  }
  // Who stays has judged already; what they could not judge is left for --resume, unless they are to judge several times.
  const all = reader !== undefined || times !== undefined
  const made = ({ judge: { facts, answers }, readers, ...request }: RunRequest): CodeParts => ({
    ...request,
    systems: [],
    readers: reader === undefined ? readers : [],
    judge: { ...(!isNew.facts && { facts }), ...(!isNew.answers && { answers }) },
  })
  return { change, made, judged: all ? { facts: true, answers: true } : isNew }
}

async function withReaders(kept: RunRequest, asked: RedoOptions, parts: Parts): Promise<RunRequest> {
  const { readerPrompt, ...request } = kept
  const { readers, reasoning } = reasoningReaders(parts.names(asked.reader)!, asked.reasoning)
  return {
    ...request,
    ...(await readerPromptFrom(asked.readerPrompt, readers, parts, readerPrompt)),
    readers,
    answerStyle: asked.answerStyle ?? request.answerStyle,
    reasoning: asked.reasoning === undefined ? request.reasoning : reasoning,
  }
}

async function withJudges(
  kept: RunRequest,
  asked: RedoOptions,
  judgeTrials: number,
  parts: Parts,
): Promise<RunRequest> {
  const { judgePrompt, ...request } = kept
  const judge = judgesFrom(asked, request.judge, parts)
  const prompts = await judgePromptFrom(asked.judgePrompt, Object.values(judge), parts, judgePrompt)
  return { ...request, judge, judgeTrials, ...prompts }
}

const USAGE =
  'Usage: memscope redo <run> --reader <names> | --judge <name> | --fact-judge <name> | --answer-judge <name>'

/**
 * Does a stage of a run again, from what was kept: other readers answer from what was retrieved, or another judge judges the same witnesses and
 * answers. Nothing is stored or retrieved again, and only these parts of the setting may differ.
 */
export async function redo(asked: RedoOptions, control: Control = {}): Promise<RunResult> {
  checkOutputs(asked)
  const { change, judged, made } = redone(asked)
  const told = hearControl(control)
  const { signal, warn } = told
  const open: OpenOptions = {
    usage: USAGE,
    works: { makes: made, ...(asked.trustRun && { trustRun: true }) },
    change,
    compose: ({ id }) => ({ access: modelAccess(asked), account: `${id} redo`, log: warn }),
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
