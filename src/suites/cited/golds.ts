import { daySpans } from '../../language/days.js'
import type { Gold } from '../../model/index.js'

/** Words that only place a day, beside numbers and names of months. */
const PLACING = new RegExp(
  `^(?:${[
    'the|a|an|of|in|on|at|to|and|by|before|after|between|since|around|about|approximately|early|late|mid|end|beginning',
    'weeks?|weekends?|days?|night|months?|years?|first|second|third|last|next|few|two|three|four',
    'spring|summer|autumn|fall|winter|\\w*day|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\\w*|\\d+(?:st|nd|rd|th)?',
  ].join('|')})$`,
  'i',
)

/** More words than these are no item of a list. */
const LONGEST_ITEM = 6

/**
 * How an answer that is only a text is graded: as days, as yes or no, as a list where the question asks for several, or freely.
 *
 * @example goldOf('The Friday before 15 July 2023') // { kind: 'date', from: '2023-07-14', to: '2023-07-14', … }
 */
export function goldOf(text: string, { several = false } = {}): Gold {
  const date = dateOf(text)
  if (date) return date
  const side = /^(?:most )?(?:likely |probably )?(yes|no)\b/i.exec(text.trim())?.[1]?.toLowerCase()
  if (side === 'yes' || side === 'no') return { kind: 'yes-no', answer: side, text }
  const items = several ? itemsOf(text) : []
  return items.length > 1 ? { kind: 'list', items, closed: true, text } : { kind: 'free', text }
}

function dateOf(text: string): Gold | null {
  const [span, ...others] = daySpans(text)
  if (!span || others.length > 0) return null
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? []
  // Some golds lack a space: "14September".
  const parts = words.flatMap((word) => word.split(/(?<=^\d{1,2})(?=\p{Lu})/u))
  return parts.every((word) => PLACING.test(word)) ? { kind: 'date', ...span, text } : null
}

/** The items of a list; none where the text is a sentence rather than a list. */
function itemsOf(text: string): string[] {
  const items = text
    .split(/\s*[,;]\s*(?:and\s+)?|\s+and\s+/)
    .map((item) => item.replace(/^["'\u201c]+|["'\u201d.]+$/g, '').trim())
    .filter((item) => item !== '')
  return items.every((item) => item.split(/\s+/).length <= LONGEST_ITEM) ? items : []
}
