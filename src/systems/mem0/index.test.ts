import { rmSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { runStory } from '../../../bench/story/run.js'
import { readStoryScript, type Script } from '../../../bench/story/script.js'
import { loadStory } from '../../../bench/story/story.js'
import { wordEmbedder } from '../../../bench/story/word-embedder.js'
import { Harness, SPEC } from '../../../test/gateway/harness.js'
import { missingPackages } from '../../base/packages.js'
import { billedTo, metered, newBill } from '../../engine/bill.js'
import { openEndpoint } from '../../gateway/loopback/endpoint.js'
import {
  type Conversation,
  conversationsOf,
  type Llm,
  type MemorySystem,
  type SystemContext,
} from '../../model/index.js'
import { systemTestContext } from '../conformance/fixtures.js'
import { rehearse } from '../parts/rehearse.js'
import { mem0 } from './index.js'
import { mem0Rehearsal } from './rehearsal.js'

const missing = missingPackages(mem0.needs?.packages, process.cwd())
const { scenario } = loadStory()
const opened: { system: MemorySystem; workdir: string }[] = []
afterAll(async () => {
  for (const { system, workdir } of opened) {
    await system.close?.()
    rmSync(workdir, { recursive: true, force: true })
  }
})

async function open(llm: Llm, own: Partial<SystemContext> = {}): Promise<MemorySystem> {
  const context: SystemContext = { ...systemTestContext(), embed: wordEmbedder(), llm, ...own }
  const { embed, signal } = context
  context.endpoint = (asked) => openEndpoint({ ...asked, name: 'mem0', llm, embed, signal })
  const system = await mem0.create(context, {})
  opened.push({ system, workdir: context.workdir })
  return system
}

/** What the model says to `mem0-v2`, in the words of the package. */
function script(): Script {
  const own = readStoryScript('mem0-v2')
  const rules = own.steps.extract!.map((rule) => {
    const { memory } = rule.json as { memory: { text: string; attributed_to: string }[] }
    return {
      ...rule,
      json: { memory: memory.map(({ text, attributed_to }, i) => ({ id: String(i), text, attributed_to })) },
    }
  })
  return { ...own, steps: { chat: rules } }
}

describe.skipIf(missing.length > 0)(
  `mem0, the package${missing.length > 0 ? ` (skipped: ${missing.join(', ')} not installed)` : ''}`,
  () => {
    it('asks once a conversation, on the day of the conversation, and adds as mem0-v2 does: the old office stays', async () => {
      const [run, ours] = [await runStory('mem0', script()), await runStory('mem0-v2', readStoryScript('mem0-v2'))]
      const conversations = conversationsOf(scenario)
      expect(run.asked.map(({ at, step, role }) => `${at} ${step} ${role}`)).toEqual(
        conversations.map(({ id }) => `${id} chat ingest`),
      )
      for (const [i, { time }] of conversations.entries()) {
        const day = time.slice(0, 10)
        expect(run.asked[i]!.prompt).toContain(`## Observation Date\n${day}\n\n## Current Date\n${day}`)
      }
      expect(run.asked[6]!.prompt).toContain('assistant: Sleep well then.')
      expect(run.asked[6]!.prompt).toMatch(
        /## Existing Memories\n\[\{"id":"0","text":"User's office is on Harbour Street\."/,
      )
      const plain = ({ text, time, sources }: (typeof run.held)[number]) => ({ text, time: Date.parse(time!), sources })
      expect(run.held.map(plain)).toEqual(ours.held.map(plain))
      expect(run.held.at(-1)!.id).toBe('00000008-0000-4000-8000-000000000001')
      for (const question of ['change', 'deletion']) {
        expect(run.outcomes[question]).toMatchObject({ outcome: 'answerable', outdated: [{ live: true }] })
        expect(run.outcomes[question]).toEqual(ours.outcomes[question])
      }
      expect(run.retrieved.exact![0]!.text).toContain('QX7-4418-LIME')
    })

    it('lives again from kept replies with the same dump, on the bill of whoever stores, and reaches nobody else', async () => {
      const harness = await Harness.start({
        rules: [],
        otherwise: ({ last }) => {
          const said = mem0Rehearsal({
            step: 'chat',
            prompt: last,
            request: { messages: [{ role: 'user', content: last }] },
          })
          return JSON.stringify('json' in said ? said.json : {})
        },
      })
      const logs: string[] = []
      const live = async () => {
        const bills = { store: newBill(), retrieve: newBill() }
        const system = await open(metered(harness.open().llm(SPEC), 0), { log: (message) => logs.push(message) })
        for (const conversation of conversationsOf(scenario))
          await billedTo(bills.store, () => system.store(conversation))
        const query = { id: 'q', text: 'Where is my office on Mill Lane?', time: '2024-06-01T00:00:00Z' }
        const found = await billedTo(bills.retrieve, () => system.retrieve(query, 5, { k: 5 }))
        return { dump: await system.dump!(), found, bills }
      }
      const first = await live()
      expect(harness.model.stats.calls).toBe(8)
      expect(harness.chat(0)).toMatchObject({ format: {} })
      expect(harness.chat(0)).not.toHaveProperty('temperature')
      expect(await live()).toEqual(first)
      expect(harness.model.stats.calls).toBe(8)
      expect(first.dump.length).toBeGreaterThan(20)
      expect(first.found[0]!.text).toContain('Mill Lane')
      expect(Object.keys(first.bills.store.tokens)).toEqual(['ingest'])
      expect(first.bills.store.tokens.ingest).toBeGreaterThan(8 * 7000)
      expect(first.bills.retrieve.tokens).toEqual({})
      expect(logs).toEqual([])
      await harness.close()
    })

    it('holds everything, also what was put in as it is', async () => {
      const system = await open(rehearse(mem0Rehearsal))
      for (let i = 0; i < 4; i++) {
        const text = Array.from({ length: 12 }, (_, n) => `I own the boat number ${12 * i + n}.`).join(' ')
        await system.store({ id: `c${i}`, time: `2024-0${i + 1}-01T00:00:00Z`, turns: [{ role: 'user', text }] })
      }
      await system.insert!([{ id: 'x', text: 'Ines lives in Lisbon.', time: '2023-05-05T00:00:00Z', sources: ['c1'] }])
      const dump = await system.dump!()
      expect(dump).toHaveLength(49)
      expect(dump.at(-1)).toMatchObject({
        text: 'Ines lives in Lisbon.',
        time: '2023-05-05T00:00:00.000Z',
        sources: ['c1'],
      })
      const query = { id: 'q', text: 'Where does Ines live?', time: '2024-06-01T00:00:00Z' }
      expect((await system.retrieve(query, 3, { k: 3 }))[0]).toMatchObject({ text: 'Ines lives in Lisbon.' })
    })

    it('fails when the model says something else, instead of remembering nothing', async () => {
      const talk: Conversation = {
        id: 'c',
        time: '2024-01-01T00:00:00Z',
        turns: [{ role: 'user', text: 'I like figs.' }],
      }
      const odd: unknown[] = [{ facts: ['User likes figs'] }, { memory: ['User likes figs'] }, { memory: 'none' }]
      const system = await open(rehearse(() => ({ json: odd.shift() })))
      while (odd.length > 0) await expect(system.store(talk)).rejects.toMatchObject({ code: 'unparsable' })
      expect(await system.dump!()).toEqual([])
    })
  },
)
