import { isAboutAsker, wantsReply, wantsSeveral, wantsTotal } from './cues.js'
import type { SaidNote } from './note.js'

/** How little counts, for a question about several things, what tells nothing of its own accord. */
const ASKING = 0.3
/** How much counts, for a question of somebody about themselves, what somebody else said, and what they said of nobody or only asked. */
const REPLY = 0.5
const ELSE = 0.8
/** How much counts, for a question about what was said in reply, that somebody replied, and what else was said. */
const REPLIED = 2
const UNREPLIED = 0.6

type Voice = Pick<SaidNote, 'isReply' | 'isTelling' | 'isOwn'>

/** What is weighed. */
export interface Weighing {
  /** All notes count the same when not. */
  isWeighed: boolean
  /** Things of a kind are wanted. */
  isSet: boolean
}

/** How much notes count for a question, kept as numbers side by side: every question looks at all of them. */
export class NoteWeights {
  #weights = new Float64Array(1024)
  /** Which of the eight voices a note is said in. */
  #voices = new Uint8Array(1024)

  /** Keeps what a note counts; null when it was forgotten. */
  set(at: number, note: SaidNote | null): void {
    while (at >= this.#weights.length) {
      const [weights, voices] = [this.#weights, this.#voices]
      this.#weights = new Float64Array(weights.length * 2)
      this.#voices = new Uint8Array(voices.length * 2)
      this.#weights.set(weights)
      this.#voices.set(voices)
    }
    this.#weights[at] = note ? note.weight : Number.NEGATIVE_INFINITY
    this.#voices[at] = note ? voiceOf(note) : 0
  }

  /**
   * Multiplies scores by what notes count for a question; what was forgotten comes last. Where things of a kind or their total
   * are wanted, what somebody tells counts in full, be it short or said of nobody: an entry among many is both.
   */
  weigh(scores: Float64Array, question: string, { isWeighed, isSet }: Weighing): void {
    const factors = VOICES.map(factorsFor(question))
    const isFull = (isSet || wantsTotal(question)) && !wantsReply(question)
    for (let i = 0; i < scores.length; i++) {
      const weight = this.#weights[i]!
      const voice = this.#voices[i]!
      if (weight === Number.NEGATIVE_INFINITY) scores[i] = weight
      else if (isWeighed && !(isFull && VOICES[voice]!.isTelling)) scores[i]! *= weight * factors[voice]!
    }
  }
}

const VOICES: readonly Voice[] = Array.from({ length: 8 }, (_, i) => ({
  isReply: (i & 4) > 0,
  isTelling: (i & 2) > 0,
  isOwn: (i & 1) > 0,
}))

function voiceOf({ isReply, isTelling, isOwn }: Voice): number {
  return (isReply ? 4 : 0) + (isTelling ? 2 : 0) + (isOwn ? 1 : 0)
}

function factorsFor(question: string): (voice: Voice) => number {
  if (wantsReply(question)) return ({ isReply }) => (isReply ? REPLIED : UNREPLIED)
  const isWide = wantsSeveral(question)
  const isAsker = isAboutAsker(question)
  return ({ isReply, isTelling, isOwn }) => {
    const told = isWide && !isTelling ? ASKING : 1
    const whose = isReply ? REPLY : isTelling && isOwn ? 1 : ELSE
    return told * (isAsker ? whose : 1)
  }
}
