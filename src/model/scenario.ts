import type { Fact } from './fact.js'
import type { Question } from './question.js'

/** One message of a conversation. */
export interface Turn {
  role: 'user' | 'assistant'
  text: string
}

/** A finished conversation, the unit that a memory system stores. `time` is scenario time, ISO 8601. */
export interface Conversation {
  id: string
  time: string
  turns: Turn[]
}

/** Questions asked at one moment of a scenario. */
export interface Probe {
  id: string
  time: string
  questions: Question[]
}

export type ScenarioEvent = { type: 'conversation'; conversation: Conversation } | { type: 'probe'; probe: Probe }

/** One life of one memory: an ordered timeline of conversations to store and probes to ask. */
export interface Scenario {
  id: string
  suite: string
  timeline: ScenarioEvent[]
  facts: Fact[]
  /** What users say is replied to by the model that takes the test, and its replies are stored, too. */
  answered?: true
}

/** The conversations of a scenario in the order in which they are stored. */
export function conversationsOf(scenario: Scenario): Conversation[] {
  return scenario.timeline.flatMap((event) => (event.type === 'conversation' ? [event.conversation] : []))
}

/** The probes of a scenario in the order in which they are asked. */
export function probesOf(scenario: Scenario): Probe[] {
  return scenario.timeline.flatMap((event) => (event.type === 'probe' ? [event.probe] : []))
}

/** All questions of a scenario in the order in which they are asked. */
export function questionsOf(scenario: Scenario): Question[] {
  return probesOf(scenario).flatMap((probe) => probe.questions)
}

/** Scenario time of an event. */
export function timeOf(event: ScenarioEvent): string {
  return event.type === 'conversation' ? event.conversation.time : event.probe.time
}

/** The probes of a scenario by the ids of what is asked at them. */
export function probesByQuestion(scenario: Scenario): ReadonlyMap<string, Probe> {
  return new Map(probesOf(scenario).flatMap((probe) => probe.questions.map(({ id }) => [id, probe] as const)))
}

/** A moment of a timeline at which the store may have been kept: after a conversation, or at a probe. */
export function momentOf(event: ScenarioEvent): string {
  return event.type === 'conversation' ? `after ${event.conversation.id}` : event.probe.id
}
