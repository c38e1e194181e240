import type { Memory } from 'memscope'
import { englishAnalyzer, fold, sentences } from 'memscope/retrieval'

/** What a statement tells and does: that an attribute has a value, what it would become, that it is another now, and so on. */
export interface NoteClaim {
  kind: 'fact' | 'rule' | 'change' | 'thought' | 'revoked'
  /** Which attribute of whom, in the same few words each time: "employer", "Ada's employer". */
  about: string
  value: string
}

/** What a statement rests on, or what a rule waits for: a value of an attribute, or without one that the attribute changes. */
export interface RestsOn {
  about: string
  value?: string
}

/** What is kept of a note beside its time and its conversation. */
export interface NoteContent {
  id: string
  text: string
  role: 'user' | 'assistant'
  /** What it hangs on, in words. */
  clauses: readonly string[]
  claim?: NoteClaim
  restsOn?: readonly RestsOn[]
  /** Its text was taken out. */
  isForgotten?: true
}

/** Something that was said, as it was said, with what follows from its words. */
export interface Note {
  content: NoteContent
  memory: Memory
  terms: readonly string[]
  /** How much it says, 0 to 1: greetings, questions and replies say little about anybody. */
  weight: number
  /** It tells something, and asks nothing. */
  isTelling: boolean
  /** It speaks of whoever says it. */
  isOwn: boolean
}

/** Turns text into the terms by which notes are found. */
export const analyze = englishAnalyzer({ stem: true })

/** Speaks of whoever says it. */
export const SELF = /\b(?:i|my|we|our|me|us|mine|ours)\b/i

/** How little a note without substance counts, how much one of an assistant does, and one of nobody in particular. */
const THIN = 0.3
const ASSISTANT = 0.5
const NOBODY = 0.85
/** Different terms of a statement that has substance. */
const FULL = 5
/** A sentence that wants something. */
const ASKING = /\?$|\bplease\b/
const CODE = /```[\s\S]*?(?:```|$)/g

/** Reads a note. @param source id of its conversation */
export function readNote(content: NoteContent, { time, source }: { time: string; source: string }): Note {
  const { id, text, role, isForgotten } = content
  const said = sentences(text.replace(CODE, ' '))
  const told = said.filter((sentence) => !sentence.endsWith('?'))
  const isReply = role === 'assistant'
  const memory: Memory = {
    id,
    text: isReply && !isForgotten ? `Assistant: ${text}` : text,
    time,
    sources: [source],
    ...(isForgotten && { status: 'tombstone' as const }),
  }
  return {
    content,
    memory,
    terms: isForgotten ? [] : analyze(text),
    weight: (isReply ? ASSISTANT : 1) * substance(told),
    isTelling: !isReply && !isForgotten && told.length > 0 && !said.some((sentence) => ASKING.test(fold(sentence))),
    isOwn: SELF.test(text),
  }
}

function substance(told: readonly string[]): number {
  const terms = new Set(told.flatMap((sentence) => analyze(sentence)))
  const whose = told.some((sentence) => SELF.test(sentence)) ? 1 : NOBODY
  return whose * (THIN + (1 - THIN) * Math.min(1, terms.size / FULL))
}
