import { expect, it } from 'vitest'
import { z } from 'zod'
import type { LlmMessage, LlmTool } from '../../model/index.js'
import { showData } from '../parts/index.js'
import { drivenRehearsal } from './rehearsal.js'

const tool = (name: string, properties: object, required: string[] = Object.keys(properties)): LlmTool => ({
  name,
  description: '',
  parameters: { type: 'object', properties, required },
})
const text = { type: 'string' }
const KEEP = tool('create_notes', {
  text,
  tags: { type: 'array', items: text },
  kind: { enum: ['a', 'b'] },
  size: { type: 'integer', minimum: 3 },
  weight: { type: 'number' },
  sure: { type: 'boolean' },
  either: { type: ['integer', 'null'] },
})
const LOOK = tool('find', { text })
const LIST = tool('list', { page: { type: 'integer' } }, [])
const ODD = { name: 'store_all', description: '', parameters: z.object({}) }

const said = Array.from({ length: 20 }, (_, i) => `Fact ${i}.`).join(' ')
const data = {
  conversation: `assistant: No.\nuser: ${said}`,
  question: 'which of the old lanterns were bought near harbours, and the ten maps',
}

async function reply(step: string, tools: LlmTool[] | undefined, shown: Record<string, string> = data, after = false) {
  const used: LlmMessage = { role: 'tool', callId: '1', name: 'find', content: '' }
  const messages: LlmMessage[] = [{ role: 'user', content: '' }, ...(after ? [used] : [])]
  const told = await drivenRehearsal({ step, prompt: showData(shown), request: { messages, ...(tools && { tools }) } })
  return 'calls' in told ? told.calls.map(({ name, input }) => `${name} ${JSON.stringify(input)}`) : told
}

it('hands what the user said to the first tool that seems to keep things, wherever it takes a text', async () => {
  const calls = (await reply('ingest', [ODD, LIST, LOOK, KEEP])) as string[]
  expect(calls).toHaveLength(12)
  expect(calls[0]).toBe(
    'create_notes {"text":"Fact 0.","tags":["Fact 0."],"kind":"a","size":3,"weight":1,"sure":false,"either":1}',
  )
  expect(await reply('ingest', [KEEP], { conversation: 'user: Only this.' })).toHaveLength(1)
  const note = tool('add_note', { text })
  expect(await reply('ingest', [note], { conversation: 'user: Only this.' })).toEqual([
    'add_note {"text":"Only this."}',
  ])
})

it('asks for the longest words of a question, else for what takes nothing', async () => {
  const four = ['harbours', 'lanterns', 'bought', 'which'].map((word) => `find {"text":"${word}"}`)
  expect(((await reply('retrieve', [KEEP, LIST, LOOK])) as string[]).sort()).toEqual(four.sort())
  expect(await reply('retrieve', [LIST, LOOK], { question: 'the lamp' })).toEqual(['find {"text":"lamp"}'])
  expect(await reply('retrieve', [LIST, LOOK], { question: 'is it on' })).toEqual(['list {}'])
  expect(await reply('retrieve', [KEEP, LIST])).toEqual(['list {}'])
})

it.each<[string, LlmTool[] | undefined, Record<string, string> | undefined, boolean]>([
  ['ingest', [KEEP], data, true],
  ['ingest', [LOOK, LIST, ODD], data, false],
  ['ingest', [KEEP], { conversation: 'assistant: Hello.' }, false],
  ['ingest', undefined, data, false],
  ['retrieve', [KEEP], data, false],
  ['retrieve', [LOOK], data, true],
])('is done at %s where there is nothing to do', async (step, tools, shown, after) => {
  expect(await reply(step, tools, shown, after)).toEqual({ text: 'Done.' })
})
