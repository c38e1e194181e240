import { z } from 'zod'
import { readData } from '../../../base/data-file.js'
import type { Random } from '../../../base/random.js'
import type { Turn } from '../../../model/index.js'
import type { Domain } from '../graph.js'

const texts = z.array(z.string().min(1)).min(1)
const pairs = z.array(z.tuple([z.string(), z.string()])).min(1)
const byDomain = <T extends z.ZodType>(shape: T) =>
  z.strictObject({ 'personal-life': shape, 'software-project': shape })

const Phrases = z.strictObject({
  greetings: texts,
  openings: byDomain(texts),
  carriers: texts,
  acks: texts,
  prompts: texts,
  chat: byDomain(pairs),
  closings: pairs,
  tails: byDomain(texts),
  replies: texts,
  news: byDomain(texts),
  heard: texts,
  forgotten: texts,
})

const phrases = readData(new URL('../../../corpora/meme/dialogue.json', import.meta.url), Phrases)

/** Deals phrases out so that none comes back in a session before all were used. */
class Deck {
  readonly #rest = new Map<readonly unknown[], unknown[]>()

  constructor(readonly random: Random) {}

  draw<T>(list: readonly T[]): T {
    const rest = (this.#rest.get(list) as T[] | undefined) ?? []
    if (rest.length === 0) rest.push(...this.random.shuffle([...list]))
    this.#rest.set(list, rest)
    return rest.pop()!
  }
}

/** A talk into which single sentences are woven, one a turn. */
export function talk(domain: Domain, sentences: readonly string[], random: Random): Turn[] {
  const deck = new Deck(random)
  const turns: Turn[] = [assistant(deck.draw(phrases.greetings))]
  turns.push(user(deck.draw(phrases.openings[domain])), assistant(deck.draw(phrases.acks)))
  for (const [i, sentence] of sentences.entries()) {
    const carrier = i === 0 ? '{said}' : deck.draw(phrases.carriers)
    turns.push(user(carrier.replace('{said}', () => sentence)))
    const asks = random.random() < 0.4
    turns.push(assistant([deck.draw(phrases.acks), ...(asks ? [deck.draw(phrases.prompts)] : [])].join(' ')))
    if (random.random() < 0.35) {
      const [said, answered] = deck.draw(phrases.chat[domain])
      turns.push(user(said), assistant(answered))
    }
  }
  const [bye, byeToo] = deck.draw(phrases.closings)
  turns.push(user(bye), assistant(byeToo))
  return turns
}

/** A talk in which every sentence is said as it is, with a short question behind it. */
export function briefing(domain: Domain, sentences: readonly string[], random: Random): Turn[] {
  const deck = new Deck(random)
  return sentences.flatMap((sentence) => [
    user(`${sentence}${deck.draw(phrases.tails[domain])}`),
    assistant(deck.draw(phrases.replies)),
  ])
}

/** News: what changed, what was thought of, what is to be forgotten. */
export function news(domain: Domain, items: readonly { sentence: string; forget?: boolean }[], random: Random): Turn[] {
  const deck = new Deck(random)
  const [bye, byeToo] = deck.draw(phrases.closings)
  return [
    user(deck.draw(phrases.news[domain])),
    assistant(deck.draw(phrases.prompts)),
    ...items.flatMap(({ sentence, forget }) => [
      user(sentence),
      assistant(deck.draw(forget ? phrases.forgotten : phrases.heard)),
    ]),
    user(bye),
    assistant(byeToo),
  ]
}

const user = (text: string): Turn => ({ role: 'user', text })
const assistant = (text: string): Turn => ({ role: 'assistant', text })
