import { hasMarker, placeOf } from '../../../language/stance.js'
import type { Memory } from '../../../model/index.js'
import type { Unit } from '../store/units.js'
import { findAll, type PhrasePlace } from './phrase.js'

/** How a unit speaks of a value. Several may hold at once. */
export interface Speech {
  /** It was to be forgotten. */
  removed: boolean
  /** It stands in the condition of a rule: "if it becomes …". */
  awaited: boolean
  /** It is what a rule foresees. */
  foreseen: boolean
  /** It is to come, without a condition. */
  planned: boolean
  considered: boolean
  revoked: boolean
  doubted: boolean
  /** It was the value once. */
  past: boolean
  /** A change is told. */
  changed: boolean
  /** It rests on something, in the same sentence or the ones beside it. */
  depends: boolean
}

const ANAPHOR = /\b(?:that|it|this|them|those|entry|fact|information|one)\b/
/** A value in a text whose value words say nothing about how they are spoken of. */
const VALUE = '\u00a7'
const BREAK = /[,;:()\u2014\u2192]|\s-\s|->|=>/g
/** "Lead changes -> reviewer V", "provider = W => tokens V". */
const ARROW_RULE = /(?:=(?!>)|\b(?:chang\w*|becom\w*|switch\w*|mov\w*|new|replac\w*)\b)[^,;]*(?:=>|->|\u2192)/

/** How a unit of text speaks of a value: as removed, planned, considered, revoked, doubted, past. Several may hold. */
export function classifyMention(unit: Unit, values: readonly string[], status: Memory['status']): Speech {
  const places = findAll(values, unit.plain, false)
  const sentence = masked(unit.plain, places)
  const { clause, before, after } = clauseOf(sentence)
  const whole = `${unit.heading} : ${sentence}`
  const says_ = (marker: Parameters<typeof hasMarker>[0], text = whole) => hasMarker(marker, text, true)
  const rule = ruleOf(unit.heading, sentence, clause, before, after)
  const doubted = says_('doubt') || (ANAPHOR.test(unit.after) && isDoubt(unit.after)) || isDoubt(unit.below)
  return {
    removed: status === 'tombstone' || isRemoved(unit, sentence),
    awaited: rule === 'awaited',
    foreseen: rule === 'foreseen',
    planned: says_('planned', `${unit.heading} : ${clause}`),
    considered: says_('considered') || (short(unit.after) && says_('considered', unit.after)),
    revoked: says_('revoked') || says_('revoked', unit.after),
    doubted: doubted && rule === 'none' && !says_('condition', sentence),
    past: says_('past', clause) || says_('past', unit.heading),
    changed: says_('change'),
    depends: [sentence, unit.after, unit.below, unit.heading].some((text) => says_('depends', text)),
  }
}

function isDoubt(text: string): boolean {
  return hasMarker('doubt', text, true) && !hasMarker('condition', text, true)
}

function short(text: string): boolean {
  return text !== '' && text.split(' ').length <= 12
}

/** Asked to be forgotten in the sentence itself, under its heading, or in the sentence beside it that takes it up. */
function isRemoved({ heading, before, after, below }: Unit, sentence: string): boolean {
  const asks = (text: string) => hasMarker('removal', text, true)
  if (asks(sentence) || asks(heading) || asks(below)) return true
  const [opening] = [before]
  return (
    (asks(after) && ANAPHOR.test(after) && !/\?$/.test(after)) ||
    (asks(opening) && /(?:this|following|:)\W*$/.test(opening))
  )
}

/** A text with every value made one sign. */
export function masked(plain: string, places: readonly PhrasePlace[]): string {
  let text = ''
  let from = 0
  for (const { at, end } of places) {
    text += `${plain.slice(from, at)}${VALUE}`
    from = end
  }
  return text + plain.slice(from)
}

/** The clause in which the value stands, and what is before and behind it. The whole when there is no value. */
export function clauseOf(sentence: string): { clause: string; before: string; after: string } {
  const at = sentence.indexOf(VALUE)
  if (at < 0) return { clause: sentence, before: '', after: '' }
  let [start, end] = [0, sentence.length]
  for (const match of sentence.matchAll(BREAK)) {
    // A label and its value belong together: "reviewer: V".
    if (match.index < at && /^[:(]$/.test(match[0]) && !/[,;]/.test(sentence.slice(match.index, at))) continue
    if (match.index < at) start = match.index + match[0].length
    else if (match.index > at) {
      end = match.index
      break
    }
  }
  return { clause: sentence.slice(start, end), before: sentence.slice(0, start), after: sentence.slice(end) }
}

const DONE = /\b(?:(?<!be )(?:moved|switched|changed)|became|migrated|is now|are now|has been|was)\b/

/** "Would be V with W", "lead change: reviewer V". */
const SUPPOSED =
  /\bwould (?:then |probably |likely )?(?:be|become|go|run|switch|move)\b[^,;]*\u00a7|\b(?:change|switch|move|handover|replacement|transfer) ?: (?!(?:now|new|is|to|it|from)\b)(?:[a-z'-]+ ){1,4}\W?\u00a7/

/** Whether the value is what a rule foresees, or what it waits for. */
function ruleOf(
  heading: string,
  sentence: string,
  clause: string,
  before: string,
  after: string,
): 'foreseen' | 'awaited' | 'none' {
  const conditional = (text: string) => hasMarker('condition', text, true) || hasMarker('when', text, true)
  if (!sentence.includes(VALUE))
    return conditional(sentence) && hasMarker('future', sentence, true) ? 'foreseen' : 'none'
  const at = clause.indexOf(VALUE)
  const [head, tail] = [clause.slice(0, at), clause.slice(at)]
  const future = hasMarker('future', clause, true)
  if (conditional(head)) {
    const opens = Math.max(placeOf('condition', head), placeOf('when', head))
    // "If A becomes our lead, …": something else follows. "Reviewer, once the lead changes, V" does not come about.
    if (after.replace(/[^a-z]/g, '').length > 8 && hasMarker('future', after, true)) return 'awaited'
    return opens >= 0 && (future || /(?:->|=>|:|=)/.test(head.slice(opens))) ? 'foreseen' : 'awaited'
  }
  if (!future && DONE.test(head) && !/\b(?:if|once|should|in case|unless|when)\b/.test(tail)) return 'none'
  if (conditional(tail) || ARROW_RULE.test(before) || SUPPOSED.test(clause)) return 'foreseen'
  if (conditional(before)) return 'foreseen'
  if (conditional(after) && future) return 'foreseen'
  return conditional(heading) && (future || !hasMarker('change', clause, true)) ? 'foreseen' : 'none'
}
