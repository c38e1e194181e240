import type { LifeResults } from '../analysis/results.js'
import {
  type Conversation,
  conversationsOf,
  type FactLabel,
  type Memory,
  momentOf,
  type Scenario,
  type SuiteGraph,
} from '../model/index.js'
import { clipText } from '../report/format.js'

/** A conversation, and what storing it did to the memory. */
export interface ConversationDetail extends Conversation {
  /** Sentences in it that say facts, with their ids. */
  told: { fact: string; text: string }[]
  store: StoreDiff | null
}

/** What changed in a store between two moments at which it was kept; `before` is null at the first. */
export interface StoreDiff {
  before: string | null
  after: string
  added: ShownMemory[]
  removed: ShownMemory[]
  /** How many stayed as they were, and how many changes are not listed. */
  kept: number
  left: number
}

type ShownMemory = Pick<Memory, 'id' | 'text' | 'status'>

/** A graph with what one memory held of its facts in the end. */
export interface GraphDetail extends SuiteGraph {
  scenario: string
  held: Record<string, FactLabel>
  texts: Record<string, string>
}

const MOST_CHANGES = 200
const MOST_TEXT = 4_000
const MOST_TURN = 20_000

/** One conversation of a life with what storing it changed. Where the store was kept only at probes, with what changed until the next. */
export async function conversationDetail(life: LifeResults, id: string): Promise<ConversationDetail | null> {
  const { scenario } = life.planned
  const conversation = conversationsOf(scenario).find((one) => one.id === id)
  if (!conversation) return null
  const told = toldIn(scenario, id)
  const order = scenario.timeline.map(momentOf)
  const at = order.indexOf(`after ${id}`)
  const kept = order.filter((moment) => life.moments.has(moment))
  const after = kept.find((moment) => order.indexOf(moment) >= at)
  const before = kept.findLast((moment) => order.indexOf(moment) < at) ?? null
  const isSeen = after !== undefined && life.moments.get(after)!.snapshot !== null
  const turns = conversation.turns.map((turn) => ({ ...turn, text: clipText(turn.text, MOST_TURN) }))
  return { ...conversation, turns, told, store: isSeen ? await diff(life, before, after, id) : null }
}

/** The sentences of a conversation that say facts. */
export function toldIn({ facts }: Scenario, conversation: string): ConversationDetail['told'] {
  return facts
    .filter(({ sources }) => sources.includes(conversation))
    .flatMap(({ id: fact, text, evidence }) => (evidence ?? [text]).map((sentence) => ({ fact, text: sentence })))
}

async function diff(life: LifeResults, before: string | null, after: string, conversation: string): Promise<StoreDiff> {
  const was = before === null ? new Map<string, Memory>() : await life.memoriesAt(before)
  const is = await life.memoriesAt(after)
  const isSame = ({ id, text, status }: Memory) => was.get(id)?.text === text && was.get(id)?.status === status
  const isDue = ({ sources }: Memory) => sources === undefined || sources.includes(conversation)
  const fresh = [...is.values()].filter((memory) => !isSame(memory))
  // Where a moment lies behind many conversations, what names its source is told apart.
  const exact = after === `after ${conversation}`
  const added = exact ? fresh : fresh.filter(isDue)
  const removed = [...was.values()].filter(({ id, text }) => is.get(id)?.text !== text)
  const cut = (memories: readonly Memory[]) =>
    memories
      .slice(0, MOST_CHANGES)
      .map(({ id, text, status }) => ({ id, text: clipText(text, MOST_TEXT), ...(status && { status }) }))
  return {
    before,
    after,
    added: cut(added),
    removed: cut(removed),
    kept: is.size - fresh.length,
    left: Math.max(0, added.length - MOST_CHANGES) + Math.max(0, removed.length - MOST_CHANGES),
  }
}

/** A suite's graph of a scenario with what a memory held of every fact when it was last looked into. */
export function graphDetail(life: LifeResults, graph: SuiteGraph): GraphDetail {
  const { scenario } = life.planned
  const texts = new Map(scenario.facts.map(({ id, text }) => [id, clipText(text, MOST_TEXT)]))
  const facts = graph.nodes.flatMap((node) => node.facts)
  const held: GraphDetail['held'] = {}
  for (const fact of facts) {
    const label = life.course.of(fact).findLast((step) => step.label !== null)?.label
    if (label) held[fact] = label
  }
  return {
    ...graph,
    scenario: scenario.id,
    held,
    texts: Object.fromEntries(facts.map((id) => [id, texts.get(id) ?? ''])),
  }
}
