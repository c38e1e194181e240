import type { Fact } from '../../../model/index.js'
import { timesOn } from '../days.js'
import { fieldPart, revisionPart } from '../talk/documents.js'
import { conversationId, type SpokenSession } from '../talk/talk.js'
import type { Operation, TraceSession } from '../trace.js'
import { type ImportedLife, isTold, sharedIn } from './imported.js'
import { isAssistant, type SessionFile, saidByUser, sharedBy } from './read.js'
import { closestSentence, dayAsSaid, sentenceNaming } from './said.js'

/** The conversations of a published life, both speakers word for word, with the sentences that say what each operation does. */
export function spokenIn({ released: { sessions }, trace }: ImportedLife): SpokenSession[] {
  const times = timesOn(sessions.map(({ date }) => date))
  return sessions.map((file, at) => ({
    id: conversationId(file.session_id),
    time: times[at]!,
    session: file.session_id,
    turns: file.conversation.flatMap(({ speaker, message }) =>
      message.trim() === '' ? [] : [{ role: isAssistant(speaker) ? 'assistant' : 'user', text: message }],
    ),
    said: saidIn(file, trace.sessions[at]!),
  }))
}

/** Facts as published data says them: events are also known by the way in which their day was said, and a day that nobody said is no part of them. */
export function asSaid(life: ImportedLife, facts: readonly Fact[]): Fact[] {
  const byId = new Map(life.history.facts.map((fact) => [fact.id, fact]))
  const moves = new Map(life.reschedules.map((move) => [move.session, move]))
  return facts.map((fact) => {
    const own = byId.get(fact.id)
    if (!own?.name.startsWith('event:')) return fact
    const { parts } = fact.cues
    const move = moves.get(own.session)
    if (move && !isTold(move)) {
      const unsupported = `That ${move.event} is on ${move.day} is not said.`
      return { ...fact, unsupported, cues: { ...fact.cues, parts: parts.filter(({ role }) => role !== 'value') } }
    }
    const said = dayAsSaid(sharedIn(life.released, own.session), own.value, own.day)
    const known = parts.map((part) => (part.role === 'value' ? { ...part, forms: [...part.forms, ...said] } : part))
    return { ...fact, cues: { ...fact.cues, parts: known } }
  })
}

function saidIn(file: SessionFile, { operation }: TraceSession): Record<string, string[]> {
  if (operation === null) return {}
  const [shared, own] = [sharedBy(file), saidByUser(file)]
  // Which document is meant is said before anything is shared; the sentences that share its revisions are about its elements.
  const revises = operation.of === 'document' && operation.act !== 'add'
  const sentencesOf = (part: string, phrase: string) =>
    revises && part === 'item' ? sentenceNaming(own, phrase) : closestSentence(shared, phrase)
  const phrases = Object.entries(phrasesOf(operation))
  return Object.fromEntries(phrases.map(([part, phrase]) => [part, sentencesOf(part, phrase)]))
}

/** The parts of an operation, as facts name them, with what has to be said for each. */
function phrasesOf(operation: Operation): Record<string, string> {
  switch (operation.of) {
    case 'taste': {
      const { item } = operation
      return { item, value: item, old: operation.act === 'replace' ? operation.old : item }
    }
    case 'food': {
      const { meal, amount } = operation
      return { item: meal, value: `${amount.toFixed(2)} ${amount} ${meal}` }
    }
    case 'steps':
      return { item: 'steps', value: shown('steps', operation.count) }
    case 'todo':
      return { item: operation.task, value: operation.task }
    case 'calendar':
      return { item: operation.event, value: operation.event, old: operation.event }
    case 'goal': {
      const amount = shown(`${operation.goal} goal budget`, operation.value)
      return { item: amount, value: amount, old: amount }
    }
    case 'document': {
      const parts =
        operation.act === 'add'
          ? Object.entries(operation.fields).flatMap(([field, value]) =>
              [value].flat().map((one) => [fieldPart(field, one), shown(field, one)]),
            )
          : operation.revisions.map((one, at) => [
              revisionPart(at),
              shown(one.field, 'value' in one ? one.value : one.to),
            ])
      return { item: operation.title, ...Object.fromEntries(parts) }
    }
  }
}

function shown(what: string, value: string | number): string {
  return typeof value === 'number' ? `${value} ${value.toLocaleString('en')} ${what}` : value
}
