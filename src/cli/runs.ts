import { UserError } from '../base/errors.js'
import { count, duration } from '../base/figures.js'
import { printable } from '../base/text.js'
import { type ListedRun, listRuns, mergeRuns, pullRun, pushRun } from '../library.js'
import { type Command, JSON_SWITCH, optionsFrom, printJson, type Typed } from './args.js'

const write = (text: string) => process.stdout.write(`${printable(text)}\n`)

/** `memscope runs`: what was run, here or in a shared store; copying runs, and making one of its parts. */
export const runs: Command = {
  name: 'runs',
  about: 'list the runs kept here or in --store, newest first; pull, push, merge',
  usage: 'runs [pull <run> | push <run> | merge <home> <home> …] [--store postgres://…]',
  flags: JSON_SWITCH,
  words: 1_000,
  examples: [
    'memscope runs --store postgres://db/runs       # progress, workers, rates, cost, time left',
    'memscope runs pull last --store postgres://db/runs',
    'memscope runs merge part-1/.memscope part-2/.memscope',
  ],
  async run(typed) {
    const [verb, ...words] = typed.words
    if (verb !== undefined) return copy(verb, words, typed)
    const all = await listRuns(optionsFrom(typed))
    if (typed.on.json) return printJson(all)
    if (all.length === 0) write('No runs yet. Start with: memscope run')
    for (const one of all) {
      const { run, status, created, suites, systems, shard } = one
      const time = created.slice(0, 16).replace('T', ' ')
      const part = shard === undefined ? '' : `  part ${shard}`
      write(`${run}  ${status.padEnd(7)}  ${time}  ${suites.join(',')}  ${systems.join(',')}${part}`)
      for (const line of progressLines(one)) write(`  ${line}`)
    }
    return 0
  },
}

async function copy(verb: string, words: readonly string[], typed: Typed): Promise<number> {
  if (verb === 'merge') {
    const id = await mergeRuns(optionsFrom(typed, { from: words }))
    const merged = (await listRuns(optionsFrom(typed))).find(({ run }) => run === id)
    const isWhole = merged?.status !== 'partial'
    write(`Run ${id}${isWhole ? '' : ', partial'}. Show it with: memscope report ${id}`)
    if (isWhole) return 0
    process.stderr.write('A part was not run to its end. Go on with it where it is, then merge again.\n')
    return 3
  }
  if (verb !== 'pull' && verb !== 'push')
    throw new UserError(`Expected pull, push or merge, got "${verb}".`, `Usage: memscope ${runs.usage}`)
  const [run, extra] = words
  if (run === undefined || extra !== undefined) throw new UserError('Which run?', `Usage: memscope runs ${verb} <run>`)
  const id = await (verb === 'pull' ? pullRun : pushRun)(optionsFrom(typed, { run }))
  write(`Run ${id} was copied ${verb === 'pull' ? 'from' : 'to'} the store.`)
  return 0
}

/** How far a shared run is, who works on it, what it costs. */
function progressLines({ progress }: ListedRun): string[] {
  if (!progress) return []
  const { units, questions, pace, workers, budget, limits, halted, usd } = progress
  if (units.done === units.total && workers.every(({ units: held }) => held === 0) && halted === null) return []
  const left = questions.total - questions.done
  const time = pace.done > 0 && pace.ms > 0 ? `, ${duration((left * pace.ms) / pace.done)} left` : ''
  const share = questions.total === 0 ? 100 : Math.floor((100 * questions.done) / questions.total)
  const calls = workers.reduce((sum, { callsPerMinute }) => sum + callsPerMinute, 0)
  const money = (usd: number) => `$${usd.toFixed(4)}`
  return [
    `${share} %  ${count(questions.done)} of ${count(questions.total)} questions, ${units.done} of ${units.total} units${time}`,
    ...(halted === null ? [] : [`stopped: ${halted}`]),
    `${workers.filter(({ alive }) => alive).length} workers, ${count(calls)} calls a minute`,
    ...workers.map(({ host, pid, alive, units: held, calls: made, seenMsAgo }) => {
      const state = alive ? `heard of ${(seenMsAgo / 1000).toFixed(1)} s ago` : 'gone'
      return `  ${host} ${pid}: ${held} units, ${count(made)} calls, ${state}`
    }),
    ...(budget
      ? [
          `cost: ${money(budget.total - budget.reserved)} spent, ${money(budget.reserved)} set aside, of ${money(budget.cap)}`,
        ]
      : [`cost: ${money(usd)} spent`]),
    ...limits.map(({ rate, limits: set, open, blockedMs, overloads }) => {
      const words = [
        `${open} calls under way`,
        ...(set.concurrency ? [`at most ${set.concurrency}`] : []),
        ...(set.requestsPerMinute ? [`${set.requestsPerMinute} requests a minute`] : []),
        ...(set.tokensPerMinute ? [`${set.tokensPerMinute} tokens a minute`] : []),
        ...(overloads > 0 ? [`too much ${overloads} times`] : []),
        ...(blockedMs > 0 ? [`left alone for ${duration(blockedMs)}`] : []),
      ]
      return `${rate}: ${words.join(', ')}`
    }),
  ]
}
