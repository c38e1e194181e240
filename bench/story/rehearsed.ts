import { createHash } from 'node:crypto'
import type { Conversation, LlmMessage, Rehearsal, SystemDefinition } from '../../src/model/index.js'
import { systemTestContext } from '../../src/systems/conformance/fixtures.js'
import { rehearse, showData } from '../../src/systems/parts/index.js'
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

/** Little that is telling, and more than any scripted model looks at. */
const LONG = `Lantern of an ox, as it is to me: ${'q'.repeat(5_000)}`

const lines = (line: (i: number) => string) => Array.from({ length: 21 }, (_, i) => line(i)).join('\n')

/** More of everything that a scripted model is ever shown than it looks at. */
const SHOWN = {
  note: LONG,
  neighbours: '[0] A note.',
  memories: '[0] I like figs.',
  facts: lines((i) => `- Fact ${i}.`),
  conversation: `user: ${LONG}\nuser: ${MANY.join(' ')}\n${lines((i) => `assistant: Turn number ${i}.`)}`,
  session: `user: ${MANY.join(' ')}`,
  question: `Which lantern of trip number 7? ${LONG}`,
  memory: `${lines((i) => `1\t/memories/${i}.md`)}\nA number.\n${lines((i) => `Trip number ${i}, a lantern.`)}`,
  dialogue: `[2024-05-01 09:00] 1.user: ${LONG}\n[2024-05-01 09:01] 2.user: ${MANY.join(' ')}\n[2024-05-01 09:02] User: ${LONG}`,
  entries: lines((i) => `[${i}] An entry, ${MANY[i]}`),
  related: lines((i) => `[${i}] A relation, ${MANY[i]}`),
  slots: lines((i) => `[${i}] topic::sub ${i}: memo ${i}`),
  memo: `- ${LONG}`,
  names: lines((i) => `- Name ${i}`),
  episode: `  title: T\n  content: ${MANY.join(' ')}`,
  exchange: `user: ${MANY.join(' ')}\nassistant: Indeed.`,
  entities: `known: ${LONG}\n[1] marked\nbare: ${LONG}`,
  page: lines((i) => `| [[concepts/${i}]] | lantern ${i} | |`),
  index: '',
  log: lines((i) => `- Point | ${i}, ${MANY[i]}`),
}

const LITTLE = { slots: '- topic::sub: memo' }

/** Prints of what a scripted model says at each step when it is shown next to nothing, or more than it looks at, before and after its tools. */
async function repliesOf(rehearsal: Rehearsal, steps: readonly string[]): Promise<Record<string, string>> {
  const replies: Record<string, string> = {}
  const tool: LlmMessage = { role: 'tool', callId: 'call_1', name: 'read_file', content: 'Done.' }
  for (const step of steps) {
    const said: unknown[] = []
    for (const prompt of [showData(LITTLE), showData(SHOWN)])
      for (const tools of [0, 1, 2, 3]) {
        const messages: LlmMessage[] = [{ role: 'user', content: prompt }, ...Array<LlmMessage>(tools).fill(tool)]
        said.push(await rehearsal({ step, prompt, request: { messages } }))
      }
    replies[step] = printOf(said)
  }
  return replies
}

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
  const steps = [...new Set([...Object.keys(definition.prompts ?? {}), ...calls.map((call) => call.split(' ')[0]!)])]
  return { calls, held: shortened(held), found, ...(rehearsal && { replies: await repliesOf(rehearsal, steps) }) }
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
