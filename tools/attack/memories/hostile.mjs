import { spawn } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { notebook } from '../../../test/fixtures/cheats/parts.mjs'

/** An honest notebook that turns hostile in one method: in which and how, its options say. What it starts is written to ATTACK_PIDS. */
const ANSI = '\x1b]0;OWNED\x07\x1b[2J\x9b31m\u202e'

const note = (pid) => process.env.ATTACK_PIDS && appendFileSync(process.env.ATTACK_PIDS, `${pid}\n`)

/** What is done in place of the method; a result counts as that of the method. */
const MANNERS = {
  hang: () => new Promise(() => {}),
  spin: () => {
    for (;;);
  },
  sleep: () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0),
  exit: () => process.exit(7),
  abort: () => process.abort(),
  kill: () => process.kill(process.pid, 'SIGKILL'),
  throw: () => {
    throw new Error(`thrown on purpose ${ANSI}`)
  },
  'throw-null': () => {
    throw null
  },
  'throw-long': () => {
    throw new Error('on purpose '.repeat(1_000_000))
  },
  later: () => {
    setTimeout(() => Promise.reject(new Error('nobody awaited this')), 5)
    return new Promise(() => {})
  },
  memory: () => {
    for (const kept = []; ; ) kept.push(new Array(1000).fill({}))
  },
  function: () => () => 'no data',
  circular: () => {
    const loop = {}
    loop.self = loop
    return [loop]
  },
  number: () => 42,
  getter: () => [
    {
      id: 'a',
      get text() {
        throw new Error('thrown on purpose by a getter')
      },
    },
  ],
}

/** Done before the method, which then does its work: nothing may change. */
const BESIDES = {
  flood: () => {
    for (const stream of [process.stdout, process.stderr]) stream.write(`${'flood '.repeat(20)}\n`.repeat(2_000))
  },
  handles: () => {
    setInterval(() => {}, 1000)
    createServer().listen(0)
  },
  children: () => note(spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' }).pid),
  'log-codes': (context) => context.log(`${ANSI} a log line`),
}

/** Lies of `retrieve`, of `dump`, and of both. */
const LIES = {
  'too-many': { retrieve: (found) => [...found, ...found.map((one) => ({ ...one, id: `${one.id}+` }))] },
  'same-id': { retrieve: (found) => found.map((one) => ({ ...one, id: 'same' })) },
  'other-text': { retrieve: (found) => found.map((one) => ({ ...one, text: `${one.text} and more` })) },
  'no-text': { retrieve: (found) => found.map(({ id }) => ({ id })) },
  'no-id': { retrieve: (found) => found.map(({ text }) => ({ text })) },
  'numeric-id': { retrieve: (found) => found.map((one, i) => ({ ...one, id: i })) },
  holes: { retrieve: () => [null, undefined] },
  'a-text': { retrieve: (found) => found.map(({ text }) => text).join('\n') },
  'an-object': { retrieve: (found) => ({ results: found }) },
  nothing: { retrieve: () => undefined },
  'score-of-words': { retrieve: (found) => found.map((one) => ({ ...one, score: 'high' })) },
  'time-of-numbers': { retrieve: (found) => found.map((one) => ({ ...one, time: 7 })) },
  'strange-status': { retrieve: (found) => found.map((one) => ({ ...one, status: 'dead' })) },
  'sources-of-text': { retrieve: (found) => found.map((one) => ({ ...one, sources: 'c1' })) },
  'long-text': { retrieve: (found) => found.map((one) => ({ ...one, text: 'x'.repeat(1_000_001) })) },
  'dump-of-text': { dump: (held) => held.map(({ text }) => text).join('\n') },
  'dump-twice': { dump: (held) => [...held, ...held] },
  'dump-null': { dump: () => null },
  'dump-changes': { dump: (held) => held.map((one) => ({ ...one, text: `${one.text} ${Math.random()}` })) },
  'dump-grows': { dump: (held) => [...held, { id: `new ${Math.random()}`, text: 'grown' }] },
  'not-empty': { dump: (held) => [{ id: 'old', text: 'from another life' }, ...held] },
}

export default {
  name: 'hostile',
  options: {
    at: { about: 'method', default: '' },
    how: { about: 'manner', default: '' },
    lie: { about: 'lie', default: '' },
  },
  create: async (context, { at, how, lie }) => {
    note(process.pid)
    const own = notebook()
    const memory = {
      ...own,
      settle: async () => {},
      snapshot: async () => own.dump(),
      restore: async () => {},
      answer: async () => ({ text: 'I do not know.' }),
      close: async () => {},
    }
    for (const [method, change] of Object.entries(LIES[lie] ?? {})) {
      const honest = memory[method]
      memory[method] = async (...given) => change(await honest(...given))
    }
    const [manner, besides, honest] = [MANNERS[how], BESIDES[how], memory[at]]
    if (at === 'create') await (manner ?? besides)(context)
    if (honest && manner) memory[at] = manner
    if (honest && besides)
      memory[at] = (...given) => {
        besides(context)
        return honest(...given)
      }
    return memory
  },
}
