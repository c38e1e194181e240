import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { hangsEnd } from '../../../test/gateway/hangs.js'
import { Harness, PLANTED } from '../../../test/gateway/harness.js'
import { createGateway } from '../gateway.js'
import { FAULTS, type ScriptedOptions } from '../scripted/index.js'

const EMBED = 'openai-compatible:embed'
const running: Harness[] = []
const start = async (options: Partial<ScriptedOptions> = {}) => {
  const harness = await Harness.start({ rules: [], dimensions: 16, ...options })
  running.push(harness)
  return harness
}
afterEach(async () => {
  for (const harness of running.splice(0)) await harness.close()
})

const texts = Array.from({ length: 150 }, (_, i) => `text number ${i}`)

describe('a remote embedder', () => {
  it('embeds in batches, each text once, to unit length, and keeps what it got', async () => {
    const harness = await start()
    const gateway = harness.open()
    const embedder = await gateway.embedder(EMBED)
    expect(embedder).toMatchObject({ id: 'openai-compatible:embed/d16', dimensions: 16 })
    const vectors = await embedder.embed([...texts, texts[0]!, ''])
    expect(vectors).toHaveLength(152)
    expect(vectors[150]).toEqual(vectors[0])
    for (const vector of vectors) expect(Math.hypot(...vector)).toBeCloseTo(1, 5)
    // One for the length, then 151 distinct texts in batches of 64.
    expect(harness.model.stats.calls).toBe(4)
    const again = harness.open()
    expect(await (await again.embedder(EMBED)).embed(texts)).toEqual(vectors.slice(0, 150))
    expect(harness.model.stats.calls).toBe(4)
    expect(again.usage().total.paid.calls).toBe(0)
    expect(again.usage().lines[0]).toMatchObject({ role: 'ingest', model: EMBED, calls: 3 })
    expect(again.usage().lines[0]!.usage.input).toBeGreaterThan(300)
  })

  it('asks once for texts that several want at the same time', async () => {
    const harness = await start({ latencyMs: 20 })
    const embedder = await harness.open().embedder(EMBED, { dimensions: 16, role: 'retrieve' })
    const [a, b] = await Promise.all([embedder.embed(['x', 'y']), embedder.embed(['y', 'z'])])
    expect(a[1]).toEqual(b[0])
    expect(harness.model.requests.map(({ request }) => request)).toEqual([{ texts: ['x', 'y'] }, { texts: ['z'] }])
  })

  it('asks for vectors of a length, and puts words before texts by what they are for', async () => {
    const harness = await start({ dimensions: 8 })
    const asked = { dimensions: 8, prefixes: { query: 'find: ', document: 'text: ' } }
    const embedder = await harness.open().embedder(EMBED, asked)
    expect(embedder.id).not.toBe((await harness.open().embedder(EMBED, { dimensions: 8 })).id)
    const [document] = await embedder.embed(['x'])
    const [query] = await embedder.embed(['x'], 'query')
    expect(document).toHaveLength(8)
    expect(query).not.toEqual(document)
    const sent = harness.model.requests.map(({ request }) => request)
    expect(sent).toMatchObject([{ texts: ['text: x'] }, { texts: ['find: x'] }])
  })

  it('is the same through faults', async () => {
    const [calm, stormy] = [await start(), await start({ faults: { rate: 0.6, seed: 3, slowMs: 5 } })]
    const embed = async (harness: Harness) => {
      const gateway = harness.open({ clock: hangsEnd(harness.model), deadlines: { attempts: 40 } })
      return (await gateway.embedder(EMBED, { batch: 4 })).embed(texts)
    }
    expect(await embed(stormy)).toEqual(await embed(calm))
    expect(Object.keys(stormy.model.stats.faults).sort()).toEqual([...FAULTS].sort())
  })

  it('is recorded and replayed, and refuses what is not on the cassette', async () => {
    const harness = await start()
    const cassette = join(harness.folder, 'tape.jsonl')
    const recording = harness.open({ mode: 'record', cassette })
    const vectors = await (await recording.embedder(EMBED)).embed(texts)
    await recording.close()
    const replaying = createGateway({ env: {}, cacheDir: null, mode: 'replay', cassette })
    const embedder = await replaying.embedder(EMBED)
    expect(await embedder.embed(texts)).toEqual(vectors)
    await expect(embedder.embed(['never seen'])).rejects.toMatchObject({ code: 'not_recorded' })
    await expect(replaying.embedder('openai-compatible:other')).rejects.toMatchObject({ code: 'not_recorded' })
  })

  it('keeps within the budget, and says when the length is not the one given', async () => {
    const harness = await start()
    const prices = { [EMBED]: { input: 1000, output: 0, dimensions: 16 } }
    const poor = await harness.open({ prices, budgetUsd: 0.01 }).embedder(EMBED)
    await expect(poor.embed(texts)).rejects.toMatchObject({ code: 'budget' })
    expect(harness.model.stats.calls).toBe(0)
    const wrong = await harness.open().embedder(EMBED, { dimensions: 5 })
    await expect(wrong.embed(['x'])).rejects.toThrow('vectors of length 16, not 5')
    expect(JSON.stringify(harness.logs)).not.toContain(PLANTED)
  })
})
