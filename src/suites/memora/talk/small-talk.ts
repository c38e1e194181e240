import type { Turn } from '../../../model/index.js'
import type { TalkData, TalkPhase } from './data.js'
import type { Slots } from './phrase.js'
import { type Subjects, subjectAt, type Thread } from './threads.js'
import type { Voice } from './voice.js'

type Role = Turn['role']

/** Share of questions and answers that come without a word around them, and with a longer one. */
const BARE = 0.25
const GLOSSED = 0.65
const ASIDE = 0.6
/** Share of subjects that an assistant brings up with a fact rather than by name. */
const WITH_FACT = 0.45

/** Talk that leaves nothing to remember: greetings, questions about the world, farewells. One for each session. */
export class SmallTalk {
  readonly #voice: Voice
  readonly #data: TalkData
  readonly #subjects: Subjects
  readonly #session: number
  #thread: Thread | undefined
  #next = 0
  #asked = 0
  #told = 0

  constructor(voice: Voice, data: TalkData, subjects: Subjects, session: number) {
    this.#voice = voice
    this.#data = data
    this.#subjects = subjects
    this.#session = session
  }

  /** A flow of a phase that begins with the other speaker than `last`; `until` is who has to speak last in it. */
  flow(phase: TalkPhase, last?: Role, until?: Role): string[] {
    const { intents, [phase]: flows } = this.#data.flows
    const fitting = flows.filter(
      (flow) =>
        intents[flow[0]!]!.speaker !== last && (until === undefined || intents[flow.at(-1)!]!.speaker === until),
    )
    return this.#voice.random.pick(fitting)
  }

  turns(flow: readonly string[]): Turn[] {
    return flow.map((intent) => ({ role: this.#data.flows.intents[intent]!.speaker, text: this.say(intent) }))
  }

  /** What one intent comes out as, for all intents but `share` and `note`. */
  say(intent: string): string {
    switch (intent) {
      case 'open':
      case 'turn':
        this.#begin(this.#subjects.asked, this.#asked++)
        return this.#ask(intent)
      case 'follow':
        if (this.#thread && this.#next < this.#thread.exchanges.length) return this.#ask('follow')
        return this.say('turn')
      case 'accept':
        return this.#ask('accept')
      case 'offer':
      case 'bring':
        return this.#offer(intent)
      case 'explain':
      case 'check': {
        const reply = this.#thread!.exchanges[this.#next++]![1]
        if (intent === 'check') return this.#move('check', { reply })
        if (this.#voice.chance(GLOSSED)) return `${reply} ${this.#move('gloss')}`
        return this.#voice.chance(BARE) ? reply : this.#move('explain', { reply })
      }
      default:
        return this.#move(intent)
    }
  }

  #begin(threads: readonly Thread[], index: number): void {
    this.#thread = subjectAt(threads, this.#session, index)
    this.#next = 0
  }

  #ask(intent: 'open' | 'turn' | 'follow' | 'accept'): string {
    const { topic, exchanges } = this.#thread!
    const ask = exchanges[this.#next]![0]
    if (intent === 'follow' && this.#voice.chance(ASIDE)) return `${this.#move('aside')} ${ask}`
    if ((intent === 'open' || intent === 'follow') && this.#voice.chance(BARE)) return ask
    return this.#move(intent, { ask, topic })
  }

  #offer(intent: 'offer' | 'bring'): string {
    const tells = this.#voice.chance(WITH_FACT)
    if (tells) this.#begin(this.#subjects.told, this.#told++)
    else this.#begin(this.#subjects.asked, this.#asked++)
    const { topic, fact } = this.#thread!
    return fact === undefined ? this.#move(intent, { topic }) : this.#move(`${intent}_fact`, { topic, fact })
  }

  #move(name: string, slots: Slots = {}): string {
    return this.#voice.say(this.#data.moves[name]!, slots)
  }
}
