import { contentTokens } from '../../../../language/tokens.js'
import type { Criterion } from '../../../../model/index.js'
import type { AnswerText } from '../answer-lines.js'
import { asksOf } from '../asks.js'
import { matchesByLine } from './gist.js'
import { matchValue, TELLS } from './telling.js'

/** So much of a value in a line that nothing else explains is taken for it. */
const LIKELY = 0.24
/** Values of few words need more. */
const LIKELY_SHORT = 0.34
/** A line of which so many words say nothing else is left over. */
const MUCH = 0.4
const AHEAD = 0.04
/** So much of it leaves a doubt. */
const POSSIBLE = 0.1
const CHATTER = /^(?:hi|hello|dear|hey|regards|best|kind regards|thanks|cheers|let me know|sincerely|subject)\b|[?:]$/

/**
 * What is left of an answer when all values of a question that are plainly told have found their lines. A value that is told in quite
 * other words is most likely told in one of these lines, and where there are none it is not told.
 */
export class Leftover {
  private readonly values: readonly string[]
  /** `free` holds the lines left over, each with the places of its words that say something else. */
  private read:
    | { text: AnswerText; free: ReadonlyMap<number, ReadonlySet<number>>; untold: readonly string[] }
    | undefined

  constructor(criteria: readonly Criterion[]) {
    const asked = criteria
      .map(({ asks, text }) => asks ?? asksOf(text))
      .filter(({ act, numbers }) => act === 'mention' && !numbers)
    this.values = [...new Set(asked.flatMap(({ forms, parts = [] }) => [...forms.slice(0, 1), ...parts]))]
  }

  /** The unexplained line that is most likely to tell a value; undefined when none is likely. */
  lineFor(value: string, text: AnswerText): number | undefined {
    const { free, untold } = this.of(text)
    const least = contentTokens(value).length < 4 ? LIKELY_SHORT : LIKELY
    let best: { line: number; score: number } | undefined
    for (const { line, score, gaps, at } of matchesByLine(value, text)) {
      const taken = free.get(line)
      if (!taken || gaps > 0 || score < least || score <= (best?.score ?? 0)) continue
      if (at.filter((place) => !taken.has(place)).length * 2 <= at.length) continue
      const rival = Math.max(
        0,
        ...untold.filter((one) => one !== value).map((one) => matchesByLine(one, text)[line]?.score ?? 0),
      )
      if (score >= rival + AHEAD) best = { line, score }
    }
    return best?.line
  }

  /** Whether the line that seems to tell a value rather tells another, with the same words and more. */
  tellsOther(value: string, line: number, text: AnswerText): boolean {
    const mine = matchesByLine(value, text)[line]
    if (!mine) return false
    return this.values.some((other) => {
      if (other === value) return false
      const its = matchesByLine(other, text)[line]
      return its !== undefined && its.score >= mine.score + AHEAD && mine.at.every((place) => its.at.includes(place))
    })
  }

  /** Whether some unexplained line may tell a value. */
  may(value: string, text: AnswerText): boolean {
    const { free } = this.of(text)
    return free.size > 0 && matchesByLine(value, text).some(({ line, score }) => free.has(line) && score >= POSSIBLE)
  }

  private of(text: AnswerText) {
    if (this.read?.text !== text) {
      const told = this.values.map((value) => ({ value, ...matchValue(value, text) }))
      const plain = told.filter(({ how, share }) => how === 'named' || (how === 'told' && share >= TELLS))
      const free = text.lines.flatMap(({ plain: line }, i) => {
        if (CHATTER.test(line)) return []
        const words = contentTokens(line).filter(({ weight }) => weight >= 0.5)
        const taken = new Set(
          plain.flatMap((one) => (one.line === i ? (matchesByLine(one.value, text)[i]?.at ?? []) : [])),
        )
        const left = words.filter(({ at }) => !taken.has(at)).length
        return left >= 2 && left >= MUCH * words.length ? [[i, taken] as const] : []
      })
      const untold = told.filter(({ value }) => !plain.some((one) => one.value === value)).map(({ value }) => value)
      this.read = { text, free: new Map(free), untold }
    }
    return this.read
  }
}
