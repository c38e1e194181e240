import { spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { ask, Harness, SPEC } from '../../../test/gateway/harness.js'
import { UserError } from '../../base/errors.js'
import type { Llm } from '../../model/index.js'
import { createGateway } from '../gateway.js'
import type { ScriptedOptions } from '../scripted/index.js'

const running: Harness[] = []
const start = async (options: Partial<ScriptedOptions> = {}) => {
  const harness = await Harness.start({ rules: [], otherwise: ({ number, last }) => `${last} #${number}`, ...options })
  running.push(harness)
  return harness
}
afterEach(async () => {
  for (const harness of running.splice(0)) await harness.close()
})

const say = (llm: Llm, content: string, trial = 0, signal?: AbortSignal) =>
  llm.generate({ messages: ask(content) }, { role: 'answer', trial, ...(signal && { signal }) })

describe('the cache of replies', () => {
  it('keeps replies apart by trial, content, settings and model', async () => {
    const harness = await start()
    const llm = harness.open().llm(SPEC)
    const first = await say(llm, 'a')
    expect(await say(llm, 'a')).toEqual({ ...first, cached: true })
    expect((await say(llm, 'a', 1)).text).not.toBe(first.text)
    expect((await say(llm, 'b')).cached).toBe(false)
    const warm = await llm.generate({ messages: ask('a'), temperature: 1 }, { role: 'answer' })
    expect(warm.cached).toBe(false)
    const schema = z.object({ a: z.string() })
    await llm.generate({ messages: ask('a'), schema }, { role: 'answer' }).catch(() => {})
    const other = await say(harness.open().llm('openai-compatible:other'), 'a')
    expect(other.cached).toBe(false)
  })

  it('outlives the gateway, and a server that moved', async () => {
    const harness = await start()
    const gateway = harness.open()
    const first = await say(gateway.llm(SPEC), 'a\0b')
    const moved = { MEMSCOPE_OPENAI_COMPATIBLE_BASE_URL: 'http://127.0.0.1:9/v1' }
    const again = harness.open({ env: moved })
    expect(await say(again.llm(SPEC), 'a\0b')).toEqual({ ...first, cached: true })
    const { total } = again.usage()
    expect(total.usage).toEqual(gateway.usage().total.usage)
    expect(total).toMatchObject({ calls: 1, paid: { calls: 0, usage: { input: 0, output: 0 } } })
  })

  it('asks once for what several want at the same time', async () => {
    const harness = await start({ latencyMs: 30 })
    const gateway = harness.open()
    const llm = gateway.llm(SPEC)
    const replies = await Promise.all(Array.from({ length: 20 }, () => say(llm, 'same')))
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
    expect(harness.model.stats.calls).toBe(1)
    expect(replies.filter(({ cached }) => !cached)).toHaveLength(1)
    expect(gateway.usage().total).toMatchObject({ calls: 20, paid: { calls: 1 } })
  })

  it('goes on for the others when one of them leaves, and stops when all have left', async () => {
    const otherwise: ScriptedOptions['otherwise'] = ({ number, last }) =>
      number === 2 ? new Promise<never>(() => {}) : `${last} #${number}`
    const harness = await start({ otherwise })
    const llm = harness.open().llm(SPEC)
    const [leaver, first, second] = [new AbortController(), new AbortController(), new AbortController()]
    const left = say(llm, 'shared', 0, leaver.signal)
    const stayed = say(llm, 'shared')
    leaver.abort()
    await expect(left).rejects.toMatchObject({ code: 'aborted' })
    expect((await stayed).text).toBe('shared #1')
    const both = [say(llm, 'dropped', 0, first.signal), say(llm, 'dropped', 0, second.signal)]
    await vi.waitUntil(() => harness.model.stats.calls === 2, { timeout: 60_000 })
    first.abort()
    second.abort()
    for (const call of both) await expect(call).rejects.toMatchObject({ code: 'aborted' })
    expect((await say(llm, 'dropped')).text).toBe('dropped #3')
  })

  it('serves many callers who share one signal, without a warning', async () => {
    const harness = await start()
    const warnings: string[] = []
    const warned = (warning: Error) => warnings.push(warning.name)
    process.on('warning', warned)
    const llm = harness.open().llm(SPEC)
    const { signal } = new AbortController()
    await Promise.all(Array.from({ length: 50 }, (_, i) => say(llm, `shared ${i}`, 0, signal)))
    await new Promise((resolve) => setTimeout(resolve, 10))
    process.off('warning', warned)
    expect(warnings).toEqual([])
  })

  it('says what to do when its file is not a cache', async () => {
    const harness = await start()
    const cacheDir = harness.folder
    writeFileSync(join(cacheDir, 'replies.db'), 'x'.repeat(5000))
    expect(() => createGateway({ env: {}, cacheDir })).toThrow(UserError)
  })

  it('loses nothing that was returned when the process is killed', async () => {
    const harness = await start({ latencyMs: 5 })
    const cacheDir = join(harness.folder, 'killed')
    const returned = await callUntilKilled(cacheDir, harness.env, 40)
    expect(returned.length).toBeGreaterThanOrEqual(40)
    const paid = harness.model.stats.calls
    const gateway = harness.open({ cacheDir })
    for (const { content, text } of returned) {
      expect(await say(gateway.llm(SPEC), content)).toMatchObject({ text, cached: true })
    }
    expect(harness.model.stats.calls).toBe(paid)
  })
})

describe('cassettes', () => {
  const script: Partial<ScriptedOptions> = {
    rules: [
      { when: { schema: 'n' }, reply: ({ number }) => (number % 2 ? 'not JSON' : { json: { n: number } }) },
      { when: { tool: true }, reply: { toolCalls: [{ name: 'look', input: { at: 1 } }] } },
    ],
  }
  const work = async (llm: Llm) => [
    await say(llm, 'hello'),
    await say(llm, 'hello', 1),
    await llm.generate({ messages: ask('n?'), schema: z.object({ n: z.number() }) }, { role: 'judge', label: 'the n' }),
    await llm.generate(
      { messages: ask('look'), tools: [{ name: 'look', parameters: { type: 'object' } }] },
      { role: 'retrieve' },
    ),
  ]

  it('replay what was recorded, without a key and without a network', async () => {
    const harness = await start(script)
    const cassette = join(harness.folder, 'tape.jsonl')
    const recording = harness.open({ mode: 'record', cassette })
    const recorded = await work(recording.llm(SPEC))
    const usage = recording.usage()
    await recording.close()
    const calls = harness.model.stats.calls
    const replaying = createGateway({ env: {}, cacheDir: null, mode: 'replay', cassette })
    const replayed = await work(replaying.llm(SPEC))
    expect(replayed).toEqual(recorded.map((reply) => ({ ...reply, cached: true })))
    expect(harness.model.stats.calls).toBe(calls)
    expect(replaying.usage().total.usage).toEqual(usage.total.usage)
    expect(replaying.usage().total.paid.calls).toBe(0)
  })

  it('are readable, sorted, and the same when recorded again from the cache', async () => {
    const harness = await start(script)
    const tapes = ['one.jsonl', 'two.jsonl'].map((name) => join(harness.folder, name))
    for (const cassette of tapes) {
      const gateway = harness.open({ mode: 'record', cassette })
      await work(gateway.llm(SPEC))
      await gateway.close()
    }
    const [one, two] = tapes.map((tape) => readFileSync(tape, 'utf8'))
    expect(two).toBe(one)
    const lines = one!
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { key: string; label?: string })
    expect(lines).toHaveLength(5)
    expect(lines.map(({ key }) => key)).toEqual(lines.map(({ key }) => key).sort())
    expect(one).toContain('"content":"hello"')
    expect(lines.some(({ label }) => label === 'the n')).toBe(true)
  })

  it('refuse what was not recorded and name it', async () => {
    const harness = await start(script)
    const cassette = join(harness.folder, 'tape.jsonl')
    const recording = harness.open({ mode: 'record', cassette })
    await say(recording.llm(SPEC), 'hello')
    await recording.close()
    const replaying = harness.open({ mode: 'replay', cassette })
    const miss = replaying
      .llm(SPEC)
      .generate({ messages: ask('something new') }, { role: 'answer', label: 'question 3' })
    await expect(miss).rejects.toMatchObject({ code: 'not_recorded' })
    await expect(miss).rejects.toThrow(
      /"question 3" is not on the cassette \(trial 0, key \w{12}, ends in "something new"\)/,
    )
    await expect(say(replaying.llm(SPEC), 'hello', 7)).rejects.toMatchObject({ code: 'not_recorded' })
    expect(harness.model.stats.calls).toBe(1)
  })

  it('go on after a kill in the middle of a line, and refuse lines that are none', async () => {
    const harness = await start(script)
    const cassette = join(harness.folder, 'tape.jsonl')
    const first = harness.open({ mode: 'record', cassette })
    await say(first.llm(SPEC), 'hello')
    await first.close()
    writeFileSync(cassette, `${readFileSync(cassette, 'utf8')}{"v":1,"kind":"ch`)
    const second = harness.open({ mode: 'record', cassette, cacheDir: null })
    expect((await say(second.llm(SPEC), 'hello')).cached).toBe(true)
    await say(second.llm(SPEC), 'more')
    await second.close()
    expect(readFileSync(cassette, 'utf8').trim().split('\n')).toHaveLength(2)
    writeFileSync(cassette, '{"v":2}\n')
    expect(() => harness.open({ mode: 'replay', cassette })).toThrow('tape.jsonl:1 is not a line of a cassette')
    expect(existsSync(`${cassette}.tmp`)).toBe(false)
    expect(() => harness.open({ mode: 'replay', cassette: join(harness.folder, 'none.jsonl') })).toThrow(UserError)
    expect(() => harness.open({ mode: 'replay' })).toThrow(UserError)
  })
})

/** Another process that makes calls, eight at a time, and says what it got, until it is killed. */
function callUntilKilled(
  cacheDir: string,
  env: Record<string, string>,
  after: number,
): Promise<{ content: string; text: string }[]> {
  const gateway = fileURLToPath(new URL('../gateway.ts', import.meta.url))
  const script = join(cacheDir, '..', 'caller.ts')
  writeFileSync(
    script,
    `import { writeSync } from 'node:fs'
     import { createGateway } from ${JSON.stringify(gateway)}
     const llm = createGateway({ env: ${JSON.stringify(env)}, cacheDir: ${JSON.stringify(cacheDir)} }).llm(${JSON.stringify(SPEC)})
     const worker = async (name) => {
       for (let i = 0; ; i++) {
         const content = name + ' ' + i
         const { text } = await llm.generate({ messages: [{ role: 'user', content }] }, { role: 'answer' })
         writeSync(1, JSON.stringify({ content, text }) + '\\n')
       }
     }
     for (let i = 0; i < 8; i++) worker('worker ' + i)`,
  )
  const jiti = fileURLToPath(new URL('../../../node_modules/jiti/lib/jiti-cli.mjs', import.meta.url))
  const child = spawn(process.execPath, [jiti, script], { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  return new Promise((resolve) => {
    child.stdout.on('data', (data) => {
      output += data
      if (output.split('\n').length > after) child.kill('SIGKILL')
    })
    child.on('close', () => {
      const whole = output.slice(0, output.lastIndexOf('\n')).split('\n')
      resolve(whole.map((line) => JSON.parse(line)))
    })
  })
}
