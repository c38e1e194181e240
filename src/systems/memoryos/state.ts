import { item } from '../../base/fence.js'
import type { Conversation, Memory } from '../../model/index.js'
import { type Kept, memoryOf, minuteOf } from '../parts/index.js'

/** One exchange: what the user says and the reply. */
export interface Page {
  readonly id: string
  readonly user: string
  readonly assistant: string
  readonly time: string
  readonly source: string
}

/** A page in mid-term memory. It may have copies in several sessions. */
export interface FiledPage extends Page {
  readonly vector: Float32Array
  /** The chain of exchanges it belongs to, whose overview it shows. */
  readonly chain: string
}

/** A group of pages on one theme. Rows are replaced, never changed. */
export interface MidTermSession {
  readonly id: string
  readonly summary: string
  readonly keywords: ReadonlySet<string>
  readonly vector: Float32Array
  /** Ids of its pages, and whether each has been analysed for long-term memory. */
  readonly pages: readonly { readonly id: string; readonly analysed: boolean }[]
  /** Times it was found since it was last analysed, and pages it took in since. */
  readonly visits: number
  readonly length: number
  /** Times it was ever found: who is evicted goes by it. */
  readonly found: number
  readonly visited: string
  /** As it was when it last changed. */
  readonly heat: number
  readonly time: string
  readonly source: string
}

/** An entry of long-term memory. */
export interface Known extends Kept {
  readonly vector: Float32Array
}

/** Everything that is held. All rows are immutable, so that a shallow copy is a snapshot. */
export interface State {
  short: readonly Page[]
  pages: Map<string, FiledPage>
  sessions: Map<string, MidTermSession>
  /** Overviews by chain. */
  overviews: Map<string, string>
  /** The page that left short-term memory last. */
  last: FiledPage | null
  profile: Kept | null
  user: readonly Known[]
  assistant: readonly Known[]
}

export function emptyState(): State {
  const maps = { pages: new Map(), sessions: new Map(), overviews: new Map() }
  return { ...maps, short: [], last: null, profile: null, user: [], assistant: [] }
}

/** A snapshot: new maps over the same rows, which are never changed in place. */
export function copyState(state: State): State {
  const { pages, sessions, overviews } = state
  return { ...state, pages: new Map(pages), sessions: new Map(sessions), overviews: new Map(overviews) }
}

/** A conversation as pages. What is said twice in a row by one side becomes pages of its own. */
export function pagesOf({ id: source, time, turns }: Conversation, nextId: () => string): Page[] {
  const pages: { user: string; assistant: string }[] = []
  for (const { role, text } of turns) {
    if (text.trim() === '') continue
    const open = pages.at(-1)
    if (role === 'user') pages.push({ user: text, assistant: '' })
    else if (open && open.assistant === '') open.assistant = text
    else pages.push({ user: '', assistant: text })
  }
  return pages.map((page) => ({ id: nextId(), ...page, time, source }))
}

/** What is said in a page, and by whom. */
export function saidIn({ user, assistant }: Page): string {
  return [...(user ? [`User: ${user}`] : []), ...(assistant ? [`Assistant: ${assistant}`] : [])].join('\n')
}

/** A page as text for a prompt: one item a side that says something. */
export function pageForPrompt({ user, assistant }: Page): string {
  return [...(user ? [item('user:', user)] : []), ...(assistant ? [item('assistant:', assistant)] : [])].join('\n')
}

/** A page as a memory: with the overview of its chain once it has one. */
export function pageMemory(page: Page | FiledPage, { overviews }: State, score?: number): Memory {
  const { id, time, source } = page
  const overview = 'chain' in page ? overviews.get(page.chain) : undefined
  const text = [saidIn(page), `Time: ${minuteOf(time)}`, ...(overview ? [`Overview: ${overview}`] : [])].join('\n')
  return memoryOf({ id, text, time, sources: [source] }, score)
}

/** Everything held as memories: pages, summaries of sessions, profile and knowledge. */
export function dumpOf(state: State): Memory[] {
  const { short, pages, sessions, profile, user, assistant } = state
  return [
    ...[...pages.values(), ...short].map((page) => pageMemory(page, state)),
    ...[...sessions.values()].map(({ id, summary, time, source }) => ({ id, text: summary, time, sources: [source] })),
    ...[...(profile ? [profile] : []), ...user, ...assistant].map((row) => memoryOf(row)),
  ]
}
