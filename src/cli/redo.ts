import { UserError } from '../base/errors.js'
import { answerLife } from '../engine/answer.js'
import { gradeLife, judgeLife } from '../engine/judge.js'
import { inLanes } from '../engine/lanes.js'
import { type RunRequest, requireSameSetting, SELF } from '../engine/plan.js'
import type { Command, Typed } from './args.js'
import { compose, homeAt, openStore } from './compose.js'
import { MODEL_FLAGS, modelAccess } from './models.js'
import { checkOutputs, OUTPUT_FLAGS, outputsFrom, publish } from './outputs.js'
import { progressLine } from './progress.js'
import { findRun, keptRequest } from './runs.js'

const IN_FLIGHT = 64

/** `memscope rejudge`: the same witnesses and answers before another judge. Nothing is stored, retrieved or answered again. */
export const rejudge: Command = {
  name: 'rejudge',
  about: 'judge a run again with another judge',
  usage: 'rejudge <run> --judge <name> [flags]',
  flags: {
    judge: { type: 'text', value: '<name>', about: 'lexical, llm:p:m, hybrid:p:m, panel:a,b,c or paper:p:m' },
    ...MODEL_FLAGS,
    ...OUTPUT_FLAGS,
  },
  words: 1,
  examples: ['memscope rejudge last --judge hybrid:openai:gpt-5-mini --budget 1'],
  run: (typed) => {
    const { judge } = typed.text
    if (judge === undefined) throw new UserError('--judge is missing.', 'Usage: memscope rejudge <run> --judge <name>')
    return redo(typed, 'rejudge', (request) => ({ ...request, judge }), ['judge'])
  },
}

/** `memscope reanswer`: the same witnesses before other readers. Nothing is stored or retrieved again. */
export const reanswer: Command = {
  name: 'reanswer',
  about: 'have other readers answer a run',
  usage: 'reanswer <run> --reader <names> [flags]',
  flags: {
    reader: { type: 'list', value: '<names>', about: 'provider:model, several for a sweep' },
    'answer-style': { type: 'text', value: '<style>', about: 'auto (default), free, yes-no, choice' },
    reasoning: { type: 'text', value: 'off|default', about: 'whether readers may reason at length' },
    ...MODEL_FLAGS,
    ...OUTPUT_FLAGS,
  },
  words: 1,
  examples: ['memscope reanswer last --reader openai:gpt-5-mini,anthropic:claude-haiku-4.5 --budget 2'],
  run: (typed) => {
    const readers = typed.list.reader
    if (!readers) throw new UserError('--reader is missing.', 'Usage: memscope reanswer <run> --reader <names>')
    const change = (request: RunRequest): RunRequest => ({
      ...request,
      readers,
      answerStyle: typed.text['answer-style'] ?? request.answerStyle,
      reasoning: typed.text.reasoning ?? request.reasoning,
    })
    return redo(typed, 'reanswer', change, ['readers'])
  },
}

/** Does one stage of a run again from what was kept. Only the named parts of its setting may differ. */
async function redo(
  typed: Typed,
  what: string,
  change: (request: RunRequest) => RunRequest,
  parts: readonly string[],
): Promise<number> {
  const [name] = typed.words
  if (name === undefined) throw new UserError('Which run?', `Usage: memscope ${what} <run>`)
  const outputs = outputsFrom(typed)
  checkOutputs(outputs)
  const home = homeAt(typed.text.home)
  const store = openStore(home)
  try {
    const record = await findRun(store, name)
    const kept = keptRequest(record.request)
    const log = (message: string) => process.stderr.write(`${message}\n`)
    const workshop = await compose(change(kept.request), home, {
      access: modelAccess(typed),
      account: `${record.id} ${what}`,
      log,
    })
    try {
      const now = { ...workshop.plan.settingParts }
      for (const part of parts) now[part] = kept.settingParts[part]!
      requireSameSetting(kept.settingParts, now, `The run ${record.id}`)
      const line = progressLine(process.stderr)
      const signal = new AbortController().signal
      let done = 0
      const { plan, judge, readers } = workshop
      await inLanes(plan.lives, IN_FLIGHT, async (life) => {
        await judgeLife(record.id, life, judge, store, signal)
        for (const readerName of life.readers) {
          const reader = readers.get(readerName)
          if (reader)
            await answerLife(record.id, life, reader, { store, signal, inFlight: IN_FLIGHT, onAnswer: () => {} })
          await gradeLife(record.id, life, reader?.key ?? SELF, judge, store, signal)
        }
        if (!outputs.quiet)
          line.update({ done: ++done, total: plan.lives.length, at: `${life.scenario.id} · ${life.key.system}` })
      })
      line.end()
      return await publish(record, workshop, store, outputs)
    } finally {
      await workshop.close()
    }
  } finally {
    await store.close()
  }
}
