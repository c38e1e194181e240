import { plainWords } from '../../../language/tokens.js'
import type { CriterionAsk } from '../../../model/index.js'
import type { AnswerText } from './answer-lines.js'
import { isAside } from './aside.js'
import type { Finding } from './figures.js'
import { gistOf } from './gist.js'
import { hintsOf, isKnown } from './hints.js'
import { mentionsOf } from './items.js'

/** So much of a theme's words, or of words that can stand for them, reflects it. */
const REFLECTED = 0.6
/** What the user is said to have enjoyed speaks for itself, not for all that it could stand for. */
const ENJOYED =
  /\b(?:since|as|because|if|given) you(?:'ve)? (?:\w+ )?(?:liked?|loved?|enjoy(?:ed)?|watched|read)\b[^,;.]*$/

/** Whether a taste is put forward or drawn on; what is named only to be left out is not. */
export function readTaste({ act, forms }: CriterionAsk, text: AnswerText): Finding {
  const turn = ({ yes, ...rest }: Finding): Finding => ({ yes: act === 'avoid' ? !yes : yes, ...rest })
  const item = forms[0] ?? ''
  const named = forms.flatMap((form) => mentionsOf(form, text))
  const forward = named.filter(({ line, at, end }) => !isAside(text.lines[line]!, at, end))
  if (forward.length > 0) {
    return turn({ yes: true, sure: forward.some(({ whole }) => whole), reason: `It brings up ${item}.` })
  }
  if (named.length > 0) return turn({ yes: false, sure: true, reason: `It names ${item} only to set it aside.` })
  if (text.vague) return turn({ yes: false, sure: true, reason: `It brings up nothing, and not ${item}.` })
  const hints = hintsOf(item, text).filter(
    ({ line, at, end }) => !isAside(text.lines[line]!, at, end) && !ENJOYED.test(text.lines[line]!.plain.slice(0, at)),
  )
  if (hints.length > 0) {
    const { line, at, end } = hints[0]!
    return turn({
      yes: true,
      sure: false,
      reason: `It brings up ${text.lines[line]!.cased.slice(at, end)}, which stands for ${item}.`,
    })
  }
  if (/\p{Lu}/u.test(item)) {
    return turn({ yes: false, sure: isKnown(item), reason: `It does not bring up ${item}.` })
  }
  const { share, line } = gistOf(item, text)
  const modifier = modifierOf(item)
  const reflected = share >= REFLECTED && (modifier === undefined || gistOf(modifier, text).share >= REFLECTED)
  const aside = line >= 0 && isAside(text.lines[line]!, text.lines[line]!.plain.length, text.lines[line]!.plain.length)
  if (reflected && !aside) return turn({ yes: true, sure: false, reason: `Its words come near ${item}.` })
  return turn({ yes: false, sure: false, reason: `Nothing in it speaks of ${item}.` })
}

/** The word that tells a kind from its like: "post" of "post-rock". Without it, the rest says little. */
function modifierOf(item: string): string | undefined {
  const words = plainWords(item)
  return words.length === 2 && words.every((word) => word.length > 2) ? words[0] : undefined
}
