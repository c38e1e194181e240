import { UserError } from '../../../base/errors.js'
import { mapGivingWay } from '../../../base/give-way.js'
import { groupBy } from '../../../base/group-by.js'
import { fingerprint } from '../../../base/hash.js'
import type { AuditNote, LoadedSuite, SuiteOptions } from '../../../model/index.js'
import { compile } from '../compile.js'
import { DURATIONS } from '../days.js'
import { QUICK } from '../load.js'
import { type ImportedLife, importLife } from './imported.js'
import { askIn, notesOf, readQuestions } from './questions.js'
import { type LifePlace, placesIn } from './read.js'
import { asSaid, spokenIn } from './spoken.js'

/** Lives of a published release as scenarios. */
export async function loadPublished(options: SuiteOptions): Promise<LoadedSuite> {
  const root = options.data!
  const audit: AuditNote[] = []
  const hashes: string[] = []
  const lives = await mapGivingWay(chosen(placesIn(root), options), (place) => {
    const life = importLife(root, place)
    hashes.push(life.released.hash)
    audit.push(...notesOn(life))
    if (!life.released.isAsked) return []
    const made = scenarioOf(life, options)
    audit.push(...made.audit)
    return [made.scenario]
  })
  const scenarios = lives.flat()
  if (scenarios.length === 0) {
    throw new UserError(
      'No life of the release has questions.',
      'Expected evaluation_questions_<persona>.json beside conversations.',
    )
  }
  return { scenarios, datasetHash: fingerprint([hashes, options.view, scenarios.map(({ id }) => id)]), audit }
}

/** What is to be told of a life as a whole: sessions that are not there or not understood, and questions that are not there. */
function notesOn({ released, unread }: ImportedLife): AuditNote[] {
  const { duration, persona, missing, isAsked } = released
  const row = `${duration}/${persona}`
  const flagged = (session: number, why: string): AuditNote => {
    return { task: 'sessions', row: `${row} session ${session}`, action: 'flagged', why }
  }
  const why = 'There is no file of questions about this life.'
  return [
    ...missing.map((session) => flagged(session, 'There is no file of this session.')),
    ...unread.map(({ session, text }) => flagged(session, `What the session does is not understood: ${text}.`)),
    ...(isAsked ? [] : [{ task: 'sessions', row, action: 'dropped' as const, why }]),
  ]
}

function scenarioOf(life: ImportedLife, { view, tasks, size }: SuiteOptions) {
  const audit: AuditNote[] = []
  const questions = readQuestions(life).filter(({ task }) => tasks?.includes(task) ?? true)
  const made = questions.flatMap((read) => {
    const { asking, findings } = askIn(life, read, view)
    audit.push(...notesOf(life, read, findings))
    return asking ?? []
  })
  const byTask = groupBy(made, ({ question }) => question.task).values()
  const asked = [...byTask].flatMap((own) => own.slice(0, size === 'quick' ? QUICK.questions : undefined))
  const scenario = compile({
    trace: life.trace,
    conversations: spokenIn(life),
    questions: asked.map(({ question }) => question),
    derived: asked.flatMap(({ derived }) => derived),
  })
  const id = `memora/${life.released.persona}/${life.released.duration}`
  return { audit, scenario: { ...scenario, id, facts: asSaid(life, scenario.facts) } }
}

/** The lives that were asked for, by days and by persona; all when nothing is said. */
function chosen(places: readonly LifePlace[], { extra, size }: SuiteOptions): LifePlace[] {
  const { days = 'auto', personas = 'all' } = extra
  const there = [...new Set(places.map(({ duration }) => duration))]
  const usual = size === 'quick' ? there.slice(0, 1) : there
  const wanted = days === 'auto' ? usual : days.split(',').map((one) => durationFor(one, there))
  const lasting = places.filter(({ duration }) => wanted.includes(duration))
  const known = [...new Set(lasting.map(({ persona }) => persona))]
  if (personas !== 'all') {
    const asked = personas.split(',')
    const stranger = asked.find((name) => !known.includes(name))
    if (stranger !== undefined)
      throw new UserError(`The release has no persona "${stranger}" of that duration.`, `It has ${known.join(', ')}.`)
    return lasting.filter(({ persona }) => asked.includes(persona))
  }
  if (size === 'paper') return lasting
  if (size !== 'quick' && size > known.length) {
    throw new UserError(`--size ${size} asks for more personas than the release has.`, `It has ${known.length}.`)
  }
  const first = known.slice(0, size === 'quick' ? QUICK.personas : size)
  return lasting.filter(({ persona }) => first.includes(persona))
}

/** The duration of so many days, which must be among those that are there. */
function durationFor(days: string, there: readonly LifePlace['duration'][]): LifePlace['duration'] {
  const held = Object.entries(DURATIONS).filter(([, duration]) => there.includes(duration))
  const found = held.find(([one]) => one === days.trim())
  if (found) return found[1]
  const words = held.map(([one, duration]) => `${one} (${duration})`).join(' and ')
  throw new UserError(`The release has no lives of "${days}" days.`, `It has ${words}.`)
}
