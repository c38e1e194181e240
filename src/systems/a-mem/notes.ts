import { cleanText } from '../../base/fence.js'
import type { Conversation, Memory } from '../../model/index.js'
import { dayOf, type Kept, memoryOf, minuteOf } from '../parts/index.js'

/** A note: words that were said, never changed, and what the model says about them. */
export interface Note extends Kept {
  readonly content: string
  readonly context: string
  readonly keywords: readonly string[]
  readonly tags: readonly string[]
  /** Ids of older notes it belongs with. */
  readonly links: readonly string[]
  /** It was set aside: kept, but found no more. */
  readonly outdated: boolean
}

/** What a note says of itself before anybody has looked at it. */
export const BLANK = { context: 'General', keywords: [], tags: [], links: [], outdated: false } as const

export function noteMemory(note: Note, score?: number): Memory {
  return { ...memoryOf(note, score), ...(note.outdated && { status: 'invalidated' as const }) }
}

/** A note with its text written out anew, as much of it as the form says. */
export function written(note: Omit<Note, 'text'>, form: 'note' | 'line' | 'content'): Note {
  const { content, context, keywords, time } = note
  const tags = note.tags.join(', ')
  const texts = {
    content,
    line: `Memory: ${content} | context: ${context} | tags: ${tags}`,
    note: `${content}\ntime: ${minuteOf(time)}\ncontext: ${context}\nkeywords: ${keywords.join(', ')}\ntags: ${tags}`,
  }
  return { ...note, text: texts[form] }
}

/** What a note is found by: all of it, or what was said alone; of long ones only the first words when there is a window. */
export function indexed(note: Omit<Note, 'text'>, by: 'note' | 'content', window: number): string {
  const { content, context, keywords, tags } = note
  if (by === 'content') return opening(content, window)
  return opening(`${content} ${context} ${keywords.join(' ')} ${tags.join(' ')}`, window)
}

/** The first words and signs of a text, as a model with a small window reads it; all of it for a window of 0. */
export function opening(text: string, window: number): string {
  if (window === 0) return text
  let end = 0
  let count = 0
  for (const piece of text.matchAll(/[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu)) {
    end = piece.index + piece[0].length
    if (++count === window) break
  }
  return text.slice(0, end)
}

/** What is said before each reply of the assistant and that reply: one text an exchange. */
export function exchangesOf({ turns }: Conversation): string[] {
  const exchanges: string[][] = []
  for (const { role, text } of turns) {
    if (cleanText(text).trim() === '') continue
    if (role === 'user' || exchanges.length === 0) exchanges.push([])
    exchanges.at(-1)!.push(lineOf(role, text))
  }
  return exchanges.map((lines) => lines.join('\n'))
}

/** A whole conversation as one text, under a line with its number and day. */
export function sessionOf({ turns, time }: Conversation, number: number): string[] {
  const said = turns.filter(({ text }) => cleanText(text).trim() !== '')
  const lines = said.map(({ role, text }) => lineOf(role, text))
  return lines.length === 0 ? [] : [[`[Session ${number} - Date: ${dayOf(time)}]`, ...lines].join('\n')]
}

function lineOf(role: 'user' | 'assistant', text: string): string {
  return `${role === 'user' ? 'User' : 'Assistant'}: ${text}`
}
