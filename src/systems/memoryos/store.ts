import { z } from 'zod'
import { item } from '../../base/fence.js'
import type { SystemContext } from '../../model/index.js'
import { type Asker, embedAll, embedOne, type Prompts } from '../parts/index.js'
import { analyse } from './long-term.js'
import { file, hottest, type MidTermSettings } from './mid-term.js'
import type { PROMPTS } from './prompts.js'
import { type FiledPage, type Page, pageForPrompt, type State, saidIn } from './state.js'

const Continuity = z.object({ continues: z.boolean() })
const Overview = z.object({ overview: z.string().trim().min(1) })
const Themes = z.object({
  themes: z.array(z.object({ theme: z.string(), keywords: z.array(z.string()), content: z.string() })),
})

/** What a page is filed under when the model names no theme; all such pages come together. */
const NO_THEME = { theme: '', keywords: [], content: 'An exchange without a theme of its own.' }

export interface MemoryosSettings extends MidTermSettings {
  /** Pages in short-term memory. */
  short: number
  /** Heat from which a session is analysed. */
  heat: number
  /** Entries of each list of knowledge; the oldest go first. */
  knowledge: number
  /** Of the steps that write prose. */
  temperature: number
}

/** What storing works with. */
export interface MemoryosParts {
  context: SystemContext
  model: Asker
  prompts: Prompts<keyof typeof PROMPTS>
  state: State
  nextId: { session(): string; user(): string; assistant(): string; chain(): string }
  settings: MemoryosSettings
}

/** Takes a page into short-term memory. When that is full, the oldest page moves on first; then what has become hot is analysed. */
export async function addPage(page: Page, parts: MemoryosParts): Promise<void> {
  const { state, settings } = parts
  while (state.short.length >= settings.short) {
    const [oldest, ...rest] = state.short
    await moveOn(oldest!, parts)
    state.short = rest
  }
  state.short = [...state.short, page]
  const hot = hottest(state)
  if (hot && hot.heat >= settings.heat) await analyse(hot, page, parts)
}

/** From short-term to mid-term memory: joins the page to a chain, names its themes, and files it under each. */
async function moveOn(page: Page, parts: MemoryosParts): Promise<void> {
  const { context, state, settings, nextId } = parts
  const chain = state.last && (await continues(state.last, page, parts)) ? state.last.chain : nextId.chain()
  state.overviews.set(chain, await overviewOf(page, state.overviews.get(chain), parts))
  const { themes } = await parts.model.ask({
    step: 'themes',
    role: 'ingest',
    system: parts.prompts.text('themes'),
    data: { exchange: pageForPrompt(page) },
    schema: Themes,
    temperature: settings.temperature,
  })
  const filed: FiledPage = { ...page, chain, vector: await embedOne(context, saidIn(page)) }
  const named = themes.filter(({ content }) => content.trim() !== '')
  const under = named.length > 0 ? named : [NO_THEME]
  const vectors = await embedAll(
    context,
    under.map(({ content }) => content),
  )
  for (const [i, { content, keywords }] of under.entries()) {
    const words = new Set(keywords.map((word) => word.trim().toLowerCase()))
    file(filed, { summary: content, keywords: words, vector: vectors[i]! }, state, nextId.session, settings)
  }
  state.last = filed
}

async function continues(earlier: Page, later: Page, { model, prompts }: MemoryosParts): Promise<boolean> {
  const reply = await model.ask({
    step: 'continuity',
    role: 'ingest',
    system: prompts.text('continuity'),
    data: { earlier: pageForPrompt(earlier), later: pageForPrompt(later) },
    schema: Continuity,
  })
  return reply.continues
}

async function overviewOf(page: Page, before: string | undefined, { model, prompts }: MemoryosParts): Promise<string> {
  const { overview } = await model.ask({
    step: 'overview',
    role: 'ingest',
    system: prompts.text('overview'),
    data: { ...(before !== undefined && { overview: item('-', before) }), exchange: pageForPrompt(page) },
    schema: Overview,
    temperature: 0.3,
  })
  return overview
}
