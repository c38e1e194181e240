import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { resolveSystem } from '../registry.js'
import { longDayOf, minuteOf, weekdayOf } from './clock.js'
import { promptsOf } from './prompts.js'

const folder = mkdtempSync(join(tmpdir(), 'memscope-prompts-'))
const file = (name: string, content: unknown) =>
  writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))

describe('prompts of a user', () => {
  it('are another subject whenever their content is another', async () => {
    file('mine.json', { decide: 'Add everything.' })
    const one = await resolveSystem('mem0-v1:prompts=mine.json', folder)
    expect(one.label).toMatch(/^mem0-v1:prompts=mine\.json@[0-9a-f]{8}$/)
    file('mine.json', { decide: 'Delete everything.' })
    const other = await resolveSystem('mem0-v1:prompts=mine.json', folder)
    expect(other.options.prompts).not.toBe(one.options.prompts)
    expect((await resolveSystem('mem0-v1', folder)).label).toBe('mem0-v1')
  })

  it.each([
    ['unknown', { decode: 'x' }, 'There is no prompt "decode".'],
    ['places', { extract: 'List facts.' }, 'The prompt "extract" in "places.json" has the places none.'],
    ['list', ['x'], '"list.json" does not map names to texts.'],
    ['broken', '{', '"broken.json" is not JSON'],
  ])('are refused when they cannot be used: %s', async (name, content, message) => {
    file(`${name}.json`, content)
    await expect(resolveSystem(`mem0-v1:prompts=${name}.json`, folder)).rejects.toThrow(message)
  })

  it('are refused when there is no file, and by systems without prompts', async () => {
    await expect(resolveSystem('mem0-v1:prompts=no.json', folder)).rejects.toThrow(
      'There is no file of prompts "no.json".',
    )
    await expect(resolveSystem('bm25:prompts=mine.json', folder)).rejects.toThrow(/no option/)
  })

  it('fill places once', () => {
    const prompts = promptsOf({ a: 'On {day}: {what}' }, {})
    expect(prompts.text('a', { day: 'Monday', what: '{day}' })).toBe('On Monday: {day}')
    expect(() => prompts.text('a', { day: 'Monday' })).toThrow('{what}')
  })
})

it('writes scenario time in the forms systems use, and leaves what is no time', () => {
  const time = '2024-02-29T23:05:00Z'
  expect([longDayOf(time), weekdayOf(time), minuteOf(time)]).toEqual([
    'Thursday, 29 February 2024',
    'Thursday',
    '2024-02-29 23:05',
  ])
  expect([longDayOf('spring'), weekdayOf('spring')]).toEqual(['spring', ''])
})
