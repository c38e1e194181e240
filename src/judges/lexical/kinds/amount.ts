import { plainWords } from '../../../language/tokens.js'
import type { Fact } from '../../../model/index.js'
import type { StoreIndex } from '../store/store-index.js'
import { type Passage, passages } from '../store/view.js'
import { hasCore } from './core.js'
import { formsOf } from './finding.js'
import { presence } from './presence.js'

const MONEY = /\$\s?\d|\d\s?(?:dollars?|bucks|usd)\b/i
const COUNT = /^\d[\d.,]*$/
/** A count stands at most so many words from what is counted. */
const REACH = 2
const THERE = 0.75

/**
 * Statements out of the very conversation that told an amount, which tell another amount of the same: "Lunch was $9.80" for $12.40. From
 * anywhere else that would be another lunch.
 */
export function alteredAmounts(fact: Fact, index: StoreIndex): Passage[] {
  if (fact.cues.core !== 'number') return []
  const what = formsOf(fact.cues, 'what')
  return index
    .from(fact.sources)
    .flatMap((view) => passages(view, 1))
    .filter(({ text }) => presence(what, text).share >= THERE && hasAmount(fact, text) && !hasCore(fact, text))
}

/** Whether a text has an amount of the sort that the fact tells. */
function hasAmount({ cues }: Fact, text: string): boolean {
  const forms = formsOf(cues, 'number')
  if (forms.some((form) => MONEY.test(form))) return MONEY.test(text)
  const size = digits(forms.find((form) => COUNT.test(form)) ?? '')
  const counted = new Set(formsOf(cues, 'what').flatMap(plainWords))
  const words = plainWords(text)
  return words.some(
    (word, at) =>
      COUNT.test(word) &&
      Math.abs(digits(word) - size) <= 1 &&
      words.slice(Math.max(0, at - REACH), at + REACH + 1).some((near) => counted.has(near)),
  )
}

const digits = (number: string): number => number.replace(/\.\d+$|\D/g, '').length
