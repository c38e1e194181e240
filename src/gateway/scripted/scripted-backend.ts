import { APICallError } from '@ai-sdk/provider'
import { realClock } from '../limits/clock.js'
import type { Backend } from '../providers/backend.js'
import type { WireReply, WireRequest } from '../wire.js'
import { NoRule, type ScriptedModel, type ScriptedTurn } from './model.js'
import { type Fault, spoiltReply } from './scripted-faults.js'

/** A scripted model in this process, without HTTP: `scripted:<name>`. It fails as a provider would. */
export function scriptedBackend(model: ScriptedModel): Backend {
  const inTurn = async <T>(turn: ScriptedTurn, signal: AbortSignal, work: () => T | Promise<T>): Promise<T> => {
    try {
      if (turn.fault) await before(model, turn.fault, signal)
      await realClock.sleep(model.options.latencyMs ?? 0, signal)
      return await work()
    } finally {
      turn.end()
    }
  }
  return {
    ready: async () => {},
    generate: (request, signal) => {
      const turn = model.begin('chat', request)
      return inTurn(turn, signal, async () => {
        const reply = await replyTo(model, request, turn.number)
        return turn.fault ? after(turn.fault, reply, request) : reply
      })
    },
    embed: (texts, signal) => {
      const turn = model.begin('embedding', { texts })
      return inTurn(turn, signal, () => {
        const { vectors, tokens } = model.embed(texts)
        if (turn.fault && turn.fault !== 'slow-first-byte') throw unreadable()
        return { vectors: vectors.map((vector) => [...vector]), tokens }
      })
    },
  }
}

async function replyTo(model: ScriptedModel, request: WireRequest, number: number): Promise<WireReply> {
  try {
    return await model.reply(request, number)
  } catch (error) {
    throw error instanceof NoRule ? failure(error.message, 400) : error
  }
}

async function before(model: ScriptedModel, fault: Fault, signal: AbortSignal): Promise<void> {
  switch (fault) {
    case 'rate-limit':
      throw failure('Slow down.', 429, { 'retry-after': model.faults.retryAfter })
    case 'server-error':
      throw failure('Something broke.', 500)
    case 'reset':
      throw failure('Cannot connect to API: read ECONNRESET')
    case 'hang':
      return realClock.sleep(2 ** 31 - 1, signal)
    case 'slow-first-byte':
      return realClock.sleep(model.faults.slowMs, signal)
    default:
  }
}

function after(fault: Fault, reply: WireReply, request: WireRequest): WireReply {
  if (fault === 'slow-first-byte') return reply
  const bad = spoiltReply(fault, reply, request)
  if (!bad) throw unreadable()
  return bad
}

/** A reply that was broken on its way. */
function unreadable(): APICallError {
  return failure('Invalid JSON response', 200)
}

function failure(message: string, statusCode?: number, responseHeaders: Record<string, string> = {}): APICallError {
  return new APICallError({
    message,
    url: 'scripted:',
    requestBodyValues: {},
    ...(statusCode !== undefined && { statusCode, responseHeaders }),
  })
}
