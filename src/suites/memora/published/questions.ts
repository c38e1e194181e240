import type { AuditNote, Fact, Question, View } from '../../../model/index.js'
import { type LifeFact, TASKS, type Task } from '../questions/index.js'
import { type AuditFinding, asReleased, audited, type Built } from './audit.js'
import { evidenceSessions } from './evidence.js'
import { derivedFor } from './figures.js'
import type { ImportedLife } from './imported.js'
import { type Asked, readCriteria, type SessionReading } from './reading.js'
import type { ReleasedQuestion } from './schema.js'
import { isFigure, subtypeOf, type Topic, topicOf } from './topic.js'

/** A published question with its criteria read. */
export interface ReadQuestion {
  task: Task
  question: ReleasedQuestion
  topic: Topic
  readings: SessionReading[]
}

/** A question of a life in our shape, with the facts that nobody said but that it accepts. */
export interface ImportedQuestion {
  question: Question
  derived: Fact[]
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

const EMPTY: AuditFinding = {
  criterion: '',
  action: 'dropped',
  defect: 'no-presence',
  why: 'Nothing is left that an answer would have to say.',
}

/** What is found of a question that cannot be read. */
const UNKNOWN: { criteria: Built[]; findings: AuditFinding[] } = {
  criteria: [],
  findings: [
    {
      criterion: '',
      action: 'dropped',
      defect: 'not-understood',
      why: 'The question is of no known kind, so that its criteria could not be checked.',
    },
  ],
}

/** What a view makes of a question: null when it is dropped; and what it found on the way. */
export function askIn(
  life: ImportedLife,
  read: ReadQuestion,
  view: View,
): { asking: ImportedQuestion | null; findings: AuditFinding[] } {
  const { criteria, findings } = read.topic.of === 'unknown' ? UNKNOWN : audited(life, read.topic, read.readings)
  const lacking = criteria.every(({ criterion }) => criterion.type !== 'presence')
  if (lacking && read.topic.of !== 'unknown') findings.push(EMPTY)
  if (view === 'audited') return { asking: lacking ? null : asking(life, read, criteria, 'calendar'), findings }
  const released = asking(life, read, asReleased(read.readings), 'released')
  if (findings.length > 0) released.question.flags = [...new Set(findings.map(({ why }) => why))]
  return { asking: released, findings: findings.map((one) => ({ ...one, action: 'flagged' })) }
}

/** Notes as reports show them, with the place of each. */
export function notesOf(
  life: ImportedLife,
  { task, question }: ReadQuestion,
  findings: readonly AuditFinding[],
): AuditNote[] {
  const { duration, persona } = life.released
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
  criteria: readonly Built[],
  as: 'released' | 'calendar',
): ImportedQuestion {
  const asked = criteria.flatMap((one) => one.asked)
  const known = ids(asked.flatMap((one) => one.needs))
  const needs = known.length > 0 ? known : ids(namedIn(life, question))
  const instead = isFigure(topic) ? derivedFor(life, topic, question.question_id, as) : null
  return {
    derived: instead ? [instead.fact] : [],
    question: {
      id: question.question_id,
      task,
      text: question.question,
      needs: [needs, ...(instead ? [[...ids(instead.beside), instead.fact.id]] : [])],
      outdated: ids(asked.flatMap((one) => one.outdated)).filter((id) => !needs.includes(id)),
      gold: {
        kind: 'criteria',
        criteria: criteria.map(({ criterion }) =>
          instead ? { ...criterion, facts: [...criterion.facts, instead.fact.id] } : criterion,
        ),
        text: criteria
          .map(({ criterion }) => `${criterion.text} ${criterion.expected === 'yes' ? 'Yes.' : 'No.'}`)
          .join(' '),
      },
      tags: {
        subtype: subtypeOf(topic),
        duration: life.released.duration,
        persona: life.released.persona,
        consolidation: String(sessions(asked.flatMap((one) => one.needs)).size),
        mutation: String(mutations(asked).size),
      },
    },
  }
}

/** Everything told in the sessions that a question gives as its evidence, where nothing better is known of what it needs. */
function namedIn({ history }: ImportedLife, question: ReleasedQuestion): LifeFact[] {
  return [...evidenceSessions(question)].flatMap((session) => [...history.at(session)])
}

/** Sessions that changed or removed something that is asked for. */
function mutations(asked: readonly Asked[]): Set<number> {
  return sessions(asked.flatMap((one) => one.told).filter(({ act }) => act !== 'add'))
}

function sessions(facts: readonly { session: number }[]): Set<number> {
  return new Set(facts.map(({ session }) => session))
}

function ids(facts: readonly { id: string }[]): string[] {
  return [...new Set(facts.map(({ id }) => id))]
}
