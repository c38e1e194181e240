import { type LintReport, type Ruled, reportOf } from '../../lint-report.js'
import { DURATIONS } from '../days.js'
import { importLife } from '../published/imported.js'
import { readQuestions } from '../published/questions.js'
import { placesIn } from '../published/read.js'
import { defectsOf } from './defects.js'
import { groundsOf, itemsOf, SAID_KINDS } from './grounds.js'
import { type Examined, type Tables, tablesOf } from './tables.js'

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
  const twice = rules.find(({ name }) => name === 'duplicates')!.found
  const parts = [tablesOf(examined), groundsOn(examined), movesOn(examined)]
  const figures: Record<string, string> = Object.assign({}, ...parts.map((part) => part.figures))
  const base = reportOf(duration, examined.length, rules, {
    agreement: agreement(agreeing, readings.length, unclear),
    ...figures,
    'forgotten twice': `${twice.length} criteria, in ${new Set(twice.map(({ row }) => row)).size} questions`,
  })
  const counts: MemoraReport['counts'] = Object.assign(
    { criteria: readings.length, agreeing, 'not understood': unclear },
    ...parts.map((part) => part.counts),
  )
  return { ...base, counts }
}

function groundsOn(examined: readonly Examined[]): Tables {
  const all = examined.flatMap(({ life }) => groundsOf(life))
  const pairs = SAID_KINDS.map((kind) => {
    const own = all.filter((one) => one.kind === kind)
    return { kind, of: own.length, said: own.filter(({ said }) => said).length }
  })
  const counts = pairs.flatMap(({ kind, said, of }): [string, number][] => [
    [`${kind} said`, said],
    [kind, of],
  ])
  return {
    figures: { said: pairs.map(({ kind, said, of }) => `${kind} ${said}/${of}`).join(', ') },
    counts: Object.fromEntries(counts),
  }
}

/** How events were moved, and how many criteria rest on those that were. */
function movesOn(examined: readonly Examined[]): Tables {
  const moves = examined.flatMap(({ life }) => life.reschedules)
  const kinds = ['said', 'weekday', 'other weekday', 'other date', 'vague'] as const
  const by = kinds.map((kind) => [kind, moves.filter(({ said }) => said === kind).length] as const)
  const on = (type: 'presence' | 'forgetting') => {
    const own = examined.flatMap(({ life, questions }) => {
      const moved = new Set(life.reschedules.map(({ event }) => event))
      return questions
        .filter(({ topic }) => topic.of === 'calendar')
        .flatMap(({ readings }) => readings.filter((one) => one.type === type))
        .map(({ asked }) => asked.some(({ label }) => moved.has(label)))
    })
    const moved = own.filter((rests) => rests).length
    return { moved, words: `${moved} of ${own.length} ${type}` }
  }
  const [presence, forgetting] = [on('presence'), on('forgetting')]
  const rest = `${presence.words} and ${forgetting.words} criteria of calendars rest on them`
  const words = by.map(([kind, count]) => `${kind} ${count}`).join(', ')
  return {
    figures: { 'events moved': `${moves.length}: ${words}; ${rest}` },
    counts: {
      reschedules: moves.length,
      ...Object.fromEntries(by.map(([kind, count]) => [`rescheduled, ${kind}`, count])),
      'calendar presence on moved events': presence.moved,
      'calendar forgetting on moved events': forgetting.moved,
    },
  }
}
