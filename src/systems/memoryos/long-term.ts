import { z } from 'zod'
import { item } from '../../base/fence.js'
import { embedAll, minuteOf, withSource } from '../parts/index.js'
import { FIXED } from './fixed.js'
import { updateSession } from './mid-term.js'
import { type FiledPage, type Known, type MidTermSession, type Page, pageForPrompt } from './state.js'
import type { MemoryosParts } from './store.js'

const Profile = z.object({ profile: z.string() })
const Knowledge = z.object({ user: z.array(z.string()), assistant: z.array(z.string()) })

/** Draws profile and knowledge from the new pages of a hot session, and cools it. Without such pages it stays hot, and nothing else is looked at. */
export async function analyse(session: MidTermSession, added: Page, parts: MemoryosParts): Promise<void> {
  const { model, state, settings, nextId } = parts
  const fresh = session.pages.flatMap(({ id, analysed }) => (analysed ? [] : [state.pages.get(id)!]))
  if (fresh.length === 0) return
  const exchanges = fresh.map((page) => `[${minuteOf(page.time)}]\n${pageForPrompt(page)}`).join('\n')
  const before = state.profile ? item('-', state.profile.text) : '(none)'
  const { profile } = await model.ask('profile', Profile, { data: { profile: before, exchanges } })
  const { user, assistant } = await model.ask('knowledge', Knowledge, { data: { exchanges } })
  const last = fresh.at(-1)!
  if (profile.trim().length >= FIXED.shortestProfile) {
    const sources = fresh.reduce((known, { source }) => withSource(known, source), [...(state.profile?.sources ?? [])])
    state.profile = { id: 'profile', text: profile.trim(), time: last.time, sources }
  }
  state.user = await queued(state.user, user, nextId.user, fresh, parts)
  state.assistant = await queued(state.assistant, assistant, nextId.assistant, fresh, parts)
  const cooled = { pages: session.pages.map(({ id }) => ({ id, analysed: true })), visits: 0, length: 0 }
  const next = updateSession(session, cooled, added.time)
  state.sessions.set(session.id, { ...next, visited: added.time })
  // A queue holds no more than it may, whatever is drawn from one session.
  state.user = state.user.slice(-settings.knowledge)
  state.assistant = state.assistant.slice(-settings.knowledge)
}

/** A list with more at its end. What is drawn from several pages comes from all their conversations. */
async function queued(
  known: readonly Known[],
  texts: readonly string[],
  nextId: () => string,
  pages: readonly FiledPage[],
  { context }: MemoryosParts,
): Promise<Known[]> {
  const lines = texts.map((text) => text.trim()).filter((text) => text !== '' && !/^-?\s*none\.?$/i.test(text))
  const vectors = await embedAll(context, lines)
  const sources = [...new Set(pages.map(({ source }) => source))]
  const { time } = pages.at(-1)!
  return [...known, ...lines.map((text, i) => ({ id: nextId(), text, time, sources, vector: vectors[i]! }))]
}
