import type { Fact } from './fact.js'
import type { Question } from './question.js'

/** One message of a conversation. */
export interface Turn {
  role: 'user' | 'assistant'
  text: string
  /** By which questions cite it, where they do; no other turn of its scenario has it. */
  id?: string
  /** Who says it, where people with names talk to each other. */
  speaker?: string
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

/** What a turn says, with the name of who says it where it has one: so it is told to systems, which know only roles. */
export function spokenText({ speaker, text }: Pick<Turn, 'speaker' | 'text'>): string {
  return speaker === undefined ? text : `${speaker}: ${text}`
}

/** A conversation as systems are told it: names stand in the text, and nothing else is left of what only questions go by. */
export function asTold(conversation: Conversation): Conversation {
  if (conversation.turns.every(({ id, speaker }) => id === undefined && speaker === undefined)) return conversation
  return { ...conversation, turns: conversation.turns.map((turn) => ({ role: turn.role, text: spokenText(turn) })) }
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
