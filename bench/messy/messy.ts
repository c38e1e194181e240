import { systems as builtin, loadAll } from '../../src/builtins.js'
import { createGateway, MESSY_WAYS } from '../../src/gateway/index.js'
import type { Conversation, MemorySystem, SystemDefinition } from '../../src/model/index.js'
import { hashEmbedder } from '../../src/systems/hash-embedder.js'
import { removeTemporary, temporaryFolder } from '../../tools/temporary.js'
import { rehearsedModel } from '../rehearsed-model.js'

/** What becomes of the facts that a system is told while its model is messy. `lost`: one is not held, and nobody said so. */
export type MessyOutcome = 'stored' | 'error' | 'lost'

/** What each system did, by way and system. */
export type MessyTable = Map<string, Map<string, MessyOutcome>>

/** Things to remember, each by a mark that no model makes up. */
const PLANTED = [
  { mark: 'QX7-4418', text: 'The code of my studio door is QX7-4418.' },
  { mark: 'Tamsin', text: 'My neighbour Tamsin is allergic to walnuts.' },
  { mark: 'Bakehouse', text: 'I always eat lunch at the Bakehouse on Mill Lane.' },
]

/** Conversations after which every system has asked its model. */
const MOST_TOLD = 24

/** Systems with a model inside that need nothing else to be installed. */
export async function messySystems(): Promise<SystemDefinition[]> {
  return (await loadAll(builtin)).filter(({ needs, rehearsal }) => needs?.llm && !needs.packages && rehearsal)
}

/**
 * Tells every system some facts while the model inside is messy in one way at a time, always, and looks at what it holds.
 *
 * @param strict replies count to the letter, as if nothing was mended
 * @param onWay called before each way
 */
export async function messyTable(strict: boolean, onWay: (name: string) => void = () => {}): Promise<MessyTable> {
  const systems = await messySystems()
  const table: MessyTable = new Map()
  for (const { name } of MESSY_WAYS) {
    onWay(name)
    const row = new Map<string, MessyOutcome>()
    for (const system of systems) row.set(system.name, await outcomeOf(system, name, strict))
    table.set(name, row)
  }
  return table
}

/** What a system made of the planted facts; with no way, of a model that is not messy. */
export async function outcomeOf(
  definition: SystemDefinition,
  way: string | null,
  strict: boolean,
): Promise<MessyOutcome> {
  const scripted = { messy: rehearsedModel(way === null ? {} : { messy: { ways: [way] } }) }
  const gateway = createGateway({ env: {}, cacheDir: null, scripted, repair: { strict } })
  const workdir = temporaryFolder('messy')
  let system: MemorySystem | undefined
  try {
    const clock = { now: '2024-05-06T08:00:00Z' }
    system = await definition.create(
      {
        embed: hashEmbedder(256),
        llm: gateway.llm('scripted:messy'),
        workdir,
        namespace: 'messy',
        now: () => clock.now,
        signal: new AbortController().signal,
        log: () => {},
      },
      {},
    )
    let failed = false
    const kept: string[] = []
    // Some ask their model only when more is told than they hold in mind: the rest is small talk.
    const isAsked = () => gateway.usage().total.calls > 0
    for (let i = 0; i < PLANTED.length || (i < MOST_TOLD && !isAsked()); i++) {
      const { mark, text } = PLANTED[i] ?? { mark: '', text: `It is the ${i}th grey morning here.` }
      clock.now = new Date(Date.parse('2024-05-06T08:00:00Z') + i * 86_400_000).toISOString()
      const turns = [
        { role: 'user' as const, text },
        { role: 'assistant' as const, text: 'I see.' },
      ]
      const conversation: Conversation = { id: `c${i}`, time: clock.now, turns }
      try {
        await system.store(conversation)
        kept.push(mark)
      } catch {
        failed = true
      }
    }
    await system.settle?.(10_000)
    const held = ((await system.dump?.()) ?? []).map(({ text }) => text).join('\n')
    if (!kept.every((mark) => held.includes(mark))) return 'lost'
    return failed ? 'error' : 'stored'
  } catch {
    return 'error'
  } finally {
    await system?.close?.()
    await gateway.close()
    removeTemporary(workdir)
  }
}

/** Both tables as Markdown: how many systems store, tell an error or lose a fact, by way, before and after; and the same by system. */
export function messyMarkdown(before: MessyTable, after: MessyTable): string {
  const count = (outcomes: Iterable<MessyOutcome>) => {
    const all = [...outcomes]
    return (['stored', 'error', 'lost'] as const).map((one) => all.filter((outcome) => outcome === one).length)
  }
  const head = (what: string) => [
    `| ${what} | stored to the letter | error | lost | stored | error | lost |`,
    '|---|---:|---:|---:|---:|---:|---:|',
  ]
  const ways = MESSY_WAYS.map(({ name, about }) => {
    const numbers = [before, after].flatMap((table) => count(table.get(name)!.values()))
    return `| \`${name}\`: ${about.replaceAll('|', '\\|')} | ${numbers.join(' | ')} |`
  })
  const names = [...after.values().next().value!.keys()]
  const systems = names.map((system) => {
    const numbers = [before, after].flatMap((table) => count([...table.values()].map((row) => row.get(system)!)))
    return `| ${system} | ${numbers.join(' | ')} |`
  })
  return [
    ...head(`way (of ${names.length} systems)`),
    ...ways,
    '',
    ...head(`system (of ${ways.length} ways)`),
    ...systems,
  ].join('\n')
}
