import { words } from '../../base/text.js'
import type { Conversation } from '../../model/index.js'
import { dayOf, type Kept } from '../parts/index.js'
import { FIXED } from './fixed.js'

/** Words by which a session is put under a topic, in the order in which topics are named. */
const TOPICS: readonly (readonly [topic: string, words: readonly string[]])[] = [
  ['work', ['work', 'job', 'office', 'boss', 'meeting', 'client', 'deadline']],
  ['food', ['food', 'eat', 'lunch', 'dinner', 'tea', 'coffee', 'recipe', 'restaurant']],
  ['health', ['health', 'doctor', 'allergic', 'sleep', 'pain', 'gym', 'run']],
  ['travel', ['travel', 'trip', 'flight', 'train', 'hotel', 'holiday']],
  ['family', ['family', 'mother', 'father', 'sister', 'brother', 'wife', 'husband', 'son', 'daughter']],
  ['entertainment', ['film', 'music', 'book', 'game', 'concert', 'series']],
  ['learning', ['class', 'course', 'study', 'learn', 'exam', 'lesson']],
]

/** A session as it is, without a model: the whole of it, each longer message of the user, and a line of topics. */
export function rawEntries(conversation: Conversation, nextId: () => string): Kept[] {
  const { id: source, time } = conversation
  const day = dayOf(time)
  const turns = conversation.turns.filter(({ text }) => text.trim() !== '')
  const users = turns.flatMap(({ role, text }) => (role === 'user' ? [text] : []))
  const session = turns.map(({ role, text }) => `${role === 'user' ? 'User' : 'Assistant'}: ${text}`).join('\n')
  const topics = topicsOf(users)
  const texts = [
    `[Conversation from ${day}] ${session}`,
    ...users.filter((text) => text.length > FIXED.short).map((text) => `[${day}] User said: ${text}`),
    ...(topics.length > 0 ? [`On ${day}, the user talked about: ${topics.join(', ')}`] : []),
  ]
  return texts.map((text) => ({ id: nextId(), text, time, sources: [source] }))
}

function topicsOf(texts: readonly string[]): string[] {
  const said = new Set(texts.flatMap((text) => words(text)))
  return TOPICS.filter(([, cues]) => cues.some((cue) => said.has(cue)))
    .map(([topic]) => topic)
    .slice(0, FIXED.mostTopics)
}
