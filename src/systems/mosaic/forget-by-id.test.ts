import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hashEmbedder } from '../hash-embedder.js'
import { Mosaic } from './mosaic.js'

/** A memory in a folder that was told things, a conversation each. */
async function told(folder: string, texts: readonly string[]): Promise<Mosaic> {
  const memory = new Mosaic({ embed: hashEmbedder(512), folder })
  for (const [i, text] of texts.entries())
    await memory.store({ id: `c${i}`, time: `2026-03-0${i + 1}T09:00:00Z`, turns: [{ role: 'user', text }] })
  return memory
}

describe('a request that is not understood', () => {
  const texts = ['I play bowls.', 'My cat is called Zorblax.', 'Kindly forget my sport altogether.']

  it('is listed with what comes nearest to it, and stays as it was said', async () => {
    const memory = await told(mkdtempSync(join(tmpdir(), 'mosaic-')), texts)
    const [open, ...others] = await memory.openRequests()
    expect(others).toEqual([])
    expect(open!.request).toMatchObject({ id: 'c2#0', text: texts[2] })
    expect(open!.nearest.map(({ text }) => text).toSorted()).toEqual(texts.slice(0, 2).toSorted())
  })

  it('is followed once somebody says what is meant: nothing of it is left in the file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mosaic-'))
    const memory = await told(folder, [...texts, 'I mended the fence.'])
    await memory.forget(['c0#0'], 'c2#0')
    const kept = await memory.dump()
    expect(kept.map(({ text }) => text)).toEqual([
      texts[1],
      'The user asked on 2026-03-03 to forget this: sport. It was taken out.',
      'I mended the fence.',
    ])
    expect(kept[1]!.status).toBe('tombstone')
    expect(await memory.openRequests()).toEqual([])
    expect(readFileSync(join(folder, 'notes.jsonl'), 'utf8')).not.toMatch(/bowls/)
    const again = new Mosaic({ embed: hashEmbedder(512), folder })
    expect(await again.dump()).toEqual(kept)
    expect(await again.openRequests()).toEqual([])
  })
})

describe('forgetting by id', () => {
  it('takes out notes, and what they say is something wherever else it stands', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mosaic-'))
    const memory = await told(folder, ['My pin is 4471.', 'I typed 4471 twice.', 'I like figs.'])
    await memory.forget(['c0#0'])
    expect((await memory.dump()).map(({ text }) => text)).toEqual([
      'What was told here was taken out.',
      'I typed [forgotten] twice.',
      'I like figs.',
    ])
    expect(readFileSync(join(folder, 'notes.jsonl'), 'utf8')).not.toMatch(/4471/)
  })

  it('of what is not there says so and changes nothing', async () => {
    const memory = await told(mkdtempSync(join(tmpdir(), 'mosaic-')), ['I like figs.'])
    await expect(memory.forget(['c7#0'])).rejects.toThrow('There is no note c7#0.')
    await expect(memory.forget(['c0#0'], 'c9#0')).rejects.toThrow('There is no note')
    expect((await memory.dump()).map(({ text }) => text)).toEqual(['I like figs.'])
  })
})

const home = () => mkdtempSync(join(tmpdir(), 'mosaic-'))

describe('what somebody points at', () => {
  it('goes whole, whatever signs and lines it has', async () => {
    const folder = home()
    const memory = await told(folder, ['Settings:\n{\n  "door": {"pin": "hunter8802"}\n}', 'Max\nMax has PIN 4471'])
    await memory.forget(['c0#0', 'c1#0'])
    expect(readFileSync(join(folder, 'notes.jsonl'), 'utf8')).not.toMatch(/hunter8802|4471/)
  })

  it('goes where it was told after the request, too', async () => {
    const memory = await told(home(), ['Kindly forget my sport altogether.', 'I play bowls.'])
    await memory.forget(['c1#0'], 'c0#0')
    expect((await memory.dump()).map(({ text }) => text).join()).not.toMatch(/bowls/)
  })

  it('is no open request any more', async () => {
    const memory = await told(home(), [
      'I play bowls.',
      'My cat is called Zorblax.',
      'Kindly forget my sport altogether.',
    ])
    expect(await memory.openRequests()).toHaveLength(1)
    await memory.forget(['c2#0'])
    expect(await memory.openRequests()).toEqual([])
  })
})

describe('an open request', () => {
  it('stays open when the folder is opened again, whatever was told since', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mosaic-'))
    const texts = [
      'My kayak needs paint.',
      'My kayak needs tape.',
      'My kayak needs rope.',
      'Please forget my blue kayak.',
    ]
    const memory = await told(folder, texts)
    expect(await memory.openRequests()).toHaveLength(1)
    for (let i = 0; i < 60; i++)
      await memory.store({
        id: `n${i}`,
        time: '2026-04-01',
        turns: [{ role: 'user', text: `My blue thing ${i} is here.` }],
      })
    const again = new Mosaic({ embed: hashEmbedder(512), folder })
    expect((await again.openRequests()).map(({ request }) => request.id)).toEqual(['c3#0'])
    expect((await again.dump()).map(({ text }) => text)).toEqual(expect.arrayContaining(texts))
  })
})

describe('forgetting', () => {
  it('takes out a statement with its title, and a value that the request says', async () => {
    const titled = await told(home(), ['My locker\nMy locker code is 8802', 'Please forget my locker.'])
    expect((await titled.dump()).map(({ text }) => text).join()).not.toContain('8802')
    const repeated = await told(home(), [
      'My gate code is 8802.',
      'I set 8802 on the shed, too.',
      'Please forget my gate code, which is 8802.',
    ])
    expect((await repeated.dump()).map(({ text }) => text).join()).not.toContain('8802')
  })

  it('may come while a question with two sides is answered', async () => {
    const embed = hashEmbedder(512)
    const texts = ['We finished the first draft, since the office moved.', 'The last review was today.']
    const slow: typeof embed = {
      ...embed,
      embed: async (all) => {
        await new Promise((done) => setTimeout(done, 5))
        return embed.embed(all)
      },
    }
    const memory = new Mosaic({ embed: slow })
    for (const [i, text] of texts.entries())
      await memory.store({ id: `c${i}`, time: '2026-03-01', turns: [{ role: 'user', text }] })
    const asked = memory.retrieve({ text: 'How long was it between the first draft and the last review?' }, 9)
    const [first] = await memory.dump()
    await Promise.all([asked, memory.forget([first!.id])])
    expect((await asked).length).toBeGreaterThan(0)
  })
})
