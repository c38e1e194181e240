import type { FactLabel } from '../../model/index.js'
import type { FactTrace, Moment } from '../data.js'
import { escapeHtml } from '../escape.js'

const WORDS: Record<FactLabel, string> = {
  not_stored: 'not in the store',
  summary_error: 'in the store, damaged',
  correct: 'in the store, faithful',
}

/** A fact along the timeline: one field a moment, and in words when it entered, was altered and was lost. */
export function courseHtml({ course }: FactTrace, moments: readonly Moment[] | undefined): string {
  if (!course || !moments) return ''
  const told = courseWords(course, moments)
  const fields = moments.map(({ name, kind }, i) => {
    const label = course[i] ?? null
    const words = `${name}: ${label === null ? 'not spoken of yet' : WORDS[label]}`
    return `<i class="c-${label ?? 'unsaid'} m-${kind}" title="${escapeHtml(words)}"></i>`
  })
  return `<p class="course"><span class="strip" role="img" aria-label="${escapeHtml(told)}">${fields.join('')}</span> ${escapeHtml(told)}</p>`
}

/** Its story in a sentence. */
function courseWords(course: readonly (FactLabel | null)[], moments: readonly Moment[]): string {
  const steps: string[] = []
  let last: FactLabel | null = null
  for (const [i, label] of course.entries()) {
    if (label === null || label === (last ?? 'not_stored')) {
      last = label ?? last
      continue
    }
    steps.push(`${verb(last ?? 'not_stored', label)} ${moments[i]!.name}`)
    last = label
  }
  return steps.length === 0 ? 'never entered the store' : steps.join(', ')
}

function verb(from: FactLabel, to: FactLabel): string {
  if (to === 'not_stored') return 'lost'
  if (from === 'not_stored') return to === 'correct' ? 'entered' : 'entered damaged'
  return to === 'correct' ? 'restored' : 'altered'
}
