import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { UserError } from '../../../base/errors.js'
import { fillSessions, readFillerFolder } from './index.js'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fillers-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const long = 'The heron stands in the shallow water and waits. '.repeat(60)
const put = (name: string, data: unknown) => writeFileSync(join(folder, name), JSON.stringify(data))
const problem = (): UserError => {
  try {
    readFillerFolder(folder)
  } catch (error) {
    if (error instanceof UserError) return error
    throw error
  }
  throw new Error('No error')
}

describe('a folder of fillers', () => {
  it('is read in all its layouts, without system messages and sessions of other lengths', () => {
    const talk = [
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'A heron?' },
      { role: 'assistant', content: long },
    ]
    put('a.json', talk)
    put('b.json', { conversation: talk, id: 7 })
    put('c.json', {
      conversations: [
        { from: 'human', value: 'A heron?' },
        { from: 'gpt', value: long },
      ],
    })
    mkdirSync(join(folder, 'more'))
    put('more/d.json', [{ conversation: talk }, [{ role: 'user', content: 'Too short.' }]])
    writeFileSync(join(folder, 'notes.txt'), 'not read')
    const pool = readFillerFolder(folder)
    const all = Array.from({ length: pool.size }, (_, index) => pool.at(index))
    expect(all.map(({ id }) => id)).toEqual(['a.json#0', 'b.json#0', 'c.json#0', 'more/d.json#0'])
    expect(pool.skipped).toBe(1)
    for (const { turns } of all) {
      expect(turns).toEqual([
        { role: 'user', text: 'A heron?' },
        { role: 'assistant', text: long },
      ])
    }
    const tokens = 2 * all[0]!.tokens
    const filled = fillSessions({ domain: 'personal-life', tokens, gaps: 2, seed: 1, blocked: [], pool })
    expect(filled.flat()).toHaveLength(2)
    expect(() => fillSessions({ domain: 'personal-life', tokens, gaps: 2, seed: 1, blocked: ['Heron'], pool })).toThrow(
      /come to 0/,
    )
  })

  it.each([
    ['"text"', /bad\.json.*expected an object or a list/],
    ['[]', /bad\.json.*empty/],
    ['{"turns": []}', /bad\.json.*neither "conversation" nor "conversations" \(keys: turns\)/],
    ['[{"role": "robot", "content": "x"}]', /bad\.json.*item 1/],
    ['{"conversation": [{"role": "user"}]}', /bad\.json.*0\.content/],
    ['{"conversation": [', /bad\.json.*not JSON/],
  ])('names a bad file and what is wrong: %s', (text, message) => {
    writeFileSync(join(folder, 'bad.json'), text)
    expect(problem().message).toMatch(message)
  })

  it('refuses links that lead out of it, and reads no file twice', () => {
    const outside = mkdtempSync(join(tmpdir(), 'outside-'))
    writeFileSync(join(outside, 'x.json'), JSON.stringify([{ role: 'user', content: long }]))
    put('in.json', [{ role: 'user', content: long }])
    symlinkSync(join(folder, 'in.json'), join(folder, 'same.json'))
    symlinkSync(folder, join(folder, 'loop'))
    expect(readFillerFolder(folder).size).toBe(1)
    symlinkSync(join(outside, 'x.json'), join(folder, 'out.json'))
    expect(problem().message).toMatch(/out\.json.*leads out/)
    rmSync(outside, { recursive: true })
  })

  it('must exist and hold something', () => {
    expect(problem().message).toMatch(/no session/)
    expect(() => readFillerFolder(join(folder, 'missing'))).toThrow(UserError)
  })
})
