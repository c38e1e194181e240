import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import type { WrittenSummary as Summary } from '../src/report/summary-json.js'
import { memscope, root, temporaryFolder } from './cli.js'
import { comparable } from './llm.js'
import { HTTP_NOTES, isAlive, NoteServer, STUCK, startMemscope, until } from './outside.js'

const SMALL = ['--suite', 'memfail/long-hop', '--size', '4', '--k', '1,5', '--quiet', '--json', '-']
/** Far below the limit of a call, 120 s, which would end a stuck memory by itself; how soon it is, `npm run attack` measures. */
const HEARD_MS = 60_000
/** Longer than a busy machine takes to start a process. */
const LIMIT_S = '4'

const errorsOf = (out: string) => {
  const { cells } = JSON.parse(out) as Summary
  const own = cells.filter(({ system }) => system === 'stuck')
  return own.map(({ errors, n }) => [errors, n])
}

// Nearly all of it is waiting for limits.
describe.concurrent('a memory that never comes back', () => {
  it.each(['create', 'store', 'dump', 'settle', 'snapshot', 'retrieve', 'restore'])(
    'leaves errors that name %s, and the run goes on',
    async (method) => {
      const args = ['run', '--system', `bm25,${STUCK}`, '--system-timeout', LIMIT_S, ...SMALL]
      const { code, out, err } = await memscope(args, { env: { STUCK_AT: method } })
      expect(err).toContain(`stuck failed on memfail/long-hop: ${method} took longer than ${LIMIT_S} s`)
      for (const [errors, all] of errorsOf(out)) expect(errors).toBe(all)
      const bm25 = (JSON.parse(out) as Summary).cells.filter(({ system }) => system === 'bm25')
      expect(bm25.map(({ errors }) => errors)).toEqual([0, 0])
      expect(code).toBe(3)
    },
  )

  it.each([
    ['hang', `close took longer than ${LIMIT_S} s`],
    ['throw', 'stuck could not be closed after memfail/long-hop: thrown on purpose'],
  ])('is measured all the same, and the run ends, when it cannot be closed (%s)', async (how, said) => {
    const args = ['run', '--system', STUCK, '--system-timeout', LIMIT_S, ...SMALL]
    const { code, out, err } = await memscope(args, { env: { STUCK_AT: 'close', STUCK_HOW: how } })
    expect(err).toContain(said)
    expect(errorsOf(out).map(([errors]) => errors)).toEqual([0, 0])
    expect(code).toBe(0)
  })

  it.each(['spin', 'sleep', 'exit', 'timer'])('is ended, too, when it does %s', async (how) => {
    const args = ['run', '--system', STUCK, '--system-timeout', LIMIT_S, ...SMALL]
    const { out, err } = await memscope(args, { env: { STUCK_AT: 'store', STUCK_HOW: how } })
    const why = {
      spin: 'took longer',
      sleep: 'took longer',
      exit: 'ended (code 7) during store',
      timer: 'nobody awaited',
    }
    expect(err).toContain(why[how as keyof typeof why])
    for (const [errors, all] of errorsOf(out)) expect(errors).toBe(all)
  })

  it('is told by check, whether it hangs in a method or as it is imported', async () => {
    const check = (at: string, how: string) =>
      memscope(['check', STUCK, '--system-timeout', LIMIT_S], { env: { STUCK_AT: at, STUCK_HOW: how } })
    const [hanging, spinning, imported] = await Promise.all([
      check('store', 'hang'),
      check('retrieve', 'spin'),
      check('import', 'spin'),
    ])
    expect(hanging).toMatchObject({ code: 1, out: expect.stringContaining(`store took longer than ${LIMIT_S} s`) })
    expect(spinning).toMatchObject({ code: 1, out: expect.stringContaining(`retrieve took longer than ${LIMIT_S} s`) })
    expect(imported).toMatchObject({
      code: 2,
      err: expect.stringContaining(`Importing it took longer than ${LIMIT_S} s`),
    })
  })
})

describe.concurrent('Ctrl-C while a memory is stuck', () => {
  it.each(['hang', 'spin', 'sleep'])(
    'ends a run at once (%s), and the run goes on as if nothing had been',
    async (how) => {
      const cwd = temporaryFolder()
      const args = ['run', '--system', `bm25,${STUCK}`, ...SMALL]
      const undisturbed = await memscope(args, { cwd: temporaryFolder() })
      const working = startMemscope(
        args.filter((word) => word !== '--quiet'),
        cwd,
        { STUCK_AT: 'dump', STUCK_HOW: how },
      )
      await until(() => working.written().includes('Run '), 'a run that begins')
      await new Promise((resume) => setTimeout(resume, 500))
      const since = performance.now()
      working.child.kill('SIGINT')
      const { code, at } = await working.ended
      expect(code).toBe(130)
      expect(at - since).toBeLessThan(HEARD_MS)
      const resumed = await memscope(['run', '--resume', 'last', '--quiet', '--json', '-'], { cwd })
      expect(comparable(resumed.out)).toEqual(comparable(undisturbed.out))
    },
  )

  it('ends check, and the process of the memory with it', async () => {
    const working = startMemscope(['check', STUCK], temporaryFolder(), { STUCK_AT: 'store', STUCK_HOW: 'spin' })
    const children = async () => {
      const { stdout } = await promisify(execFile)('ps', ['-o', 'pid=', '--ppid', String(working.child.pid)]).catch(
        () => ({ stdout: '' }),
      )
      return stdout
        .split('\n')
        .map(Number)
        .filter((pid) => pid > 0)
    }
    let started: number[] = []
    for (let i = 0; i < 100 && started.length === 0; i++) {
      await new Promise((resume) => setTimeout(resume, 100))
      started = await children()
    }
    expect(started.length).toBeGreaterThan(0)
    const since = performance.now()
    working.child.kill('SIGINT')
    const { code, at } = await working.ended
    expect(code).toBe(130)
    expect(at - since).toBeLessThan(HEARD_MS)
    await until(() => started.every((pid) => !isAlive(pid)), 'the end of the process of the memory')
  })
})

describe('a memory that lives in a server', () => {
  const args = [
    'run',
    '--system',
    HTTP_NOTES,
    '--suite',
    'memfail',
    '--size',
    '6',
    '--k',
    '1,3',
    '--quiet',
    '--json',
    '-',
  ]

  it('gives the same numbers when the run is killed three times and resumed', async () => {
    const server = await NoteServer.open()
    try {
      const undisturbed = await memscope(args, { env: server.env })
      const lives = server.namespaces.size
      const cwd = temporaryFolder()
      let first = true
      for (const [what, times] of [
        ['store', 9],
        ['retrieve', 30],
        ['retrieve', 25],
      ] as const) {
        const so = server.seen[what] ?? 0
        const working = startMemscope(first ? args : ['run', '--resume', 'last', '--quiet'], cwd, server.env)
        server.pids.clear()
        server.onRequest = (asked) => {
          if (asked === what && server.seen[what]! >= so + times) working.child.kill('SIGKILL')
        }
        expect(await working.ended).toMatchObject({ signal: 'SIGKILL' })
        await until(() => [...server.pids].every((pid) => !isAlive(pid)), 'the end of memories whose run was killed')
        first = false
      }
      server.onRequest = () => {}
      const resumed = await memscope(['run', '--resume', 'last', '--quiet', '--json', '-'], { cwd, env: server.env })
      expect(resumed.code).toBe(0)
      expect(comparable(resumed.out)).toEqual(comparable(undisturbed.out))
      // The server still holds what lives that were killed had stored, beside what took their place.
      const filled = [...server.namespaces.values()].slice(lives).filter((notes) => notes.length > 0)
      expect(filled.length).toBeGreaterThan(lives)
      const ids = [...server.namespaces.values()].flat().map(({ id }) => id)
      expect(new Set(ids).size).toBe(ids.length)
    } finally {
      server.close()
    }
  })

  it('is refused when it holds something before it was told anything', async () => {
    const server = await NoteServer.open()
    server.onRequest = (what, { namespace }) => {
      if (what !== 'dump' || server.namespaces.has(namespace)) return
      server.namespaces.set(namespace, [{ id: 'old', text: 'from another life', sources: [] }])
    }
    const { code, err } = await memscope(args, { env: server.env })
    server.close()
    expect(err).toContain('http-notes is not empty before the first store: it holds 1 memories, such as "old"')
    expect(code).toBe(3)
  })

  it('begins its life again, once, when a store fails half-way', async () => {
    const server = await NoteServer.open()
    try {
      const undisturbed = await memscope(args, { env: server.env })
      let failures = 0
      server.onRequest = (what, { id }) => {
        if (what !== 'store' || id === undefined || failures > 0 || (server.seen.store ?? 0) % 17 !== 0) return
        failures++
        throw new Error('no room')
      }
      const { code, out, err } = await memscope(args, { env: server.env })
      expect(failures).toBe(1)
      expect(err).toMatch(/http-notes begins memfail\/\S+ again: \S+ could not be stored: store: 500 no room/)
      expect(code).toBe(0)
      expect(comparable(out)).toEqual(comparable(undisturbed.out))
    } finally {
      server.close()
    }
  })

  it('is worked on by one process at a time, and by the next when that one was killed', async () => {
    const server = await NoteServer.open(20)
    const cwd = temporaryFolder()
    try {
      const first = startMemscope(args, cwd, server.env)
      await until(() => (server.seen.store ?? 0) > 3, 'a run that stores')
      const second = await memscope(['run', '--resume', 'last', '--quiet'], { cwd, env: server.env })
      expect(second.code).toBe(2)
      expect(second.err).toMatch(new RegExp(`is being worked on: by process ${first.child.pid} on \\S+, since 20`))
      first.child.kill('SIGKILL')
      await first.ended
      const third = await memscope(['run', '--resume', 'last', '--quiet'], { cwd, env: server.env })
      expect(third.code).toBe(0)
    } finally {
      server.close()
    }
  })
})

it('a budget holds over processes that share it', async () => {
  const book = join(temporaryFolder(), 'spending.db')
  const spend = () =>
    promisify(execFile)(process.execPath, [
      join(root, 'test/fixtures/outside/spend.mjs'),
      join(root, 'dist'),
      book,
      '0.505',
    ])
  const taken = (await Promise.all([spend(), spend(), spend()])).map(({ stdout }) => Number(stdout))
  const all = taken.reduce((sum, calls) => sum + calls, 0)
  expect(all).toBeLessThanOrEqual(50)
  // Who finds the rest set aside by others stops a little early, never late.
  expect(all).toBeGreaterThanOrEqual(47)
})
