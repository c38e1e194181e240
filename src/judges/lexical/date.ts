import { fold } from '../../base/text.js'
import { type DaySpan, daySpans } from '../../language/days.js'
import type { AnswerVerdict, Gold } from '../../model/index.js'

/** Days are told, but none is settled on. */
const OPEN = /\b(?:or|either|maybe|perhaps|possibly|might|not sure|unsure|unclear|i think|i believe|probably)\b/

/**
 * When something was, as an answer tells it: written out, or by its distance from another day. The same days are right for sure; a day within
 * them is what was asked for more exactly than it can be known, so likely right; more days than that leave open what was asked for.
 *
 * @example gradeDate({ kind: 'date', from: '2023-05-21', to: '2023-05-21', text: '' }, 'the Sunday before 25 May 2023').grade // 'right'
 */
export function gradeDate(gold: Extract<Gold, { kind: 'date' }>, answer: string, refuses: boolean): AnswerVerdict {
  const told = daySpans(answer, { year: Number(gold.from.slice(0, 4)) })
  const wanted = { from: gold.from, to: gold.to }
  const wrong = (reason: string, uncertain = false): AnswerVerdict => ({ grade: 'wrong', uncertain, reason })
  if (told.length === 0) {
    if (refuses) return wrong('It says that it does not know.')
    return wrong('It names no day.', /\b(?:ago|last|next|before|after|yesterday|week|month|year)\b/.test(fold(answer)))
  }
  const others = told.filter((span) => !isWithin(span, wanted) && !isWithin(wanted, span))
  const isOpen = refuses || OPEN.test(fold(answer))
  const same = told.some(({ from, to }) => from === wanted.from && to === wanted.to)
  if (same || told.some((span) => isWithin(span, wanted))) {
    const reason = same ? `It names ${gold.text}.` : `What it names lies within ${gold.text}.`
    if (others.length > 0 && isOpen) return wrong(`It leaves open whether it was ${gold.text}.`, true)
    return { grade: 'right', uncertain: !same || others.length > 0 || isOpen, reason }
  }
  if (told.some((span) => isWithin(wanted, span))) return wrong(`It tells it less exactly than ${gold.text}.`, true)
  const near = told.some((span) => span.from <= wanted.to && wanted.from <= span.to)
  return wrong(`It names other days than ${gold.text}.`, near)
}

function isWithin(inner: DaySpan, outer: DaySpan): boolean {
  return outer.from <= inner.from && inner.to <= outer.to
}
