import type { CriterionAsk } from '../../../model/index.js'
import { isAside } from './aside.js'
import type { AnswerText } from './answer-lines.js'
import type { Finding } from './figures.js'
import { gistOf } from './gist.js'
import { hintsOf, isKnown } from './hints.js'
import { mentionsOf } from './items.js'

/** So much of a theme's words, or of words that can stand for them, reflects it. */
const REFLECTED = 0.6
const HINTED = 0.4

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
  const hints = hintsOf(item, text).filter(({ line, at, end }) => !isAside(text.lines[line]!, at, end))
  if (hints.length > 0) {
    const { line, at, end } = hints[0]!
    return turn({ yes: true, sure: false, reason: `It brings up ${text.lines[line]!.cased.slice(at, end)}, which stands for ${item}.` })
  }
  if (/\p{Lu}/u.test(item)) {
    return turn({ yes: false, sure: isKnown(item), reason: `It does not bring up ${item}.` })
  }
  const { share, line } = gistOf(item, text)
  const aside = line >= 0 && isAside(text.lines[line]!, text.lines[line]!.plain.length, text.lines[line]!.plain.length)
  if (share >= REFLECTED && !aside) return turn({ yes: true, sure: false, reason: `Its words come near ${item}.` })
  return turn({ yes: false, sure: share < HINTED && isKnown(item), reason: `Nothing in it speaks of ${item}.` })
}
