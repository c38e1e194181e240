import { basename } from 'node:path'
import { MONTHS } from '../../base/calendar.js'
import { UserError } from '../../base/errors.js'
import { fingerprint, sha256 } from '../../base/hash.js'
import { shortened } from '../../base/text.js'
import { numbersInDigits } from '../../language/numbers.js'
import type { AuditNote, Gold } from '../../model/index.js'
import type { CitedChat, CitedQuestion, CitedSession, CitedTurn } from '../cited/chat.js'
import { goldOf } from '../cited/golds.js'
import type { CitedData, CitedOptions } from '../cited/suite.js'
import { RuleBook } from '../lint-report.js'
import { fileIn, parsedJson, readText, requireShape } from '../read-files.js'
import { type MendedQuestion, readAudit } from './audit.js'
import { FILES } from './index.js'
import { type LocomoQuestion, Release, type ReleasedChat } from './schema.js'

const TASKS = ['multi-hop', 'temporal', 'open-domain', 'single-hop', 'adversarial'] as const
const ACTIONS = { replaced: 'repaired', regraded: 'repaired', dropped: 'dropped' } as const

const RULES = {
  references: 'every reference of a question is the id of a turn',
  sessions: 'every session that has a date was held',
  observations: 'every observation retells turns that there are',
}
type Findings = RuleBook<keyof typeof RULES>

/** Reads the release. Audited, references are mended, and what the public audit found is put right where its file is named. */
export function readLocomo({ folder, view, extra }: CitedOptions): CitedData {
  const file = fileIn(folder, FILES)!
  const text = readText(file)
  const released = requireShape(parsedJson(text, file), Release, basename(file))
  const mended: ReadonlyMap<string, MendedQuestion> =
    view === 'audited' && extra.audit ? readAudit(extra.audit, released) : new Map()
  const audit: AuditNote[] = []
  const found: Findings = new RuleBook(RULES)
  const chats = released.map((chat, at): CitedChat => {
    const { sessions, missing } = sessionsOf(chat)
    const turns = new Set(sessions.flatMap((session) => session.turns.map(({ id }) => id)))
    for (const session of missing)
      found.add('sessions', `${chat.sample_id} ${session}`, 'has a date, but nothing was said')
    if (missing.length > 0)
      audit.push({
        task: '*',
        row: chat.sample_id,
        action: 'flagged',
        why: `${missing.length} sessions have a date, but are absent`,
      })
    const questions = chat.qa.flatMap((asked, place): CitedQuestion[] => {
      const row = `locomo_${at}_qa${place}`
      const task = TASKS[asked.category - 1]!
      const mend = mended.get(row)
      if (mend) audit.push({ task, row, action: ACTIONS[mend.action], why: mend.why })
      if (mend?.action === 'dropped') return []
      const given = {
        ...asked,
        ...(mend?.answer !== undefined && { answer: mend.answer }),
        evidence: mend?.evidence ?? asked.evidence,
      }
      const cited = given.evidence.map((reference) => ({ reference, ids: resolved(reference, turns) }))
      for (const { reference, ids } of cited) {
        if (ids.length === 1 && ids[0] === reference) continue
        const wrong = ids.length === 0 ? 'is of no turn' : `should be ${ids.join(', ')}`
        found.add('references', row, `"${reference}" ${wrong}`)
        const isMended = view === 'audited' && ids.length > 0
        const why = `the reference "${reference}" ${isMended ? `is read as ${ids.join(', ')}` : 'leads nowhere and is left out'}`
        audit.push({ task, row, action: isMended ? 'repaired' : 'flagged', why })
      }
      const kept = cited.flatMap(({ reference, ids }) => (view === 'audited' || ids[0] === reference ? ids : []))
      return [question(row, task, given, [...new Set(kept)], chat)]
    })
    return { id: chat.sample_id, sessions, questions, retold: retoldIn(chat, turns, found) }
  })
  const hash = fingerprint([sha256(text), [...mended.keys()]])
  return { chats, hash, audit, rules: found.all(), notes: temporalNote(chats) }
}

function sessionsOf({ sample_id: id, conversation }: ReleasedChat): { sessions: CitedSession[]; missing: string[] } {
  const sessions: CitedSession[] = []
  const missing: string[] = []
  for (const key of Object.keys(conversation)) {
    const name = /^(session_\d+)_date_time$/.exec(key)?.[1]
    if (name === undefined) continue
    const [time, said] = [conversation[key], conversation[name]]
    if (typeof time !== 'string' || !Array.isArray(said)) missing.push(name)
    else sessions.push({ id: name, time: timeFrom(time, `${key} of ${id}`), turns: said.map(turnFrom) })
  }
  return { sessions: sessions.sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0)), missing }
}

/** Pictures are there by their captions, as in the paper. */
function turnFrom({
  dia_id: id,
  speaker,
  text,
  blip_caption: caption,
}: Extract<ReleasedChat['conversation'][string], unknown[]>[number]): CitedTurn {
  return { role: 'user', id, speaker, text: caption === undefined ? text : `${text} [shares ${caption}]` }
}

/** `1:56 pm on 8 May, 2023` */
function timeFrom(text: string, where: string): string {
  const [, hour, minute, half, day, month, year] =
    /^(\d+):(\d+) (am|pm) on (\d+) (\w+), (\d{4})$/.exec(text.trim()) ?? []
  const hours = (Number(hour) % 12) + (half === 'pm' ? 12 : 0)
  const at = MONTHS.indexOf(month ?? '')
  const time = new Date(Date.UTC(Number(year), at, Number(day), hours, Number(minute)))
  // A day or minute that there is not, such as the 31st of June, would be read as another.
  const isReal =
    at >= 0 && time.getUTCDate() === Number(day) && time.getUTCMinutes() === Number(minute) && Number(hour) <= 12
  if (!isReal)
    throw new UserError(`${where} is no time: "${shortened(text, 80)}".`, 'Expected one like "1:56 pm on 8 May, 2023".')
  return time.toISOString()
}

/** The turns that a reference means, also where several stand in one or it is misspelt; none where it leads nowhere. */
function resolved(reference: string, turns: ReadonlySet<string>): string[] {
  if (turns.has(reference)) return [reference]
  const ids = [...reference.matchAll(/D:?(\d+):0*(\d+)/g)].map(([, session, turn]) => `D${session}:${turn}`)
  return ids.every((id) => turns.has(id)) ? ids : []
}

function question(
  id: string,
  task: string,
  asked: LocomoQuestion,
  ids: string[],
  { conversation }: ReleasedChat,
): CitedQuestion {
  const cites = ids.map((turn) => ({ turn }))
  const { category, question: text } = asked
  const flags = [...(ids.length === 0 ? ['cites nothing'] : []), ...(category === 3 ? ['world knowledge'] : [])]
  const more = { ...(flags.length > 0 && { flags }), tags: { turns: String(ids.length) } }
  if (category === 5) {
    const speakers = [conversation.speaker_a, conversation.speaker_b].map(String)
    const about = speakers.find((name) => text.includes(name)) ?? 'this'
    const lure = asked.adversarial_answer ?? asked.answer
    const gold: Gold = {
      kind: 'abstain',
      about,
      ...(lure !== undefined && { lure: String(lure) }),
      text: 'Not mentioned.',
    }
    return { id, task, text, gold, cites: [], tempting: cites, ...more }
  }
  const answer = String(asked.answer ?? '')
  return {
    id,
    task,
    text,
    gold: goldOf(answer, { several: category === 1 }),
    cites,
    ...(category === 2 && { dated: true }),
    ...more,
  }
}

function retoldIn(
  { sample_id: chat, observation = {} }: ReleasedChat,
  turns: ReadonlySet<string>,
  found: Findings,
): Map<string, string[]> {
  const retold = new Map<string, string[]>()
  for (const [text, of] of Object.values(observation).flatMap((people) => Object.values(people).flat()))
    for (const reference of [of].flat()) {
      const ids = resolved(reference, turns)
      if (ids[0] !== reference) found.add('observations', chat, `"${reference}" is of no turn: ${text}`)
      for (const id of ids) retold.set(id, [...(retold.get(id) ?? []), text])
    }
  return retold
}

/** How many answers about times stand in the words that are cited. */
function temporalNote(chats: readonly CitedChat[]): string[] {
  const words = (text: string) =>
    new Set(
      numbersInDigits(text.toLowerCase())
        .match(/[\p{L}\p{N}]+/gu)
        ?.map((word) => word.replace(/(?<=\p{L}{3})s$/u, '')),
    )
  const asked = chats.flatMap(({ sessions, questions }) => {
    const turns = new Map(sessions.flatMap((session) => session.turns.map((turn) => [turn.id, turn.text] as const)))
    return questions.flatMap(({ dated, cites, gold }) => {
      const cited = words(cites.map(({ turn }) => turns.get(turn)).join(' '))
      return dated ? [[...words(gold.text)].every((word) => cited.has(word))] : []
    })
  })
  return [
    `${asked.filter(Boolean).length} of ${asked.length} answers about times stand in the words cited; the others need the day of the session`,
  ]
}
