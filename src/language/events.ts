import { sentences } from '../base/text.js'
import { coverage } from './match.js'

/** Numbers that head items of a list within a line. */
const NUMBERED = /(?:^|\s)\(?\d{1,2}[.):]\s+/
/** Words that lead on to the next event. */
const ONWARD = /[,;]?\s+(?:and )?(?:then|next|after that|afterwards|later on|finally|followed by)\b,?\s+/i
/** Less of an event than this is not told. */
const TOLD = 0.5

/**
 * Which event every part of an answer tells, by its place among the events; null where it tells none. Parts are lines and numbered items;
 * of running text, sentences and what words such as "then" join; what ends with a colon announces others. No event is told twice.
 *
 * @example eventsTold(['the glass came', 'the frame was built'], '1. We built a frame. 2. Glass came.') // [1, 0]
 */
export function eventsTold(events: readonly string[], answer: string): (number | null)[] {
  const left = new Set(events.keys())
  return partsOf(answer).map((part) => {
    let best: { at: number; told: number } | null = null
    for (const at of left) {
      const told = coverage(events[at]!, part).exact
      if (told >= TOLD && told > (best?.told ?? 0)) best = { at, told }
    }
    if (best) left.delete(best.at)
    return best?.at ?? null
  })
}

function partsOf(answer: string): string[] {
  const listed = answer.split('\n').flatMap((line) => line.split(NUMBERED))
  const parts = filled(listed)
  return parts.length > 1 ? parts : filled(sentences(answer).flatMap((line) => line.split(ONWARD)))
}

function filled(parts: readonly string[]): string[] {
  return parts.map((part) => part.trim()).filter((part) => /[\p{L}\p{N}]/u.test(part) && !part.endsWith(':'))
}
