import { z } from 'zod'
import { item } from '../../base/fence.js'
import { countOption, numberOption, temperatureOption } from '../options.js'
import { embedAll, embedOne, idCounter, partsMaker } from '../parts/index.js'
import { FIXED } from './fixed.js'
import { analyse } from './long-term.js'
import { filePage, hottest } from './mid-term.js'
import { PROMPTS } from './prompts.js'
import { emptyState, type FiledPage, type Page, pageForPrompt, saidIn } from './state.js'

export const OPTIONS = z.object({
  short: countOption('10', 'exchanges in short-term memory'),
  sessions: countOption('2000', 'sessions in mid-term memory; the least found is evicted; 0: no limit', { min: 0 }),
  join: numberOption('0.6', 'likeness (cosine and shared keywords) from which an exchange joins a session', {
    min: 0,
    max: 2,
  }),
  heat: numberOption('5', 'heat from which a session is analysed for long-term memory', { min: 0 }),
  knowledge: countOption('100', 'entries of each list of knowledge; the oldest go first'),
  looked: countOption('5', 'sessions looked into for a question'),
  pages: countOption('7', 'exchanges found in them'),
  found: countOption('20', 'entries found in each list of knowledge'),
  temperature: temperatureOption('0.7', 'of the steps that write themes, profile and knowledge'),
})

const Continuity = z.object({ continues: z.boolean() })
const Overview = z.object({ overview: z.string().trim().min(1) })
const Themes = z.object({
  themes: z.array(z.object({ theme: z.string(), keywords: z.array(z.string()), content: z.string() })),
})

/** What a page is filed under when the model names no theme; all such pages come together. */
const NO_THEME = { theme: '', keywords: [], content: 'An exchange without a theme of its own.' }

/** What storing and finding work with. */
export type MemoryosParts = ReturnType<typeof partsOf>

const USUAL = { name: 'memoryos', options: OPTIONS, prompts: PROMPTS, temperatures: FIXED.temperatures }

export const partsOf = partsMaker(USUAL, ({ journal }) => ({
  state: emptyState(),
  nextId: {
    page: idCounter('p', journal),
    session: idCounter('s', journal),
    user: idCounter('u', journal),
    assistant: idCounter('a', journal),
    chain: idCounter('c', journal),
  },
}))

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
  const { context, model, state, nextId } = parts
  const exchange = pageForPrompt(page)
  const chain = state.last && (await continues(state.last, exchange, parts)) ? state.last.chain : nextId.chain()
  const before = state.overviews.get(chain)
  const { overview } = await model.ask('overview', Overview, {
    data: { ...(before !== undefined && { overview: item('-', before) }), exchange },
  })
  state.overviews.set(chain, overview)
  const { themes } = await model.ask('themes', Themes, { data: { exchange } })
  const filed: FiledPage = { ...page, chain, vector: await embedOne(context, saidIn(page)) }
  const named = themes.filter(({ content }) => content.trim() !== '')
  const under = named.length > 0 ? named : [NO_THEME]
  const summaries = under.map(({ content }) => content)
  for (const [i, vector] of (await embedAll(context, summaries)).entries()) {
    const keywords = new Set(under[i]!.keywords.map((word) => word.trim().toLowerCase()))
    filePage(filed, { summary: summaries[i]!, keywords, vector }, parts)
  }
  state.last = filed
}

async function continues(earlier: Page, later: string, { model }: MemoryosParts): Promise<boolean> {
  const data = { earlier: pageForPrompt(earlier), later }
  return (await model.ask('continuity', Continuity, { data })).continues
}
