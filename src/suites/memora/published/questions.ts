import type { AuditNote, View } from '../../../model/index.js'
import { type MadeQuestion, questionFrom } from '../questions/asking.js'
import { TASKS, type Task } from '../trace.js'
import { type AuditFinding, asReleased, audited, type Built } from './audit.js'
import { derivedFor } from './figures.js'
import type { ImportedLife } from './imported.js'
import { readCriteria, type SessionReading } from './reading.js'
import type { Reckoning } from './reckon.js'
import type { ReleasedQuestion } from './schema.js'
import { isFigure, subtypeOf, type Topic, topicOf } from './topic.js'

/** A published question with its criteria read. */
export interface ReadQuestion {
  task: Task
  question: ReleasedQuestion
  topic: Topic
  readings: SessionReading[]
}

/** All questions about a life, read against its recomputed state. */
export function readQuestions(life: ImportedLife): ReadQuestion[] {
  return TASKS.flatMap((task) =>
    life.released.questions.questions[task].map((question) => {
      const topic = topicOf(question.question_id)
      return { task, question, topic, readings: readCriteria(life, question, topic) }
    }),
  )
}

/** Sessions that a question names as its evidence. */
export function evidenceSessions({ memory_evidence: evidence }: ReleasedQuestion): Set<number> {
  const named = [...JSON.stringify(evidence).matchAll(/"session_id":(\d+)/g)].map(([, id]) => Number(id))
  const { session_history: history } = evidence
  return new Set([...named, ...(Array.isArray(history) ? history.map(Number) : [])])
}

/** What is found of a question as a whole. */
const dropped = (why: string): AuditFinding => ({ criterion: '', action: 'dropped', why })
const EMPTY = dropped('Nothing is left that an answer would have to say.')
const UNKNOWN = dropped('The question is of no known kind, so that its criteria could not be checked.')

/** What a view makes of a question: null when it is dropped; and what it found on the way. */
export function askIn(
  life: ImportedLife,
  read: ReadQuestion,
  view: View,
): { asking: MadeQuestion | null; findings: AuditFinding[] } {
  if (life.released.questions.generator !== undefined)
    return { asking: asking(life, read, asReleased(read.readings), 'calendar'), findings: [] }
  const isKnown = read.topic.of !== 'unknown'
  const { criteria, findings } = isKnown
    ? audited(life, read.topic, read.readings)
    : { criteria: [], findings: [UNKNOWN] }
  const lacking = criteria.every(({ criterion }) => criterion.type !== 'presence')
  if (lacking && isKnown) findings.push(EMPTY)
  if (view === 'audited') return { asking: lacking ? null : asking(life, read, criteria, 'calendar'), findings }
  const released = asking(life, read, asReleased(read.readings), 'released')
  if (findings.length > 0) released.question.flags = [...new Set(findings.map(({ why }) => why))]
  return { asking: released, findings: findings.map((one) => ({ ...one, action: 'flagged' })) }
}

/** Notes as reports show them, with the place of each. */
export function notesOf(
  { released: { duration, persona } }: ImportedLife,
  { task, question }: ReadQuestion,
  findings: readonly AuditFinding[],
): AuditNote[] {
  return findings.map(({ action, why, criterion }) => ({
    task,
    row: `${duration}/${persona} ${criterion === '' ? question.question_id : criterion}`,
    action,
    why,
  }))
}

function asking(
  life: ImportedLife,
  { task, question, topic }: ReadQuestion,
  built: readonly Built[],
  as: Reckoning,
): MadeQuestion {
  const { question_id: id, question: text } = question
  const { duration, persona } = life.released
  const instead = isFigure(topic) ? derivedFor(life, topic, id, as) : undefined
  const besides = instead ? [instead.derived.id] : []
  return questionFrom(
    { id, task, text },
    { subtype: subtypeOf(topic), duration, persona },
    built.map(({ criterion }) => ({ ...criterion, facts: [...criterion.facts, ...besides] })),
    built.flatMap(({ asked }) => asked),
    instead,
    // Everything told in the sessions that it gives as its evidence, where nothing better is known of what it needs.
    () => [...evidenceSessions(question)].flatMap((session) => [...life.history.at(session)]),
  )
}
