import { UserError } from '../base/errors.js'
import { answerLife } from '../engine/answer.js'
import { oncePerJudge } from '../engine/execute.js'
import { gradeLife, judgeLife } from '../engine/judge.js'
import { inLanes } from '../engine/lanes.js'
import type { RunRequest } from '../engine/plan.js'
import { answersKey, type JudgePair, readerKey, subjectKey } from '../model/index.js'
import { type Command, type Typed, wholeNumber } from './args.js'
import { type OpenOptions, withKeptRun } from './kept-run.js'
import { MODEL_FLAGS, modelAccess } from './models.js'
import { checkGate, checkOutputs, OUTPUT_FLAGS, outputsFrom, publish } from './outputs.js'
import { progressLine } from './progress.js'
import { JUDGE_PROMPT_FLAG, judgePromptFrom, READER_PROMPT_FLAG, readerPromptFrom } from './prompts.js'
import { JUDGE_FLAGS, judgesFrom, MOST_TRIALS } from './request.js'
import { withoutSecrets } from './secrets.js'

const IN_FLIGHT = 64

/** `memscope rejudge`: the same witnesses and answers before another judge. Nothing is stored, retrieved or answered again. */
export const rejudge: Command = {
  name: 'rejudge',
  about: 'judge a run again with another judge',
  usage: 'rejudge <run> --judge <name> | --fact-judge <name> | --answer-judge <name> [flags]',
  flags: {
    ...JUDGE_FLAGS,
    'judge-trials': { type: 'text', value: '<n>', about: 'how often they judge; without --judge, those of the run' },
    ...JUDGE_PROMPT_FLAG,
    ...MODEL_FLAGS,
    ...OUTPUT_FLAGS,
  },
  words: 1,
  examples: [
    'memscope rejudge last --judge hybrid:openai:gpt-5-mini --budget 1',
    'memscope rejudge last --answer-judge panel:openai:gpt-5-mini,anthropic:claude-haiku-4.5,google:gemini-2.5-flash',
    'memscope rejudge last --judge-trials 3 --budget 1',
  ],
  run: (typed) => {
    const { text } = typed
    const times = text['judge-trials']
    const isTold = text['judge-prompt'] !== undefined
    const isNew = {
      facts: (text['fact-judge'] ?? text.judge) !== undefined || isTold,
      answers: (text['answer-judge'] ?? text.judge) !== undefined || isTold,
    }
    if (!isNew.facts && !isNew.answers && times === undefined)
      throw new UserError('--judge is missing.', `Usage: memscope ${rejudge.usage}`)
    const judgeTrials = wholeNumber('judge-trials', times ?? '1', 1, MOST_TRIALS)
    const change = async ({ judgePrompt, ...request }: RunRequest): Promise<RunRequest> => {
      const judge = judgesFrom(text, request.judge)
      return { ...request, judge, judgeTrials, ...(await judgePromptFrom(typed, Object.values(judge), judgePrompt)) }
    }
    // Who stays has judged already; what they could not judge is left for --resume, unless they are to judge several times.
    const judged = times === undefined ? isNew : { facts: true, answers: true }
    return redo(typed, 'rejudge', { request: change, parts: ['fact judge', 'answer judge'] }, judged)
  },
}

/** `memscope reanswer`: the same witnesses before other readers. Nothing is stored or retrieved again. */
export const reanswer: Command = {
  name: 'reanswer',
  about: 'have other readers answer a run',
  usage: 'reanswer <run> --reader <names> [flags]',
  flags: {
    reader: { type: 'list', value: '<names>', about: 'provider:model or a file of your own, several for a sweep' },
    'answer-style': { type: 'text', value: '<style>', about: 'auto (default), free, yes-no, choice' },
    reasoning: { type: 'text', value: 'off|default', about: 'whether readers may reason at length' },
    ...READER_PROMPT_FLAG,
    ...MODEL_FLAGS,
    ...OUTPUT_FLAGS,
  },
  words: 1,
  examples: ['memscope reanswer last --reader openai:gpt-5-mini,anthropic:claude-haiku-4.5 --budget 2'],
  run: (typed) => {
    const readers = typed.list.reader
    if (!readers) throw new UserError('--reader is missing.', 'Usage: memscope reanswer <run> --reader <names>')
    const change = async ({ readerPrompt, ...request }: RunRequest): Promise<RunRequest> => ({
      ...request,
      ...(await readerPromptFrom(typed, readers, readerPrompt)),
      readers,
      answerStyle: typed.text['answer-style'] ?? request.answerStyle,
      reasoning: typed.text.reasoning ?? request.reasoning,
    })
    return redo(typed, 'reanswer', { request: change, parts: ['readers'] }, { facts: true, answers: true })
  },
}

/**
 * Does one stage of a run again from what was kept. Only the named parts of its setting may differ.
 *
 * @param judged what is judged again; verdicts that are there already are not asked for anew
 */
async function redo(
  typed: Typed,
  what: string,
  change: NonNullable<OpenOptions['change']>,
  judged: JudgePair<boolean>,
): Promise<number> {
  const outputs = outputsFrom(typed)
  checkOutputs(outputs)
  const open: OpenOptions = {
    home: typed.text.home,
    usage: `Usage: memscope ${what} <run>`,
    writes: true,
    change,
    compose: ({ id }) => ({
      access: modelAccess(typed),
      account: `${id} ${what}`,
      log: (message) => process.stderr.write(`${message}\n`),
    }),
  }
  return withKeptRun(typed.words[0], open, async ({ record, workshop, store }) => {
    checkGate(outputs, workshop.plan)
    const line = progressLine(process.stderr)
    const signal = new AbortController().signal
    const tell = oncePerJudge((message) => line.note(withoutSecrets(message)))
    let done = 0
    const { plan, judge, judgedAgain, readers } = workshop
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
      if (!outputs.quiet)
        line.update({ done: ++done, total: plan.lives.length, at: `${life.scenario.id} · ${subjectKey(life.subject)}` })
    })
    line.end()
    return publish(record, workshop, store, outputs)
  })
}
