import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { RehearsedReply } from '../../model/index.js'
import { resolveSystem } from '../registry.js'
import { askerOf } from './asker.js'
import { dayOf, hourOf, hoursBetween, longDayOf, minuteOf, weekdayOf } from './clock.js'
import { bulleted, bulletsIn, formatTranscript, itemsIn, numbered, numberIn, userSentences } from './data.js'
import { promptsOf } from './prompts.js'
import { rehearse } from './rehearse.js'
import { keepWithTools } from './tool-loop.js'

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

  it('tell why they are refused', async () => {
    file('bare.json', { decide: 'See {day}.' })
    const bare = {
      message: expect.stringContaining('has the places'),
      hint: expect.stringContaining('must have none,'),
    }
    await expect(resolveSystem('mem0-v1:prompts=bare.json', folder)).rejects.toMatchObject(bare)
    file('cut.json', '{')
    await expect(resolveSystem('mem0-v1:prompts=cut.json', folder)).rejects.toThrow(/is not JSON: (?!SyntaxError)/)
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
  expect([dayOf('spring'), hourOf('spring'), minuteOf('spring'), hourOf('2024-02-29')]).toEqual([
    'spring',
    'spring',
    'spring',
    '00:00',
  ])
  expect([hoursBetween('2024-02-29T00:00:00Z', '2024-03-01T12:00:00Z'), hoursBetween('spring', time)]).toEqual([36, 0])
})

it('reads what it wrote for a model, and nothing where nothing was shown', () => {
  expect([itemsIn(undefined), itemsIn(''), itemsIn('(none)')]).toEqual([[], [], []])
  expect(itemsIn(numbered(['one', 'two\nlines'], 3))).toEqual([
    { mark: '[3]', text: 'one' },
    { mark: '[4]', text: 'two\nlines' },
  ])
  const turns = [
    { role: 'user' as const, text: 'I row. I swim.' },
    { role: 'assistant' as const, text: 'Good.' },
    { role: 'user' as const, text: ' ' },
  ]
  expect(userSentences(formatTranscript({ turns }))).toEqual(['I row.', 'I swim.'])
  expect([numbered([]), bulleted([]), bulletsIn(bulleted(['a', 'b']))]).toEqual(['(none)', '(none)', ['a', 'b']])
  expect(['0', '[7]', 'memory 12', 'none', '1 2'].map(numberIn)).toEqual([0, 7, 12, Number.NaN, Number.NaN])
})

it('plays a model as a gateway answers', async () => {
  const replies: RehearsedReply[] = [
    { text: 'Hello.' },
    {
      calls: [
        { name: 'look', input: { at: 1 } },
        { name: 'go', input: {} },
      ],
    },
    { json: { a: 1 } },
    { text: 'x' },
  ]
  const llm = rehearse(() => replies.shift()!)
  const ask = (request: object = {}) =>
    llm.generate({ messages: [{ role: 'user', content: 'Hi' }], ...request }, { role: 'ingest', label: 'a/b' })
  const plain = { cost: 0, cached: false, repairs: 0 }
  expect(await ask()).toMatchObject({ text: 'Hello.', toolCalls: [], finish: 'stop', ...plain })
  expect(await ask({ tools: [] })).toMatchObject({
    text: '',
    toolCalls: [
      { id: 'call_2_0', name: 'look', input: { at: 1 } },
      { id: 'call_2_1', name: 'go', input: {} },
    ],
    finish: 'tool-calls',
    ...plain,
  })
  expect(await ask()).toMatchObject({ text: '{"a":1}', ...plain })
  await expect(ask({ toolChoice: 'required' })).rejects.toThrow('It calls no tool.')
})

it('gives a tool loop room for replies of 8,000 tokens, and says when it was not done', async () => {
  const asked: (number | undefined)[] = []
  const llm = rehearse(() => ({ calls: [{ name: 'note', input: {} }] }), {
    onCall: ({ request }) => asked.push(request.maxTokens),
  })
  const model = askerOf({ llm, signal: new AbortController().signal }, 'mine', {
    store: 'Store on {day}.',
    retrieve: 'Look on {day}.',
  })
  const tool = { name: 'note', description: '', parameters: z.object({}), run: async () => 'noted' }
  const talk = { id: 'c', time: '2024-01-01', turns: [{ role: 'user' as const, text: 'Hi' }] }
  await expect(keepWithTools(talk, [tool], { name: 'mine', model, rounds: 2, temperature: 0 })).rejects.toThrow(
    'The model of mine was not done storing "c" in 2 rounds.',
  )
  expect(asked).toEqual([8000, 8000])
})
