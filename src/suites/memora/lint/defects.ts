import { groupBy } from '../../../base/group-by.js'
import { fold } from '../../../base/text.js'
import type { Ruled } from '../../lint-report.js'
import { distance } from '../days.js'
import { contradictions } from '../published/audit.js'
import { type ImportedLife, isTold } from '../published/imported.js'
import { askIn, type ReadQuestion } from '../published/questions.js'
import type { SessionReading } from '../published/reading.js'
import { countOf } from '../published/reckon.js'
import { current } from '../questions/history.js'
import { type TraceRule, violations } from '../violations.js'
import { ambiguous, groundsOf } from './grounds.js'
import type { Examined } from './tables.js'

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

/** Words that mean something only on a certain day, which nobody is given. */
const NOW =
  /\b(?:today|tonight|this (?:week|month|quarter|year)|the (?:last|past) (?:\w+ )?(?:days?|weeks?|months?|quarter)|upcoming|so far|recently)\b/i

type Place = [place: string, message: string]
const inSession = (session: number, message: string): Place => [`session ${session}`, message]

/** Everything that is known to be wrong in published lives, looked for in these. */
export function defectsOf(examined: readonly Examined[], itemsOf: (persona: string) => ReadonlySet<string>): Ruled[] {
  const lives = (name: string, about: string, find: (life: ImportedLife) => Place[]): Ruled => ({
    name,
    about,
    found: examined.flatMap(({ life }) =>
      find(life).map(([place, message]) => ({ row: `${life.released.persona} ${place}`, message })),
    ),
  })
  const questions = (
    name: string,
    about: string,
    find: (read: ReadQuestion, life: ImportedLife) => string[],
  ): Ruled => ({
    name,
    about,
    found: examined.flatMap(({ life, questions }) =>
      questions.flatMap((read) => {
        const row = `${life.released.persona} ${read.question.question_id}`
        return find(read, life).map((message) => ({ row, message }))
      }),
    ),
  })
  const broken = ({ trace }: ImportedLife, rules: readonly TraceRule[]) =>
    violations(trace).flatMap(({ rule, session, text }) => (rules.includes(rule) ? [inSession(session, text)] : []))
  return [
    lives('replay', 'operations touch what exists, with the value it has', (life) => broken(life, WRONG)),
    lives('order', 'nothing is added twice, changed to itself or touched when it is over', (life) => broken(life, ODD)),
    lives('content', 'documents say what their operations give', ({ deltas }) =>
      deltas.map(({ session, text }) => inSession(session, text)),
    ),
    questions('criteria', 'criteria agree with the recomputed state', ({ readings }) =>
      readings.filter(({ agrees, understood }) => understood && !agrees).map(wordsOf),
    ),
    questions('understood', 'it is known what questions and criteria ask for', ({ topic, readings }) =>
      topic.of === 'unknown'
        ? ['the question is of no known kind']
        : readings.filter(({ understood }) => !understood).map(wordsOf),
    ),
    lives('operations', 'it is known what sessions do', ({ unread }) =>
      unread.map(({ session, text }) => inSession(session, text)),
    ),
    lives('missing-sessions', 'every session has a file', ({ released }) =>
      released.missing.map((number) => inSession(number, 'there is no file')),
    ),
    lives('missing-questions', 'every life has a file of questions', ({ released }) =>
      released.isAsked ? [] : [['questions', 'there is no file']],
    ),
    lives('dates', 'the file of questions has the days of the sessions', otherDays),
    questions('duplicates', 'nothing is asked to be forgotten twice in one question', twice('forgetting')),
    questions('presence-twice', 'nor to be present', twice('presence')),
    questions('avoid', 'what silence meets is no presence', ({ readings }) =>
      readings.filter(({ avoid }) => avoid).map((one) => `to leave "${short(labelOf(one))}" out`),
    ),
    questions('no-presence', 'something is asked to be present besides', (read, life) => {
      const isLacking = read.topic.of !== 'unknown' && askIn(life, read, 'audited').asking === null
      return isLacking ? ['nothing is left once it is put right'] : []
    }),
    questions('bundles', 'criteria ask for one thing each', ({ readings }) => {
      const bundles = readings.filter(({ asked }) => asked.length > 1)
      return bundles.map((one) => `${one.asked.length} at once: ${short(labelOf(one))}`)
    }),
    lives('two-places', 'a name stands in one subcategory of a domain', twoPlaces),
    questions('contradictions', 'nothing must be both there and not', ({ readings }) =>
      [...contradictions(readings)].map((name) => `${name} must be there, and must not`),
    ),
    lives('unsaid-dates', 'the day to which an event is moved is said', ({ reschedules }) =>
      reschedules
        .filter((move) => !isTold(move))
        .map(({ session, event, day, said }) => inSession(session, `${event} to ${day}: ${said}`)),
    ),
    lives('past-dates', 'events are moved to days ahead', ({ reschedules }) =>
      reschedules
        .filter(({ ahead }) => ahead < 1)
        .map(({ session, event, day }) => inSession(session, `${event} to ${day}, which was no longer ahead`)),
    ),
    questions('cancelled', 'what was cancelled is asked to be forgotten', cancelled),
    questions('far-events', 'events asked for lie within a week', farEvents),
    questions('no-today', 'questions can be answered without knowing which day it is', ({ topic, question }) =>
      topic.of !== 'document' && NOW.test(question.question) ? [question.question] : [],
    ),
    questions('month-values', 'the most of a month is that of a calendar month', wrongMonths('value')),
    questions('months', 'the month with most is one of the calendar', wrongMonths('month')),
    questions('overspend', 'overspending is graded by overspending', wrongCount(false)),
    questions('overspend-count', 'or by the same number', wrongCount(true)),
    questions('partial-budgets', 'months are compared with budgets of the whole month', partialBudgets),
    lives('said', 'amounts, steps, goals, tasks, elements, budgets and days are said', (life) =>
      groundsOf(life)
        .filter(({ said }) => !said)
        .map(({ kind, session, what }) => inSession(session, `${kind}: "${short(what)}" is not said`)),
    ),
    lives('ambiguity', 'sessions about a taste name no other item', (life) =>
      ambiguous(life, itemsOf(life.released.persona)).map(({ session, item }) =>
        inSession(session, `"${item}" is named too`),
      ),
    ),
  ]
}

const short = (text: string): string => (text.length > 110 ? `${text.slice(0, 109)}…` : text)
const wordsOf = ({ criterion }: SessionReading): string => short(criterion.evaluation_question)
const labelOf = ({ asked }: SessionReading): string => asked.map(({ label }) => label).join(', ')

function otherDays({ released }: ImportedLife): Place[] {
  const { start_date, end_date } = released.questions.date_range
  const days = released.sessions.map(({ date }) => date).sort()
  const [first, last] = [days[0]!, days.at(-1)!]
  if (start_date === first && end_date === last) return []
  return [['questions', `from ${start_date} to ${end_date}, sessions from ${first} to ${last}`]]
}

/** Names that stand in several subcategories of a domain, in one of which they were withdrawn and in another not. */
function twoPlaces({ history }: ImportedLife): Place[] {
  const places = groupBy(history.things('taste:'), (thing) => {
    const [, domain, , ...item] = thing.split(':')
    return `${domain}: ${fold(item.join(':'))}`
  })
  return [...places].flatMap(([key, things]): Place[] => {
    const states = new Set(things.map((thing) => current(history.of(thing)).holds))
    return states.size > 1 ? [[key, 'withdrawn in one subcategory, held in another']] : []
  })
}

/** Criteria of a type that ask for what one before them in the question asks for. */
function twice(type: SessionReading['type']) {
  return ({ readings }: ReadQuestion): string[] => {
    const own = readings.filter((one) => one.type === type && one.asked.length === 1).map(({ asked }) => asked[0]!)
    const again = own.filter(({ name }, at) => own.findIndex((one) => one.name === name) < at)
    return again.map(({ label }) => `"${short(label)}" again`)
  }
}

function cancelled({ topic, readings }: ReadQuestion, { history }: ImportedLife): string[] {
  if (topic.of !== 'calendar') return []
  const asked = new Set(readings.flatMap(({ asked }) => asked.map(({ label }) => label)))
  const gone = history.things('event:').filter((thing) => !current(history.of(thing)).holds)
  const names = gone.map((thing) => thing.slice('event:'.length))
  return names.filter((name) => !asked.has(name)).map((name) => `${name} was cancelled`)
}

/** A week ahead is what "upcoming" is taken for where nothing is said. */
const A_WEEK = 7

function farEvents({ topic, readings, question }: ReadQuestion, { state }: ImportedLife): string[] {
  if (topic.of !== 'calendar') return []
  const { question_date: today } = question
  return readings.flatMap(({ type, asked }) => {
    const event = state.events.find(({ event, day }) => event === asked[0]?.label && day > today)
    const isFar = type === 'presence' && event !== undefined && distance(today, event.day) > A_WEEK
    return isFar ? [`${event.event} on ${event.day} is more than a week after ${today}`] : []
  })
}

function wrongMonths(part: 'value' | 'month') {
  return ({ topic }: ReadQuestion, { reckoner }: ImportedLife): string[] => {
    if (topic.of !== 'best' || topic.unit !== 'month') return []
    const { measure } = topic
    const [was, is] = [reckoner.best(measure, 'month', 'released'), reckoner.best(measure, 'month', 'calendar')]
    if (part === 'month')
      return was.place === is.place ? [] : [`number ${was.place + 1}, by the calendar ${is.place + 1}`]
    const figure = (total: number) => (measure === 'steps' ? String(total) : (total / 100).toFixed(2))
    return was.total === is.total ? [] : [`${figure(was.total)}, by the calendar ${figure(is.total)}`]
  }
}

function wrongCount(differing: boolean) {
  return ({ topic }: ReadQuestion, { reckoner }: ImportedLife): string[] => {
    if (topic.of !== 'budgets' || topic.side !== 'overspent') return []
    const periods = reckoner.budgets(topic.meal, topic.unit, 'released')
    const [met, over] = [countOf(periods, 'met'), countOf(periods, 'overspent')]
    if (differing && met === over) return []
    return [`graded by ${met} ${topic.unit}s within the budget, asked for ${over} over it`]
  }
}

function partialBudgets({ topic }: ReadQuestion, { reckoner }: ImportedLife): string[] {
  if (topic.of !== 'budgets' || topic.unit !== 'month') return []
  const partial = reckoner.budgets(topic.meal, 'month', 'released').filter((one) => one.partial)
  return partial.length === 0 ? [] : [`${partial.length} months have a budget for some of their weeks only`]
}
