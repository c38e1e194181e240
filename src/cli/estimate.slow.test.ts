import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { UserError } from '../base/errors.js'
import { PRESETS } from '../gateway/index.js'
import type { CountedCalls } from '../library/call-counter.js'
import { callsMs } from '../library/forecast.js'
import { databaseBytes } from '../store/sqlite-database.js'
import { readArgs } from './args.js'
import { data } from './data.js'
import { run } from './run.js'

const SMALL = ['--suite', 'memfail/long-hop', '--size', '4', '--system', 'bm25']

let said = ''

beforeEach(() => {
  said = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    said += String(text)
    return true
  })
  for (const { keyEnv } of Object.values(PRESETS)) if (keyEnv !== undefined) vi.stubEnv(keyEnv, '')
})

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

/** What an estimate says. */
async function estimated(...args: string[]): Promise<string> {
  said = ''
  const home = join(mkdtempSync(join(tmpdir(), 'memscope-test-')), 'home')
  expect(await run.run(readArgs(run, [...SMALL, '--estimate', '--home', home, ...args]))).toBe(0)
  expect(existsSync(join(home, 'memscope.db'))).toBe(false)
  return said
}

/** Calls of readers and judges together. */
function callsIn(text: string): number {
  const lines = [...text.matchAll(/^(?:Readers|Judges): about ([\d,]+) calls/gm)]
  return lines.reduce((sum, [, calls]) => sum + Number(calls!.replaceAll(',', '')), 0)
}

describe('--estimate', () => {
  it('halves what goes out in batches where the provider has them, and names the date of its prices', async () => {
    const dollars = async (reader: string, ...more: string[]) => {
      const text = await estimated('--reader', reader, '--seed', '3', ...more)
      expect(text).toMatch(/USD by the price table of \d{4}-\d\d-\d\d/)
      return [...text.matchAll(/\$(\d+\.\d+)/g)].map(([, usd]) => Number(usd))
    }
    const [full, half] = [await dollars('openai:gpt-5.2'), await dollars('openai:gpt-5.2', '--batch')]
    expect(half.length).toBe(full.length)
    for (const [i, usd] of half.entries()) expect(Math.abs(2 * usd - full[i]!)).toBeLessThanOrEqual(0.02)
    expect(await dollars('google:gemini-2.5-flash', '--batch')).toEqual(await dollars('google:gemini-2.5-flash'))
  })

  it('needs no key and no base URL, whatever is to be asked', async () => {
    const paid = await estimated('--reader', 'openai:gpt-5-mini', '--judge', 'hybrid:anthropic:claude-haiku-4.5')
    expect(paid).toMatch(/^Readers: about [\d,]+ calls, about [\d,]+ tokens in, .* out, .*\$\d+\.\d\d\.\n/)
    expect(paid).toContain('Assumed: answers of 20 to 150 tokens')
    expect(await estimated('--reader', 'openai-compatible:mine')).toMatch(/price unknown for openai-compatible:mine/)
  })

  it('makes no call, not even for vectors', async () => {
    let connections = 0
    const server = createServer(() => connections++)
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const { port } = server.address() as AddressInfo
    vi.stubEnv('MEMSCOPE_OPENAI_COMPATIBLE_BASE_URL', `http://127.0.0.1:${port}/v1`)
    const mine = 'openai-compatible:mine'
    expect(callsIn(await estimated('--reader', mine, '--judge', `llm:${mine}`, '--embedder', mine))).toBeGreaterThan(0)
    expect(connections).toBe(0)
    server.close()
  })

  it('counts every reader, every judge of a panel, and facts without any reader', async () => {
    const [a, b] = ['openai:gpt-5-mini', 'openai:gpt-5-nano']
    const facts = callsIn(await estimated('--judge', `llm:${a}`))
    expect(facts).toBeGreaterThan(0)
    const one = callsIn(await estimated('--reader', a, '--judge', `llm:${a}`))
    const two = callsIn(await estimated('--reader', `${a},${b}`, '--judge', `llm:${a}`))
    expect(two - one).toBe(one - facts)
    const answers = callsIn(await estimated('--reader', a))
    const panel = callsIn(await estimated('--reader', a, '--judge', `panel:${a},${b},lexical`))
    expect(panel - answers).toBe(2 * (one - answers))
  })

  it('counts judges of facts and of answers apart', async () => {
    const [a, b] = ['openai:gpt-5-mini', 'openai:gpt-5-nano']
    // Letters of options need no judge; these answers do.
    const read = ['--reader', a, '--suite', 'memfail/coexisting']
    const none = callsIn(await estimated(...read))
    const both = callsIn(await estimated(...read, '--judge', `llm:${a}`))
    const facts = callsIn(await estimated(...read, '--fact-judge', `llm:${a}`))
    const answers = callsIn(await estimated(...read, '--answer-judge', `llm:${a}`))
    expect(facts).toBeGreaterThan(none)
    expect(answers).toBeGreaterThan(none)
    expect(answers - none).toBe(both - facts)
    const panel = callsIn(await estimated(...read, '--fact-judge', `llm:${a}`, '--answer-judge', `panel:${a},${b}`))
    expect(panel - facts).toBe(2 * (answers - none))
  })

  it('plays what is asked of models inside, and gives a range where their replies are not known', async () => {
    const inside = async (model: string) => {
      const text = await estimated('--system', 'mem0-v1', '--model', model, '--reader', 'openai:gpt-5-mini')
      return text.slice(text.indexOf('mem0-v1 @'))
    }
    expect(await inside('rehearsal:demo')).toMatch(
      /^mem0-v1 @ rehearsal:demo: about \d+ calls .* about [\d,]+ tokens in/,
    )
    const real = await inside('openai:gpt-5-mini')
    expect(real).toMatch(/: about \d+ calls \(about \d+ to store, about 0 to retrieve\), [\d,]+ to [\d,]+ tokens in/)
    expect(real).toContain('will say is not known: tokens are from 0.5 to 2 times those of the rehearsal')
  })

  it('plays some of many lives, and says so', async () => {
    const many = ['--suite', 'meme', '--filler', 'none', '--reader', 'openai:gpt-5-mini', '--size']
    const [some, all] = [await estimated(...many, '14'), await estimated(...many, '6')]
    expect(some).toContain('Played: 6 of 14 lives of meme')
    expect(all).not.toContain('Played:')
    expect(callsIn(some) / callsIn(all)).toBeCloseTo(14 / 6, 1)
  })

  it('counts the texts that are then embedded, and the bytes that are then written', async () => {
    vi.stubEnv('MEMSCOPE_CACHE', '')
    const home = join(mkdtempSync(join(tmpdir(), 'memscope-test-')), 'home')
    const rows = join(home, '..', 'rows')
    const generated = ['generate', '--suite', 'memfail/long-hop', '--n', '4', '--seed', '7', '--out', rows]
    expect(await data.run(readArgs(data, generated))).toBe(0)
    const what = ['--suite', 'memfail/long-hop', '--data', rows, '--system', 'dense,bm25', '--k', '5']
    const out = join(rows, 'out.json')
    const json = async (...more: string[]) => {
      const args = [...what, '--home', home, '--json', out, '--quiet', ...more]
      expect(await run.run(readArgs(run, args))).toBe(0)
      return JSON.parse(readFileSync(out, 'utf8'))
    }
    const told = await json('--estimate')
    const { timing } = await json()
    expect(told.texts).toBeGreaterThan(0)
    expect(told.texts).toBe(timing.embeddedTexts)
    const stored = databaseBytes(join(home, 'memscope.db'))
    const vectors = readdirSync(join(home, 'cache')).map((file) => statSync(join(home, 'cache', file)).size)
    const bytes = vectors.reduce((sum, size) => sum + size, stored)
    expect(told.bytes / bytes).toBeGreaterThan(0.5)
    expect(told.bytes / bytes).toBeLessThan(2)
    // What is kept need not be computed again, and the store alone is told as well.
    const again = await json('--estimate')
    expect(again.texts).toBe(0)
    expect(again.bytes / stored).toBeGreaterThan(0.5)
    expect(again.bytes / stored).toBeLessThan(2)
  })

  it('tells a time that shrinks with concurrency and grows with calls', () => {
    const span = (n: number) => ({ low: n, high: 2 * n })
    const calls = (role: 'ingest' | 'answer', n: number): CountedCalls[] => [
      { role, model: 'm', subject: null, calls: span(n), input: span(0), output: span(0) },
    ]
    const pace = { lives: 4, calls: 16 }
    expect(callsMs(calls('answer', 160), pace)).toEqual({ low: 20_000, high: 40_000 })
    expect(callsMs(calls('ingest', 160), pace)).toEqual({ low: 80_000, high: 160_000 })
    expect(callsMs(calls('answer', 160), { ...pace, calls: 32 }).low).toBe(10_000)
    expect(callsMs([...calls('answer', 160), ...calls('ingest', 160)], pace).low).toBe(100_000)
    expect(callsMs([], pace)).toEqual({ low: 0, high: 0 })
  })

  it('says so when nothing is paid, and still knows mistakes', async () => {
    expect(await estimated()).toMatch(
      /^No model is asked: nothing to pay\.\nTime: about \d+ s; disk: about [\d.]+ MB; 0 texts/,
    )
    await expect(estimated('--reader', 'opnai:gpt-5')).rejects.toThrow(UserError)
    const resumed = run.run(readArgs(run, ['--estimate', '--resume', 'last']))
    await expect(resumed).rejects.toThrow('--estimate is for runs that have not begun')
  })
})
