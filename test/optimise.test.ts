import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { OptimiseOptions } from '../src/library/optimise-types.js'
import { optimise } from '../src/library.js'
import { defineSystem, type Rehearsal } from '../src/model/index.js'
import { mdFlat } from '../src/systems/md-flat/index.js'
import { mdFlatRehearsal } from '../src/systems/md-flat/rehearsal.js'

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

const home = () => mkdtempSync(join(tmpdir(), 'memscope-optimise-'))
const asked = (obeys: boolean, calls: string[], more: Partial<OptimiseOptions> = {}): OptimiseOptions => ({
  system: defineSystem({ ...mdFlat, name: `md-flat-${obeys ? 'obedient' : 'deaf'}`, rehearsal: player(obeys, calls) }),
  suite: 'meme',
  model: 'rehearsal:demo',
  settings: { filler: 'none' },
  size: 8,
  ...{ train: 2, test: 2, steps: 1, batchSize: 2, candidates: 2, trials: 2 },
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
    await expect(optimise(asked(true, [], { resume: 'other' }))).rejects.toThrow('"other" is not this work')
  })
})
