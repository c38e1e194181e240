import { plainWords } from '../../../../language/tokens.js'
import type { CriterionAsk } from '../../../../model/index.js'
import type { AnswerText } from '../answer-lines.js'
import type { CriterionFinding } from '../finding.js'
import { type Mention, mentionsOf } from '../items.js'
import { bestMatchInAnswer } from '../telling/gist.js'
import { placeOf } from '../telling/telling.js'
import { stanceOf, type TasteStance } from './stance.js'

/** So much of an item's words, or of words that can stand for them, reflects it. */
const REFLECTED = 0.6

type Placed = Mention & { stance: TasteStance }

/** Whether a taste is put forward or drawn on; what is named only to be left out is not. */
export function judgeTasteCriterion({ act, forms }: CriterionAsk, text: AnswerText): CriterionFinding {
  const avoid = act === 'avoid'
  const item = forms[0] ?? ''
  const placed = (found: readonly Mention[]): Placed[] => found.map((one) => ({ ...one, stance: stanceOf(text, one) }))
  const named = [...forms.flatMap((form) => mentionsOf(form, text)), ...yearsOf(item, text)]
  const found = fromNames(item, placed(named), avoid)
  if (found) return turned(found, avoid)
  return turned(fromLikeness(item, text), avoid)
}

/** Years that an answer names of a decade: 1989 of "1980s". */
function yearsOf(item: string, text: AnswerText): Mention[] {
  const [decade] = /^(?:19|20)\d(?=0s$)/.exec(item) ?? []
  if (decade === undefined) return []
  const year = new RegExp(`\\b${decade}\\d\\b`, 'g')
  return text.lines.flatMap(({ plain }, line) =>
    [...plain.matchAll(year)].map(({ index }) => ({ line, at: index, end: index + 4, whole: false })),
  )
}

const turned = ({ yes, ...rest }: CriterionFinding, avoid: boolean): CriterionFinding => ({
  yes: avoid ? !yes : yes,
  ...rest,
})

/** By the item's own names. What is only drawn on is a taste reflected, but nothing recommended. */
function fromNames(item: string, named: readonly Placed[], avoid: boolean): CriterionFinding | undefined {
  if (named.length === 0) return undefined
  const up = named.filter(({ stance }) => stance.kind === 'forward' || (!avoid && stance.kind !== 'aside'))
  if (up.length > 0) {
    return { yes: true, sure: up.some(({ whole, stance }) => whole && stance.clear), reason: `It brings up ${item}.` }
  }
  const aside = named.filter(({ stance }) => stance.kind === 'aside')
  const sure = aside.length === named.length && aside.every(({ stance }) => stance.clear)
  return { yes: false, sure, reason: `It names ${item} only to set it aside.` }
}

/** By likeness, or by nothing at all. */
function fromLikeness(item: string, text: AnswerText): CriterionFinding {
  if (/\p{Lu}/u.test(item)) return { yes: false, sure: isQuiet(text), reason: `It does not bring up ${item}.` }
  const { share, line } = bestMatchInAnswer(item, text)
  const modifier = modifierOf(item)
  const reflected =
    share >= REFLECTED && (modifier === undefined || bestMatchInAnswer(modifier, text).share >= REFLECTED)
  const place = line < 0 ? undefined : { line, ...placeOf(item, text, line), whole: false }
  if (reflected && place && stanceOf(text, place).kind !== 'aside') {
    return { yes: true, sure: false, reason: `Its words come near ${item}.` }
  }
  return { yes: false, sure: isQuiet(text), reason: `Nothing in it speaks of ${item}.` }
}

/** Nothing specific is said, and nothing named by a name. */
function isQuiet({ vague, lines }: AnswerText): boolean {
  return vague && !lines.some(({ cased }) => /(?<=[\p{Ll},;] )\p{Lu}\p{Ll}/u.test(cased))
}

/** The word that tells a kind from its like: "post" of "post-rock". Without it, the rest says little. */
function modifierOf(item: string): string | undefined {
  const words = plainWords(item)
  return words.length === 2 && words.every((word) => word.length > 2) ? words[0] : undefined
}
