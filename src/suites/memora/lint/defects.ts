import { fold } from '../../../base/text.js'
import type { Ruled } from '../../lint-report.js'
import { contradictions } from '../published/audit.js'
import { type ImportedLife, isTold, type Reschedule } from '../published/imported.js'
import { askIn, type ReadQuestion } from '../published/questions.js'
import type { SessionReading } from '../published/reading.js'
import { countOf } from '../published/reckon.js'
import { type TraceRule, violations } from '../violations.js'
import { ambiguous, groundsOf } from './grounds.js'
import type { Examined } from './tables.js'

type Found = Ruled['found']

/** What an operation may get wrong of the state it works on, and what it may do that makes little sense. */
const WRONG: readonly TraceRule[] = ['missing', 'wrong-old-value']
const ODD: readonly TraceRule[] = [
  'session-day',
  'failed-acts',
  'added-twice',
  'no-change',
  'event-over',
  'document-complete',
  'wrong-kind',
]

/** Everything that is known to be wrong in published lives, looked for in these. */
export function defectsOf(examined: readonly Examined[], itemsOf: (persona: string) => ReadonlySet<string>): Ruled[] {
  const inLife = (find: (life: ImportedLife) => [place: string | number, message: string][]): Found =>
    examined.flatMap(({ life }) =>
      find(life).map(([place, message]) => ({ row: `${life.released.persona} ${place}`, message })),
    )
  const inQuestions = (find: (life: ImportedLife, read: ReadQuestion) => string[]): Found =>
    examined.flatMap(({ life, questions }) =>
      questions.flatMap((read) =>
        find(life, read).map((message) => ({
          row: `${life.released.persona} ${read.question.question_id}`,
          message,
        })),
      ),
    )
  const inCriteria = (
    fits: (reading: SessionReading) => boolean,
    say: (label: string, reading: SessionReading) => string,
  ) =>
    inQuestions((_, { readings }) =>
      readings.filter(fits).map((one) => say(one.asked.map(({ label }) => label).join(', '), one)),
    )
  const moves = (fits: (move: Reschedule) => boolean, say: (move: Reschedule) => string) =>
    inLife(({ reschedules }) => reschedules.filter(fits).map((move) => [`session ${move.session}`, say(move)]))
  const broken = (rules: readonly TraceRule[]) =>
    inLife(({ trace }) =>
      violations(trace)
        .filter((one) => rules.includes(one.rule))
        .map(({ session, text }) => [`session ${session}`, text]),
    )
  const rule = (name: string, about: string, found: Found): Ruled => ({ name, about, found })
  return [
    rule('replay', 'operations touch what exists, with the value it has', broken(WRONG)),
    rule('order', 'nothing is added twice, changed to itself or touched when it is over', broken(ODD)),
    rule(
      'content',
      'documents say what their operations give',
      inLife(({ deltas }) => deltas.map(({ session, text }) => [`session ${session}`, text])),
    ),
    rule(
      'criteria',
      'criteria agree with the recomputed state',
      inQuestions((_, { readings }) =>
        readings
          .filter(({ agrees, understood }) => understood && !agrees)
          .map(({ criterion }) => short(criterion.evaluation_question)),
      ),
    ),
    rule('understood', 'it is known what questions and criteria ask for', inQuestions(notUnderstood)),
    rule(
      'operations',
      'it is known what sessions do',
      inLife(({ unread }) => unread.map(({ session, text }) => [`session ${session}`, text])),
    ),
    rule(
      'missing-sessions',
      'every session has a file',
      inLife(({ released }) => released.missing.map((number) => [`session ${number}`, 'there is no file'])),
    ),
    rule(
      'missing-questions',
      'every life has a file of questions',
      inLife(({ released }) => (released.isAsked ? [] : [['questions', 'there is no file']])),
    ),
    rule('dates', 'the file of questions has the days of the sessions', inLife(otherDays)),
    rule('duplicates', 'nothing is asked to be forgotten twice in one question', inQuestions(twice('forgetting'))),
    rule('presence-twice', 'nor to be present', inQuestions(twice('presence'))),
    rule(
      'avoid',
      'what silence meets is no presence',
      inCriteria(
        ({ avoid }) => avoid,
        (label) => `to leave "${short(label)}" out`,
      ),
    ),
    rule(
      'no-presence',
      'something is asked to be present besides',
      inQuestions((life, read) =>
        askIn(life, read, 'audited').findings.some(({ defect }) => defect === 'no-presence')
          ? ['nothing is left once it is put right']
          : [],
      ),
    ),
    rule(
      'bundles',
      'criteria ask for one thing each',
      inCriteria(
        ({ asked }) => asked.length > 1,
        (label, { asked }) => `${asked.length} at once: ${short(label)}`,
      ),
    ),
    rule('two-places', 'a name stands in one subcategory of a domain', inLife(twoPlaces)),
    rule(
      'contradictions',
      'nothing must be both there and not',
      inQuestions((_, { readings }) =>
        [...contradictions(readings)].map((name) => `${name} must be there, and must not`),
      ),
    ),
    rule(
      'unsaid-dates',
      'the day to which an event is moved is said',
      moves(
        (move) => !isTold(move),
        ({ event, day, said }) => `${event} to ${day}: ${said}`,
      ),
    ),
    rule(
      'past-dates',
      'events are moved to days ahead',
      moves(
        ({ ahead }) => ahead < 1,
        ({ event, day }) => `${event} to ${day}, which was no longer ahead`,
      ),
    ),
    rule('cancelled', 'what was cancelled is asked to be forgotten', inQuestions(cancelled)),
    rule('far-events', 'events asked for lie within a week', inQuestions(farEvents)),
    rule(
      'no-today',
      'questions can be answered without knowing which day it is',
      inQuestions((_, { topic, question: { question } }) =>
        topic.of !== 'document' && NOW.test(question) ? [question] : [],
      ),
    ),
    rule('month-values', 'the most of a month is that of a calendar month', inQuestions(wrongMonths('value'))),
    rule('months', 'the month with most is one of the calendar', inQuestions(wrongMonths('month'))),
    rule('overspend', 'overspending is graded by overspending', inQuestions(wrongCount)),
    rule(
      'overspend-count',
      'or by the same number',
      inQuestions((life, read) => wrongCount(life, read, true)),
    ),
    rule('partial-budgets', 'months are compared with budgets of the whole month', inQuestions(partialBudgets)),
    rule(
      'said',
      'amounts, steps, goals, tasks, elements, budgets and days are said',
      inLife((life) =>
        groundsOf(life)
          .filter(({ said }) => !said)
          .map(({ kind, session, what }) => [`session ${session}`, `${kind}: "${short(what)}" is not said`]),
      ),
    ),
    rule(
      'ambiguity',
      'sessions about a taste name no other item',
      inLife((life) =>
        ambiguous(life, itemsOf(life.released.persona)).map(({ session, item }) => [
          `session ${session}`,
          `"${item}" is named too`,
        ]),
      ),
    ),
  ]
}

/** Words that mean something only on a certain day, which nobody is given. */
const NOW =
  /\b(?:today|tonight|this (?:week|month|quarter|year)|the (?:last|past) (?:\w+ )?(?:days?|weeks?|months?|quarter)|upcoming|so far|recently)\b/i

function notUnderstood(_: ImportedLife, { topic, readings }: ReadQuestion): string[] {
  if (topic.of === 'unknown') return ['the question is of no known kind']
  return readings.filter(({ understood }) => !understood).map(({ criterion }) => short(criterion.evaluation_question))
}

function otherDays({ released }: ImportedLife): [string, string][] {
  const { start_date, end_date } = released.questions.date_range
  const days = released.sessions.map(({ date }) => date).sort()
  const [first, last] = [days[0]!, days.at(-1)!]
  if (start_date === first && end_date === last) return []
  return [['questions', `from ${start_date} to ${end_date}, sessions from ${first} to ${last}`]]
}

/** Names that stand in several subcategories of a domain, in one of which they were withdrawn and in another not. */
function twoPlaces({ history }: ImportedLife): [string, string][] {
  const held = new Map<string, Set<boolean>>()
  for (const thing of history.things('taste:')) {
    const [, domain, , ...item] = thing.split(':')
    const key = `${domain}: ${fold(item.join(':'))}`
    held.set(key, (held.get(key) ?? new Set()).add(history.of(thing).at(-1)!.holds))
  }
  return [...held].flatMap(([key, states]): [string, string][] =>
    states.size > 1 ? [[key, 'withdrawn in one subcategory, held in another']] : [],
  )
}

/** Criteria of a type that ask for what one before them in the question asks for. */
function twice(type: SessionReading['type']) {
  return (_: ImportedLife, { readings }: ReadQuestion): string[] => {
    const seen = new Set<string>()
    return readings
      .filter((one) => one.type === type && one.asked.length === 1)
      .flatMap(({ asked }) => {
        const { name, label } = asked[0]!
        if (seen.has(name)) return [`"${short(label)}" again`]
        seen.add(name)
        return []
      })
  }
}

function cancelled({ history }: ImportedLife, { topic, readings }: ReadQuestion): string[] {
  if (topic.of !== 'calendar') return []
  const forgotten = new Set(readings.flatMap(({ asked }) => asked.map(({ label }) => label)))
  return history.things('event:').flatMap((thing) => {
    const name = thing.slice('event:'.length)
    const last = history.of(thing).at(-1)!
    return last.holds || forgotten.has(name) ? [] : [`${name} was cancelled`]
  })
}

/** A week ahead is what "upcoming" is taken for where nothing is said. */
const A_WEEK = 7

function farEvents({ state }: ImportedLife, { topic, readings, question }: ReadQuestion): string[] {
  if (topic.of !== 'calendar') return []
  const limit = Date.parse(question.question_date) + A_WEEK * 86_400_000
  return readings.flatMap(({ type, asked }) => {
    const [one] = asked
    const event = state.events.find(({ event, day }) => event === one?.label && day > question.question_date)
    const isFar = type === 'presence' && event !== undefined && Date.parse(event.day) > limit
    return isFar ? [`${event.event} on ${event.day} is more than a week after ${question.question_date}`] : []
  })
}

function wrongMonths(part: 'value' | 'month') {
  return ({ reckoner }: ImportedLife, { topic }: ReadQuestion): string[] => {
    if (topic.of !== 'best' || topic.unit !== 'month') return []
    const { measure } = topic
    const [was, is] = [reckoner.best(measure, 'month', 'released'), reckoner.best(measure, 'month', 'calendar')]
    if (part === 'month')
      return was.place === is.place ? [] : [`number ${was.place + 1}, by the calendar ${is.place + 1}`]
    const figure = (total: number) => (measure === 'steps' ? String(total) : (total / 100).toFixed(2))
    return was.total === is.total ? [] : [`${figure(was.total)}, by the calendar ${figure(is.total)}`]
  }
}

function wrongCount({ reckoner }: ImportedLife, { topic }: ReadQuestion, differing = false): string[] {
  if (topic.of !== 'budgets' || topic.side !== 'overspent') return []
  const periods = reckoner.budgets(topic.meal, topic.unit, 'released')
  const [met, over] = [countOf(periods, 'met'), countOf(periods, 'overspent')]
  if (differing && met === over) return []
  return [`graded by ${met} ${topic.unit}s within the budget, asked for ${over} over it`]
}

function partialBudgets({ reckoner }: ImportedLife, { topic }: ReadQuestion): string[] {
  if (topic.of !== 'budgets' || topic.unit !== 'month') return []
  const partial = reckoner.budgets(topic.meal, 'month', 'released').filter((one) => one.partial)
  return partial.length === 0 ? [] : [`${partial.length} months have a budget for some of their weeks only`]
}

function short(text: string): string {
  return text.length > 110 ? `${text.slice(0, 109)}…` : text
}
