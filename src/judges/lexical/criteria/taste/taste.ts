import { plainWords } from '../../../../language/tokens.js'
import type { CriterionAsk } from '../../../../model/index.js'
import type { AnswerText } from '../answer-lines.js'
import type { CriterionFinding } from '../finding.js'
import { type Mention, mentionsOf } from '../items.js'
import { bestMatchInAnswer } from '../telling/gist.js'
import { hintsOf, type ItemKind, kindOf, siblingsOf } from './hints.js'
import { stanceOf, type TasteStance } from './stance.js'
import { namesAreKnown } from './strangers.js'

/** So much of a theme's words, or of words that can stand for them, reflects it. */
const REFLECTED = 0.6
/** So little of a theme's words is nothing of it. */
const NOTHING = 0.25

/** So many different things that stand for a theme leave no doubt. */
const SEVERAL = 2

type Placed = Mention & { stance: TasteStance }

/** Whether a taste is put forward or drawn on; what is named only to be left out is not. */
export function readTaste({ act, forms }: CriterionAsk, text: AnswerText): CriterionFinding {
  const avoid = act === 'avoid'
  const item = forms[0] ?? ''
  const placed = (found: readonly Mention[]): Placed[] => found.map((one) => ({ ...one, stance: stanceOf(text, one) }))
  const found = fromNames(item, placed(forms.flatMap((form) => mentionsOf(form, text))), avoid)
  if (found?.yes || (found && !avoid)) return turned(found, avoid)
  const hints = placed(hintsOf(item, text))
  const hinted = fromHints(item, hints, text)
  if (hinted) return turned(hinted, avoid)
  if (found) return turned(found, avoid)
  if (hints.some(({ stance }) => stance.kind === 'aside')) {
    return turned({ yes: false, sure: false, reason: `What stands for ${item} is set aside.` }, avoid)
  }
  return turned(fromLikeness(item, text, avoid), avoid)
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

/** By what stands for the item: it must be put forward itself, or name its maker. */
function fromHints(item: string, hinted: readonly Placed[], text: AnswerText): CriterionFinding | undefined {
  const kind = kindOf(item)
  const besides = kind === 'maker' || kind === 'actor' ? 'credit' : 'drawn'
  const up = hinted.filter(({ stance }) => stance.kind === 'forward' || stance.kind === besides)
  const clear = up.filter(({ stance }) => stance.clear)
  const best = clear.find(({ whole }) => whole) ?? up[0]
  if (!best) return undefined
  const wordOf = ({ line, at, end }: Mention) => text.lines[line]!.cased.slice(at, end)
  const word = wordOf(best)
  const many = new Set(clear.map((one) => wordOf(one).toLowerCase())).size >= SEVERAL
  return {
    yes: true,
    sure: kind === 'maker' || kind === 'place' ? best.whole && best.stance.clear : many,
    reason: `It brings up ${word}, which stands for ${item}.`,
  }
}

/** By likeness, or by nothing at all. */
function fromLikeness(item: string, text: AnswerText, avoid: boolean): CriterionFinding {
  const kind = kindOf(item)
  const quiet = text.vague && namesAreKnown(text)
  const known = kind !== undefined && !isTraced(item, kind, text) && namesAreKnown(text)
  if (/\p{Lu}/u.test(item)) {
    if (kind === 'title' && !avoid) {
      const [sibling] = siblingsOf(item, text).filter((one) => stanceOf(text, one).kind === 'forward')
      if (sibling) return { yes: true, sure: false, reason: `It brings up something by who made ${item}.` }
    }
    const sure = kind === 'title' ? avoid && !isTraced(item, kind, text) : kind !== 'actor' && known
    return { yes: false, sure: sure || quiet, reason: `It does not bring up ${item}.` }
  }
  const { share, score, line, at } = bestMatchInAnswer(item, text)
  const near = kind === 'theme' ? score : share
  const modifier = modifierOf(item)
  const reflected =
    near >= REFLECTED && (modifier === undefined || bestMatchInAnswer(modifier, text).share >= REFLECTED)
  const place = line < 0 ? undefined : { line, at: Math.max(0, ...at), end: Math.max(0, ...at) + 1, whole: false }
  if (reflected && place && stanceOf(text, place).kind !== 'aside') {
    return { yes: true, sure: false, reason: `Its words come near ${item}.` }
  }
  return { yes: false, sure: quiet || (known && share < NOTHING), reason: `Nothing in it speaks of ${item}.` }
}

/** Whether what tells the item from others stands in the answer after all, though not as its name. */
function isTraced(item: string, kind: ItemKind, text: AnswerText): boolean {
  const words = plainWords(item).filter((word) => word.length > 3)
  const telling = kind === 'maker' || kind === 'actor' ? words.slice(-1) : words
  const loose = text.lines.map(({ plain, titles }) =>
    titles.reduce((rest, { at, end }) => rest.replace(plain.slice(at, end), ''), plain),
  )
  return telling.length > 0 && telling.every((word) => loose.some((line) => line.includes(word)))
}

/** The word that tells a kind from its like: "post" of "post-rock". Without it, the rest says little. */
function modifierOf(item: string): string | undefined {
  const words = plainWords(item)
  return words.length === 2 && words.every((word) => word.length > 2) ? words[0] : undefined
}
