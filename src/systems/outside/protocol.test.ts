import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { z } from 'zod'
import type { Memory, MemorySystem } from '../../model/index.js'
import { linkedByText, memoriesIn, protocolSchema, readReply } from './protocol.js'

it('is documented by a schema that is current', () => {
  const file = new URL('../../../docs/protocol.schema.json', import.meta.url)
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(JSON.stringify(z.toJSONSchema(protocolSchema))))
})

it('takes texts for memories, numbers for ids and nulls for what is left out', () => {
  const found = memoriesIn(['same', 'same', { id: 7, text: 'x', score: null, time: null }, 5]) as Memory[]
  expect(found[0]!.id).not.toBe(found[1]!.id)
  expect(memoriesIn(['same'])).toEqual([found[0]])
  expect(found[2]).toEqual({ id: '7', text: 'x' })
  expect(found[3]).toBe(5)
  expect(memoriesIn(null)).toBeNull()
})

it('links what is retrieved to what is held: by id where the text is the same, else by text, each once', async () => {
  const held = [
    { id: 'a', text: 'I moved to  Oslo.' },
    { id: 'b', text: 'I moved to Oslo.' },
    { id: 'c', text: 'I like tea.' },
  ]
  const found = [
    { id: '1', text: ' I moved to Oslo.\n' },
    { id: 'b', text: 'I moved to Oslo.' },
    { id: 'c', text: 'I moved to Oslo.' },
    { id: 'z', text: 'Nobody said this.' },
  ]
  const system: MemorySystem = { store: async () => {}, retrieve: async () => found, dump: async () => held }
  const linked = linkedByText(system)
  await linked.dump!()
  const ids = (await linked.retrieve({ id: 'q', text: '', time: '' }, 9, { k: 9 })).map(({ id }) => id)
  expect(ids).toEqual(['a', 'b', 'c', 'z'])
})

it.each([
  ['{"id":1,"value":[1]}', { reply: { id: 1, value: [1], message: null } }],
  ['{"id":1,"error":"no"}', { reply: { id: 1, value: undefined, message: 'no' } }],
  ['{"id":1,"error":{"message":"no"},"value":null}', { reply: { id: 1, value: null, message: 'no' } }],
  ['  ', {}],
  ['{"id":"1"}', { wrong: 'it wrote what is no reply: "{\\"id\\":\\"1\\"}"' }],
  ['print', { wrong: 'it wrote what is no JSON: "print"' }],
])('reads the reply %s', (line, expected) => expect(readReply(Buffer.from(line))).toEqual(expected))
