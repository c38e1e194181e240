import { entryOf } from '../../../base/group-by.js'
import { Random } from '../../../base/random.js'
import type { Turn } from '../../../model/index.js'
import { readSeed } from '../seed.js'
import type { LifeTrace } from '../trace.js'
import { type TalkData, type TalkPhase, talkData } from './data.js'
import { inventoryOf } from './inventory.js'
import type { Slots } from './phrase.js'
import type { Voice } from './voice.js'

type Role = Turn['role']

/** Share of questions and answers that come without a word around them, and with a longer one. */
const BARE = 0.25
const GLOSSED = 0.65
const ASIDE = 0.6
/** Share of subjects that an assistant brings up with a fact rather than by name. */
const WITH_FACT = 0.45
/** How far apart the subjects of one session lie in the order, so that two sessions hardly share more than one. */
const APART = 37

/** A subject of small talk: questions and answers in order, and perhaps a fact with which an assistant brings it up. */
interface Thread {
  topic: string
  fact?: string
  /** Question and answer; the first question can be understood by itself, or after the fact. */
  exchanges: readonly (readonly [string, string])[]
}

/** The subjects that a life may talk about, in the order in which its sessions go through them. */
type Subjects = Record<'asked' | 'told', Thread[]>

const ofTrace = new WeakMap<LifeTrace, Map<number, Subjects>>()

/** Subjects of a trace, without those that happen to name something its persona may have to remember. */
export function subjectsOf(trace: LifeTrace, seed: number): Subjects {
  const bySeed = ofTrace.get(trace) ?? new Map<number, Subjects>()
  ofTrace.set(trace, bySeed)
  return entryOf(bySeed, seed, () => {
    const inventory = inventoryOf(trace)
    const random = new Random(`memora/subjects/${trace.persona}/${seed}`)
    const isNeutral = ({ topic, fact = '', exchanges }: Thread) =>
      [topic, fact, ...exchanges.flat()].every((text) => inventory.namedIn(text).length === 0)
    const topics = readSeed().activities.topics.map(({ topic, followUps, ...first }): Thread => {
      return { topic, exchanges: [first, ...followUps].map(({ ask, reply }) => [ask, reply]) }
    })
    const { musings, curios } = talkData()
    const order = (threads: Thread[]) => random.shuffle(threads.filter(isNeutral))
    return { asked: order([...topics, ...musings]), told: order(curios) }
  })
}

/** Talk that leaves nothing to remember: greetings, questions about the world, farewells. One for each session. */
export class SmallTalk {
  #thread: Thread | undefined
  #next = 0
  readonly #begun = { asked: 0, told: 0 }

  constructor(
    private readonly voice: Voice,
    private readonly data: TalkData,
    private readonly subjects: Subjects,
    private readonly session: number,
  ) {}

  /** A flow of a phase that begins with the other speaker than `last`; `until` is who has to speak last in it. */
  flow(phase: TalkPhase, last?: Role, until?: Role): string[] {
    const { intents, [phase]: flows } = this.data.flows
    const speaker = (intent: string | undefined) => intents[intent!]!.speaker
    const fits = (flow: string[]) =>
      speaker(flow[0]) !== last && (until === undefined || speaker(flow.at(-1)) === until)
    return this.voice.random.pick(flows.filter(fits))
  }

  turns(flow: readonly string[]): Turn[] {
    return flow.map((intent) => ({ role: this.data.flows.intents[intent]!.speaker, text: this.say(intent) }))
  }

  /** What one intent comes out as, for all intents but `share` and `note`. */
  say(intent: string): string {
    switch (intent) {
      case 'open':
      case 'turn':
        this.#begin('asked')
        return this.#ask(intent)
      case 'follow':
        if (this.#thread && this.#next < this.#thread.exchanges.length) return this.#ask('follow')
        return this.say('turn')
      case 'accept':
        return this.#ask('accept')
      case 'offer':
      case 'bring': {
        const { topic, fact } = this.#begin(this.voice.chance(WITH_FACT) ? 'told' : 'asked')
        return fact === undefined ? this.#move(intent, { topic }) : this.#move(`${intent}_fact`, { topic, fact })
      }
      case 'explain':
      case 'check': {
        const reply = this.#thread!.exchanges[this.#next++]![1]
        if (intent === 'check') return this.#move('check', { reply })
        if (this.voice.chance(GLOSSED)) return `${reply} ${this.#move('gloss')}`
        return this.voice.chance(BARE) ? reply : this.#move('explain', { reply })
      }
      default:
        return this.#move(intent)
    }
  }

  #begin(of: keyof Subjects): Thread {
    const threads = this.subjects[of]
    const round = Math.floor(this.session / threads.length)
    this.#thread = threads[(this.session + this.#begun[of]++ * (APART + round)) % threads.length]!
    this.#next = 0
    return this.#thread
  }

  #ask(intent: 'open' | 'turn' | 'follow' | 'accept'): string {
    const { topic, exchanges } = this.#thread!
    const ask = exchanges[this.#next]![0]
    if (intent === 'follow' && this.voice.chance(ASIDE)) return `${this.#move('aside')} ${ask}`
    if ((intent === 'open' || intent === 'follow') && this.voice.chance(BARE)) return ask
    return this.#move(intent, { ask, topic })
  }

  #move(name: string, slots: Slots = {}): string {
    return this.voice.say(this.data.moves[name]!, slots)
  }
}
