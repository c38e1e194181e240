import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { actingModel, PRICES } from '../../bench/llm-model.js'
import { startScriptedServer } from '../../bench/scripted-server.js'
import type { ScriptedRequest } from '../../src/gateway/index.js'
import { EVERY_PART } from '../../test/llm.js'
import { rowsLeftIn } from './kept.js'
import { KillError } from './kill-error.js'
import { anywhere, atTheEnd, type Kind, MANY, type Moment } from './kind.js'

const LATENCY_MS = 30
const CONCURRENCY = 16
/**
 * A reply is read before its connection is used again, and kept before the run reads anything that comes later: after so many more requests over
 * the same connection it is surely kept. When it came says nothing: a busy machine reads late.
 */
const SURELY_KEPT_AFTER = 2

type Part = 'ingest' | 'answer' | 'judge'

/** A call as the server saw it. */
interface Call {
  id: string
  part: Part
  start: Start
  /** Its reply is not out yet. */
  open: boolean
  /** Calls that came after it over its connection. */
  later: number
}

/** One start of the command line. */
interface Start {
  killed: boolean
}

/**
 * Runs whose memory, reader and judge are models, killed in the middle of calls of every part too. A kill may cost the calls that were under
 * way, never more than run at a time, and no reply that had reached the run may be asked for again.
 */
export async function modelsKind(folder: string): Promise<Kind> {
  const prices = join(folder, 'prices.json')
  writeFileSync(prices, JSON.stringify(PRICES))
  /** Calls of the run under way, and of the start under way. */
  let calls: Call[] = []
  let from = 0
  let keptBefore = 0
  let start: Start = { killed: false }
  let needed = new Map<string, Part>()
  const sums = { repeated: 0, most: 0, surelyKept: 0 }
  const over = new Map<ScriptedRequest['connection'], Call[]>()
  let onCall: (call: Call) => void = () => {}

  const model = actingModel({ latencyMs: LATENCY_MS })
  const begin = model.begin.bind(model)
  model.begin = (kind, request, connection = null) => {
    const id = createHash('sha256').update(JSON.stringify(request)).digest('hex')
    const call: Call = { id, part: partOf(request), start, open: true, later: 0 }
    const before = over.get(connection) ?? []
    for (const earlier of before) earlier.later++
    over.set(connection, [...before, call])
    calls.push(call)
    onCall(call)
    const turn = begin(kind, request, connection)
    const end = () => {
      call.open = false
      turn.end()
    }
    return { ...turn, end }
  }
  const server = await startScriptedServer(model)

  const during =
    (part: Part): Moment =>
    ({ kill }, draw) => {
      const done = new Set(calls.map(({ id }) => id))
      const left = [...needed].filter(([id, one]) => one === part && !done.has(id)).length
      if (left === 0) return null
      let countdown = 1 + Math.floor(draw() * left)
      let timer: NodeJS.Timeout | undefined
      onCall = (call) => {
        if (call.part !== part || --countdown !== 0) return
        // Half of them with the call surely under way, half anywhere until after its reply.
        if (draw() < 0.5) kill()
        else timer = setTimeout(kill, draw() * 1.5 * LATENCY_MS)
      }
      return () => {
        onCall = () => {}
        clearTimeout(timer)
      }
    }

  return {
    flags: EVERY_PART,
    always: ['--llm', `concurrency=${CONCURRENCY}`, '--prices', prices, '--budget', '100'],
    env: { MEMSCOPE_OPENAI_COMPATIBLE_BASE_URL: server.url },
    moments: [anywhere, during('ingest'), during('answer'), during('judge'), atTheEnd],
    phases: ['start', 'ingest', 'answer', 'judge', 'report'],
    underWay: () => calls.slice(from).flatMap(({ open, part }) => (open ? [part] : [])),
    undisturbed(home) {
      needed = new Map(calls.map(({ id, part }) => [id, part]))
      if (needed.size !== calls.length) throw new KillError('the undisturbed run made a call twice')
      if (replies(home) !== needed.size) throw new KillError('the undisturbed run made calls that it did not keep')
    },
    starts(home, isNew) {
      if (isNew) calls = []
      from = calls.length
      keptBefore = replies(home)
      start = { killed: false }
    },
    ended(home, killed) {
      start.killed = killed
      const lost = calls.length - from - (replies(home) - keptBefore)
      if (lost > (killed ? CONCURRENCY : 0))
        throw new KillError(`${lost} calls were made and not kept; at most ${CONCURRENCY} run at a time`)
      sums.most = Math.max(sums.most, lost)
    },
    finished() {
      const { repeated, surelyKept } = checkCalls(calls, needed)
      sums.repeated += repeated
      sums.surelyKept += surelyKept
    },
    told(kills) {
      if (sums.repeated > kills * CONCURRENCY) throw new KillError(`${sums.repeated} calls were made again`)
      if (kills >= MANY && sums.surelyKept === 0) throw new KillError('no kill came after a reply that was surely kept')
      return (
        `runs of ${needed.size} calls; ${sums.repeated} calls made again, at most ${sums.most} a kill (${CONCURRENCY} run at a time); ` +
        `none of ${sums.surelyKept} replies that had surely been read before a kill`
      )
    },
    close: () => server.close(),
  }
}

/** Looks at the calls of a whole run, over all its starts. */
function checkCalls(
  calls: readonly Call[],
  needed: ReadonlyMap<string, Part>,
): { repeated: number; surelyKept: number } {
  const seen = new Map<string, Call>()
  let repeated = 0
  for (const call of calls) {
    if (!needed.has(call.id)) throw new KillError('a call was made that the undisturbed run did not make')
    const before = seen.get(call.id)
    seen.set(call.id, call)
    if (!before) continue
    repeated++
    if (!before.start.killed) throw new KillError('a start that was not killed made a call that was made again')
    if (before.later >= SURELY_KEPT_AFTER)
      throw new KillError(
        `a reply for ${call.part} was read (${before.later} calls came after it over its connection), and asked for again`,
      )
  }
  if (seen.size !== needed.size) throw new KillError(`${seen.size} different calls, not ${needed.size}`)
  return { repeated, surelyKept: calls.filter(({ start, later }) => start.killed && later >= SURELY_KEPT_AFTER).length }
}

function partOf(request: ScriptedRequest['request']): Part {
  const properties = 'format' in request ? Object.keys(request.format?.schema?.properties ?? {}) : []
  if (properties.includes('note')) return 'ingest'
  return properties.some((name) => name === 'verdicts' || name === 'grades') ? 'judge' : 'answer'
}

/** Replies in the cache of a home. */
function replies(home: string): number {
  return rowsLeftIn(join(home, 'cache', 'replies.db'), 'SELECT 1 FROM reply').length
}
