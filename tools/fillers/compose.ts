import { Random } from '../../src/base/random.js'
import { countTokens } from '../../src/base/tokens.js'
import type { Turn } from '../../src/model/index.js'
import { type FillerSession, MOST } from '../../src/suites/meme/filler/index.js'
import type { Moves } from './schema.js'
import { drawStyle, styled } from './style.js'
import { type Exchange, type Source, say } from './thread.js'

/** How much likelier a subject of the same group is to follow than any other. */
const NEARNESS = 4

/** Letters in an answer up to which another question may be answered with it: some 550 tokens. */
const LONG = 2_400

/**
 * Composes one session: a subject, then others of its group until a length drawn at random is reached, with the small talk between them.
 *
 * @example compose('filler-7', sources[0], sources, moves, new Random(7))
 */
export function compose(
  id: string,
  first: Source,
  sources: readonly Source[],
  moves: Moves,
  random: Random,
): FillerSession {
  const goal = 550 + 3_600 * random.random() ** 2.5
  const style = drawStyle(moves.swaps, random)
  const turns: Turn[] = []
  let tokens = 0
  const add = (role: Turn['role'], text: string) => {
    turns.push({ role, text })
    tokens += countTokens(text)
  }
  for (const source of [first, ...others(first, sources, random)]) {
    if (tokens >= goal) break
    for (const [at, exchange] of together(source.make(random), moves, random).entries()) {
      const turn = framed(exchange, at, turns.length === 0, moves, random)
      if (tokens >= goal || tokens + countTokens(turn.ask) + countTokens(turn.answer) > MOST) break
      add('user', turn.ask)
      add('assistant', styled(turn.answer, style))
    }
  }
  if (random.random() < 0.12 && tokens < MOST - 200) {
    add('user', say(moves.thanks, random))
    add('assistant', say(moves.welcome, random))
  }
  return { id, tokens, turns }
}

/** Puts questions that go together into one turn while the answer is short. */
function together(exchanges: readonly Exchange[], moves: Moves, random: Random): Exchange[] {
  const joined: Exchange[] = []
  for (const exchange of exchanges) {
    const last = joined.at(-1)
    if (last && exchange.joins && last.answer.length + exchange.answer.length < LONG) {
      const link = random.random() < 0.3 ? `${say(moves.also, random)} ` : ''
      last.ask = `${last.ask}${last.ask.endsWith('```') ? '\n\n' : ' '}${link}${exchange.ask}`
      last.answer = `${last.answer}\n\n${exchange.head ?? ''}${exchange.answer}`
    } else joined.push({ ...exchange })
  }
  return joined
}

/** What may follow a subject, weighed: about half of it from the same group. */
function others(first: Source, sources: readonly Source[], random: Random): Source[] {
  const drawn = sources
    .filter((source) => source !== first)
    .map((source) => {
      const weight = source.weight * (source.group === first.group ? NEARNESS : 1)
      return { source, at: -Math.log(1 - random.random()) / weight }
    })
  return drawn.sort((a, b) => a.at - b.at).map(({ source }) => source)
}

/** Puts a remark before the question and a sentence before or after the answer, now and then. */
function framed(exchange: Exchange, at: number, opening: boolean, moves: Moves, random: Random): Exchange {
  let { ask, answer } = exchange
  if (at === 0 && opening && random.random() < 0.35) ask = `${say(moves.asides, random)} ${ask}`
  if (at === 0 && !opening) ask = `${say(moves.turns, random)} ${ask}`
  if (/^[A-Z]/.test(answer) && random.random() < 0.2) answer = `${say(moves.leads, random)} ${answer}`
  if (/[.?!]$/.test(answer) && !/\n(?:-|\d+\.|\|) [^\n]*$/.test(answer) && random.random() < 0.1) {
    answer = `${answer} ${say(moves.closings, random)}`
  }
  return { ask, answer }
}

/** The order in which sources come first: as often as their weights say, spread evenly. */
export function dealt(sources: readonly Source[], count: number, seed: string): Source[] {
  const random = new Random(seed)
  const order: Source[] = []
  while (order.length < count) {
    order.push(...random.shuffle(sources.flatMap((source) => Array.from({ length: source.weight }, () => source))))
  }
  return order.slice(0, count)
}
