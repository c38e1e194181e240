import { createHash } from 'node:crypto'
import type { Conversation, SystemDefinition } from '../../src/model/index.js'
import { systemTestContext } from '../../src/systems/conformance/fixtures.js'
import { rehearse } from '../../src/systems/parts/index.js'
import { resolveSystem } from '../../src/systems/registry.js'

/** More sentences than a scripted model looks at. */
const MANY = Array.from(
  { length: 45 },
  (_, i) => `On trip number ${i} I carried ${'lantern '.repeat(i % 7)}and ${i} maps.`,
)

const SAID: readonly (readonly string[])[] = [
  ['I like figs.', 'I see.', 'My flat is in Bergen near the old harbour. I never eat walnuts!'],
  [MANY.join(' '), 'That is a lot of maps.'],
  ['I like figs and plums.', 'Noted.'],
  ['', 'Hello there.'],
  ['My flat is in Oslo now, no longer in Bergen.'],
]
const ASKED = ['Do I like figs?', 'Where is my flat, and which lantern did I carry on trip number 7?', 'What?']

/** What a system and its scripted model do with a few conversations and questions: every reply, what is held in the end, and what is found. */
export async function rehearsedBy(definition: SystemDefinition): Promise<Record<string, unknown>> {
  const calls: string[] = []
  const { options } = await resolveSystem(definition.name, '/')
  const { rehearsal } = definition
  const llm =
    rehearsal &&
    rehearse(rehearsal, { onCall: ({ step, reply }) => calls.push(`${step} ${JSON.stringify(shortened(reply))}`) })
  const system = await definition.create({ ...systemTestContext(), ...(llm && { llm }) }, options)
  for (const [i, texts] of SAID.entries()) await system.store(conversationOf(i, texts))
  await system.settle?.(1000)
  const found: Record<string, unknown> = {}
  for (const [i, text] of ASKED.entries()) {
    const memories = await system.retrieve({ id: `q${i}`, text, time: '2024-06-01T09:00:00Z' }, 3, { k: 3 })
    found[text] = memories.map(({ text, score }) => `${(score ?? 0).toFixed(4)} ${shortened(text)}`)
  }
  const held = (await system.dump!()).map(({ text }) => shortened(text))
  return { calls, held: shortened(held), found }
}

function conversationOf(i: number, texts: readonly string[]): Conversation {
  const turns = texts.map((text, j) => ({ role: j % 2 ? ('assistant' as const) : ('user' as const), text }))
  return { id: `c${i}`, time: `2024-05-0${i + 1}T09:00:00Z`, turns }
}

/** The beginning of long texts and lists, with how long they are and a print of the whole. */
function shortened(value: unknown): unknown {
  if (typeof value === 'string')
    return value.length > 60 ? `${value.slice(0, 40)}… ${value.length} ${printOf(value)}` : value
  if (Array.isArray(value)) {
    const all = value.map(shortened)
    return all.length > 3 ? [...all.slice(0, 2), `… ${all.length} ${printOf(all)}`] : all
  }
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shortened(one)]))
}

function printOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 8)
}
