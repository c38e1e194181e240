import { Random } from '../../../base/random.js'
import { readActivities } from '../seed.js'
import type { LifeTrace } from '../trace.js'
import { talkData } from './data.js'
import { comparableText, type Inventory, inventoryOf } from './inventory.js'

/** A subject of small talk: questions and answers in order, and perhaps a fact with which an assistant brings it up. */
export interface Thread {
  topic: string
  fact?: string
  /** Question and answer; the first question can be understood by itself, or after the fact. */
  exchanges: readonly (readonly [string, string])[]
}

/** The subjects that a life may talk about, in the order in which its sessions go through them. */
export interface Subjects {
  asked: Thread[]
  told: Thread[]
}

/** How far apart the subjects of one session lie in the order, so that two sessions hardly share more than one. */
const APART = 37

let all: Subjects | undefined
const ofTrace = new WeakMap<LifeTrace, Map<number, Subjects>>()

/** Subjects of a trace, without those that happen to name something its persona may have to remember. */
export function subjectsOf(trace: LifeTrace, seed: number): Subjects {
  let bySeed = ofTrace.get(trace)
  if (!bySeed) {
    bySeed = new Map()
    ofTrace.set(trace, bySeed)
  }
  let subjects = bySeed.get(seed)
  if (!subjects) {
    const inventory = inventoryOf(trace)
    const random = new Random(`memora/subjects/${trace.persona}/${seed}`)
    const { asked, told } = allSubjects()
    const order = (threads: Thread[]) => random.shuffle(threads.filter((thread) => isNeutral(thread, inventory)))
    subjects = { asked: order(asked), told: order(told) }
    bySeed.set(seed, subjects)
  }
  return subjects
}

/** The `index`-th subject of a session out of an ordered list. */
export function subjectAt(threads: readonly Thread[], session: number, index: number): Thread {
  const round = Math.floor(session / threads.length)
  return threads[(session + index * (APART + round)) % threads.length]!
}

/** All subjects there are. */
function allSubjects(): Subjects {
  all ??= {
    asked: [
      ...readActivities().topics.map(({ topic, ask, reply, followUps }) => ({
        topic,
        exchanges: [{ ask, reply }, ...followUps].map((one) => [one.ask, one.reply] as const),
      })),
      ...talkData().musings,
    ],
    told: talkData().curios,
  }
  return all
}

function isNeutral({ topic, fact = '', exchanges }: Thread, inventory: Inventory): boolean {
  return [topic, fact, ...exchanges.flat()].every((text) => inventory.namedIn(comparableText(text)).length === 0)
}
