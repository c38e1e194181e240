import { type LintReport, type Ruled, reportOf } from '../../lint-report.js'
import { DURATIONS } from '../days.js'
import { importLife } from '../published/imported.js'
import { readQuestions } from '../published/questions.js'
import { placesIn } from '../published/read.js'
import { defectsOf } from './defects.js'
import { groundsOf, itemsOf, SAID_KINDS } from './grounds.js'
import { type Examined, tablesOf } from './tables.js'

/** A report with the numbers behind its figures. */
export interface MemoraReport extends LintReport {
  counts: Record<string, number>
}

/** Checks the lives of a release, duration by duration. */
export function lintPublished(folder: string): MemoraReport[] {
  const examined = placesIn(folder).map((place): Examined => {
    const life = importLife(folder, place)
    return { life, questions: readQuestions(life) }
  })
  const items = itemsOf(examined.map(({ life }) => life))
  const reports = Object.values(DURATIONS).flatMap((duration) => {
    const own = examined.filter(({ life }) => life.released.duration === duration)
    return own.length === 0 ? [] : [reportOn(duration, own, defectsOf(own, items))]
  })
  const total = (name: string) => reports.reduce((sum, { counts }) => sum + (counts[name] ?? 0), 0)
  const whole = agreement(total('agreeing'), total('criteria'), total('not understood'))
  return reports.map((report) => ({ ...report, figures: { ...report.figures, 'agreement in all durations': whole } }))
}

function agreement(agreeing: number, criteria: number, unclear: number): string {
  const share = ((100 * agreeing) / Math.max(1, criteria)).toFixed(2)
  return `${agreeing} of ${criteria} criteria, ${share} %${unclear === 0 ? '' : `; ${unclear} not understood`}`
}

function reportOn(duration: string, examined: readonly Examined[], rules: readonly Ruled[]): MemoraReport {
  const readings = examined.flatMap(({ questions }) => questions.flatMap((read) => read.readings))
  const agreeing = readings.filter(({ agrees }) => agrees).length
  const unclear = readings.filter(({ understood }) => !understood).length
  const tables = tablesOf(examined)
  const grounds = groundsOn(examined)
  const moves = movesOn(examined)
  const base = reportOf(duration, examined.length, rules, {
    agreement: agreement(agreeing, readings.length, unclear),
    ...tables.figures,
    said: grounds.text,
    'events moved': moves.text,
    'forgotten twice': inQuestions(rules.find(({ name }) => name === 'duplicates')?.found ?? []),
  })
  return {
    ...base,
    counts: {
      criteria: readings.length,
      agreeing,
      'not understood': unclear,
      ...tables.counts,
      ...grounds.counts,
      ...moves.counts,
    },
  }
}

const inQuestions = (found: Ruled['found']): string =>
  `${found.length} criteria, in ${new Set(found.map(({ row }) => row)).size} questions`

function groundsOn(examined: readonly Examined[]) {
  const all = examined.flatMap(({ life }) => groundsOf(life))
  const pairs = SAID_KINDS.map((kind) => {
    const own = all.filter((one) => one.kind === kind)
    return { kind, of: own.length, said: own.filter(({ said }) => said).length }
  })
  return {
    text: pairs.map(({ kind, said, of }) => `${kind} ${said}/${of}`).join(', '),
    counts: Object.fromEntries(
      pairs.flatMap(({ kind, said, of }) => [
        [`${kind} said`, said],
        [kind, of],
      ]),
    ),
  }
}

/** How events were moved, and how many criteria rest on those that were. */
function movesOn(examined: readonly Examined[]) {
  const moves = examined.flatMap(({ life }) => life.reschedules)
  const kinds = ['said', 'weekday', 'other weekday', 'other date', 'vague'] as const
  const by = kinds.map((kind) => [kind, moves.filter(({ said }) => said === kind).length] as const)
  const on = (type: 'presence' | 'forgetting', moved: boolean) =>
    examined.flatMap(({ life, questions }) => {
      const names = new Set(life.reschedules.map(({ event }) => event))
      return questions
        .filter(({ topic }) => topic.of === 'calendar')
        .flatMap(({ readings }) => readings)
        .filter((one) => one.type === type && (!moved || one.asked.some(({ label }) => names.has(label))))
    }).length
  const criteria = `${on('presence', true)} of ${on('presence', false)} presence and ${on('forgetting', true)} of ${on('forgetting', false)} forgetting criteria of calendars rest on them`
  return {
    text: `${moves.length}: ${by.map(([kind, count]) => `${kind} ${count}`).join(', ')}; ${criteria}`,
    counts: {
      reschedules: moves.length,
      ...Object.fromEntries(by.map(([kind, count]) => [`rescheduled, ${kind}`, count])),
      'calendar presence on moved events': on('presence', true),
      'calendar forgetting on moved events': on('forgetting', true),
    },
  }
}
