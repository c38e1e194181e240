import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { SPEC } from '../bench/llm-model.js'
import { createLexicalJudge } from '../src/judges/lexical/index.js'
import { chosenEpisodes } from '../src/library/episodes.js'
import type { OptimiseOptions } from '../src/library/optimise-types.js'
import { Parts } from '../src/library/own-parts.js'
import { optimise } from '../src/library.js'
import { defineJudge, defineSystem, type Rehearsal } from '../src/model/index.js'
import { mdFlat } from '../src/systems/md-flat/index.js'
import { mdFlatRehearsal } from '../src/systems/md-flat/rehearsal.js'
import { memscopeHere, temporaryFolder } from './cli.js'

const ADVICE = 'Write down every sentence of the user.'

/** Plays md-flat's model: it writes down one sentence of a conversation, unless it is told to write down all and obeys; and it advises that. */
function player(obeys: boolean, calls: string[]): Rehearsal {
  return async (call) => {
    calls.push(call.step)
    if (call.step === 'advise')
      return {
        json: {
          advice: [
            { prompt: 'ingest', text: ADVICE },
            { prompt: 'none', text: 'x' },
          ],
        },
      }
    const reply = await mdFlatRehearsal(call)
    if (call.step !== 'ingest' || !('calls' in reply) || (obeys && call.prompt.includes(ADVICE))) return reply
    return {
      calls: reply.calls.map(({ name, input }) => {
        const { content, ...rest } = input as { content?: string }
        return { name, input: content === undefined ? rest : { ...rest, content: content.split('\n')[0] } }
      }),
    }
  }
}

/** Judges by words: what these models write down stands word for word in what was said, and no other model has to be opened for every run. */
const words = defineJudge({ name: 'words', create: () => createLexicalJudge() })

const home = () => mkdtempSync(join(tmpdir(), 'memscope-optimise-'))
const asked = (obeys: boolean, calls: string[], more: Partial<OptimiseOptions> = {}): OptimiseOptions => ({
  system: defineSystem({ ...mdFlat, name: `md-flat-${obeys ? 'obedient' : 'deaf'}`, rehearsal: player(obeys, calls) }),
  suite: 'meme',
  model: 'rehearsal:demo',
  judge: words,
  settings: { filler: 'none' },
  size: 8,
  train: 2,
  test: 2,
  steps: 1,
  batchSize: 2,
  candidates: 2,
  trials: 2,
  home: home(),
  ...more,
})

describe('prompts that words are appended to', () => {
  it('are found on train and confirmed on test where a model obeys, and the same call goes on where it stopped', async () => {
    const calls: string[] = []
    const options = asked(true, calls, { out: join(home(), 'better.json') })
    const stop = new AbortController()
    const onProgress = ({ type }: { type: string }) => type === 'measured' && stop.abort()
    await expect(optimise(options, { signal: stop.signal, onProgress })).rejects.toThrow('Stopped')
    const found = await optimise(options)
    expect(found).toMatchObject({ winner: 'step 1, candidate 1', confirmed: true, baseline: { sd: 0 } })
    expect(found.gain).toBeGreaterThan(0.1)
    expect(found.candidates[0]).toMatchObject({ name: 'as it is' })
    expect(found.candidates[1]!.train).toBeGreaterThan(found.candidates[0]!.train)
    expect(found.candidates[2]!.by).toMatch(/^demonstrations of ingest, retrieve/)
    // What was there stands first, unchanged; the words come after it, and the prompt can be used as it is.
    expect(found.prompts).toEqual({ ingest: `${mdFlat.prompts!.ingest}\n\nAdvice: ${ADVICE}` })
    expect(JSON.parse(readFileSync(options.out!, 'utf8'))).toEqual(found.prompts)
    expect(new Set([...found.train, ...found.test].map((id) => id.replace(/\d+/, ''))).size).toBe(2)
    expect(found.train.filter((id) => found.test.includes(id))).toEqual([])
    const before = calls.length
    expect(await optimise(options)).toEqual(found)
    expect(calls.slice(before).every((step) => step === 'advise')).toBe(true)
  })

  it('gain nothing beyond noise where a model does not', async () => {
    const found = await optimise(asked(false, []))
    expect(found).toMatchObject({ winner: 'as it is', gain: 0, confirmed: false, prompts: {} })
    expect(found.candidates.length).toBeGreaterThan(1)
  })

  it('are refused where there are none, and for episodes that are too few, unknown, or on both sides', async () => {
    await expect(optimise(asked(true, [], { system: 'bm25' }))).rejects.toThrow('has no prompts')
    await expect(optimise(asked(true, [], { train: 7 }))).rejects.toThrow('There are 8 episodes, too few for 7')
    const both = { train: ['meme/pl_000'], test: ['meme/pl_000'] }
    await expect(optimise(asked(true, [], both))).rejects.toThrow('cannot be trained on and tested on')
    await expect(optimise(asked(true, [], { train: ['nobody'] }))).rejects.toThrow('episode')
    const { train: _train, test: _test, ...usual } = asked(true, [])
    await expect(optimise(usual)).rejects.toThrow('There are 8 episodes, too few for 10 to train on and 10 others.')
    await expect(optimise(asked(true, [], { resume: 'other' }))).rejects.toThrow('"other" is not this work')
    await expect(optimise(asked(true, [], { trials: 1 }))).rejects.toThrow('--trials to be a whole number from 2')
  })

  it('are those that were given, where some were: words come after them, and an adviser sees what was appended before', async () => {
    const advised: string[] = []
    const playing = player(true, [])
    const rehearsal: Rehearsal = (call) => {
      if (call.step === 'advise') advised.push(call.request.messages.at(-1)!.content)
      return playing(call)
    }
    const memory = defineSystem({ ...mdFlat, name: 'md-flat-given', rehearsal })
    const given = `Be careful. ${mdFlat.prompts!.ingest}`
    const file = join(home(), 'given.json')
    writeFileSync(file, JSON.stringify({ ingest: given }))
    const system = `md-flat-given:prompts=${file}`
    const found = await optimise(asked(true, [], { system, parts: [memory], steps: 2 }))
    expect(found).toMatchObject({ winner: 'step 1, candidate 1', confirmed: true })
    expect(found.prompts).toEqual({ ...mdFlat.prompts, ingest: `${given}\n\nAdvice: ${ADVICE}` })
    expect(advised.map((shown) => [shown.includes(given), shown.includes(ADVICE)])).toEqual([
      [true, false],
      [true, true],
    ])
  })

  it('are looked for in two steps of four candidates unless told, half of them with advice', async () => {
    const { steps: _steps, candidates: _candidates, ...usual } = asked(true, [])
    const { candidates } = await optimise(usual)
    const made = candidates.map(({ name, by }) => `${name}: ${by.split(' ')[0]}`)
    expect(made).toContain('step 1, candidate 1: advice')
    expect(made.filter((name) => name.startsWith('step 2')).length).toBeGreaterThan(0)
    expect(made.some((name) => name.startsWith('step 3') || name.includes('candidate 5'))).toBe(false)
  })

  it('are trained and tested on the same episodes of every domain, by the seed alone', async () => {
    const options = { ...asked(true, []), size: 'paper' as const }
    const drawn = (seed: number) => chosenEpisodes(options, { train: 10, test: 10, seed }, new Parts(undefined))
    const { train, test } = await drawn(7)
    const domains = Array.from({ length: 10 }, (_, i) => (i % 2 ? 'meme/sw' : 'meme/pl'))
    for (const ids of [train, test]) expect(ids.map((id) => id.replace(/_\d+/, ''))).toEqual(domains)
    expect(await drawn(7)).toEqual({ train, test })
    expect((await drawn(8)).train).not.toEqual(train)
    expect(train.slice(0, 4)).toEqual(['meme/pl_011', 'meme/sw_014', 'meme/pl_014', 'meme/sw_028'])
    const short = { ...options, train: ['pl_011'], test: ['meme/pl_011'] }
    await expect(chosenEpisodes(short, { train: 1, test: 1, seed: 7 }, new Parts(undefined))).rejects.toThrow(
      'meme/pl_011 cannot be trained on and tested on',
    )
  })

  it('have no advice of a model that calls tools where there are none, and go on', async () => {
    const told: unknown[] = []
    const found = await optimise(
      { ...asked(true, []), system: 'md-flat' },
      { onProgress: (event) => void told.push(event) },
    )
    expect(found.candidates.map(({ by }) => by.split(' ')[0])).toEqual(['nothing', 'demonstrations'])
    expect(JSON.stringify(told)).toContain('no advice was had')
  })

  it('cost no more than the budget, in all that is asked, and a larger one goes on', async () => {
    let calls = 0
    const said = { facts: ['The user likes tea.'], memory: [], advice: [{ prompt: 'extract', text: 'Keep it all.' }] }
    const server = createServer((request, response) => {
      request.resume().on('end', () => {
        calls++
        const message = { role: 'assistant', content: JSON.stringify(said) }
        const usage = { prompt_tokens: 1000, completion_tokens: 1000, total_tokens: 2000 }
        response.setHeader('content-type', 'application/json')
        response.end(
          JSON.stringify({
            id: 'x',
            object: 'chat.completion',
            created: 0,
            model: 'm',
            choices: [{ index: 0, message, finish_reason: 'stop' }],
            usage,
          }),
        )
      })
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    const cwd = temporaryFolder()
    writeFileSync(join(cwd, 'prices.json'), JSON.stringify({ [SPEC]: { input: 10, output: 10, maxOutput: 2000 } }))
    const env = { MEMSCOPE_OPENAI_COMPATIBLE_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` }
    const play = (budget: string) =>
      memscopeHere(
        [
          ...['optimise', '--system', 'mem0-v1', '--suite', 'meme', '--model', SPEC, '--filler', 'none', '--size', '8'],
          ...['--train', '1', '--test', '1', '--steps', '1', '--candidates', '2', '--trials', '2', '--budget', budget],
          ...['--prices', 'prices.json', '--quiet', '--json', '-'],
        ],
        { cwd, env },
      )
    const stopped = await play('0.2')
    expect(stopped.err).toContain('is spent')
    expect(stopped.code).toBe(3)
    const before = calls
    expect(before).toBeGreaterThan(0)
    expect(before * 0.02).toBeLessThanOrEqual(0.2)
    const { code, out, err } = await play('50')
    expect([code, err]).toEqual([0, ''])
    expect(calls).toBeGreaterThan(before)
    expect(JSON.parse(out)).toMatchObject({ system: 'mem0-v1', confirmed: false })
    server.close()
  })
})
