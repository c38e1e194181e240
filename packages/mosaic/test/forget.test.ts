import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashEmbedder } from 'memscope/retrieval'
import { describe, expect, it } from 'vitest'
import { Mosaic } from '../src/mosaic.js'
import { found, newFolder, said, told } from './told.js'

const SECRET = 'My locker code is Zanzibar 77, because the old one was known.'
const OTHERS = ['My desk faces north.', 'I row on the lake.']
const TOMBSTONE = 'Something that was told here was forgotten.'

describe('forgetting by id', () => {
  it('takes a note from bytes, words, vectors and clauses, and leaves a tombstone', async () => {
    const folder = newFolder()
    const memory = await told([OTHERS[0]!, SECRET, OTHERS[1]!], { folder })
    expect(await found(memory, 'What is my locker code?', 1)).toEqual([SECRET])
    await memory.forget(['c1#0'])
    expect(await memory.dump()).toMatchObject([
      { text: OTHERS[0] },
      { id: 'c1#0', text: TOMBSTONE, status: 'tombstone', sources: ['c1'] },
      { text: OTHERS[1] },
    ])
    expect((await found(memory, 'What is my locker code?', 10)).toSorted()).toEqual(OTHERS.toSorted())
    expect(readFileSync(join(folder, 'notes.jsonl'), 'utf8')).not.toMatch(/zanzibar|locker|old one/i)
    const dump = await memory.dump()
    await memory.close()
    const again = new Mosaic({ embed: hashEmbedder(512), folder })
    expect(await again.dump()).toEqual(dump)
    expect(await found(again, 'What is my locker code?', 10)).not.toContain(TOMBSTONE)
    await again.close()
  })

  it('leaves what is stored later findable, and ids unique', async () => {
    const memory = await told([SECRET])
    await memory.forget(['c0#0'])
    await memory.store(said('c0', 'My locker code is Madrid 12.'))
    expect(await found(memory, 'What is my locker code?', 1)).toEqual(['My locker code is Madrid 12.'])
    expect((await memory.dump()).map(({ id }) => id)).toEqual(['c0#0', 'c0@2#0'])
  })

  it('refuses an id that there is not, with nothing changed', async () => {
    const memory = await told([SECRET])
    await expect(memory.forget(['c0#0', 'c9#0'])).rejects.toThrow('There is no note c9#0.')
    expect((await memory.dump()).map(({ text }) => text)).toEqual([SECRET])
  })

  it('takes a forgotten thing out of sets', async () => {
    const memory = await told(['My fedora cheers me up.', 'I own one beret.', ...OTHERS])
    await memory.retrieve({ text: 'Which hats do I wear?' }, 2)
    await memory.forget(['c0#0'])
    expect(await found(memory, 'Which hats do I wear?', 10)).not.toContain('My fedora cheers me up.')
  })

  it('withdraws what a forgotten change had done', async () => {
    const claims = [
      { kind: 'fact', about: 'employer', value: 'Kestrel' },
      { kind: 'change', about: 'employer', value: 'Corran' },
    ] as const
    const memory = await told([], {
      extract: async ({ id, turns }) => turns.map(({ role, text }) => ({ role, text, claim: claims[Number(id)]! })),
    })
    for (const id of ['0', '1']) await memory.store(said(id, `I work, says badge ${id}.`))
    expect((await memory.dump())[0]!.text).toContain('no longer so since')
    await memory.forget(['1#0'])
    expect((await memory.dump())[0]!.text).toBe('I work, says badge 0.')
  })
})
