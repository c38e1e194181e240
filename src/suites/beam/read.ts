import { createHash } from 'node:crypto'
import { z } from 'zod'
import { UserError, unknownName } from '../../base/errors.js'
import { entryOf } from '../../base/group-by.js'
import { fingerprint, sha256 } from '../../base/hash.js'
import { daySpans } from '../../language/days.js'
import { closestLine } from '../../language/derive-cues.js'
import { numbersInDigits } from '../../language/numbers.js'
import type { AuditNote, Criterion, Gold } from '../../model/index.js'
import type { Citation, CitedChat, CitedQuestion, CitedSession, CitedTurn } from '../cited/chat.js'
import type { CitedData, CitedOptions } from '../cited/suite.js'
import { RuleBook } from '../lint-report.js'
import { innermostArrays, parsedJson, readText, requireShape } from '../read-files.js'
import { chatsIn, type ReleasedFiles, SIZES } from './files.js'

const Message = z.looseObject({
  role: z.enum(['user', 'assistant']),
  id: z.number().int(),
  content: z.string(),
  time_anchor: z.string().nullish(),
  question_type: z.string().nullish(),
})

type Message = z.infer<typeof Message>

/** An id of a message; the release has one that is only dashes. */
const id = z.union([z.number().int(), z.string()])
const ids = z.array(z.union([id, z.array(id)]))

/** Under which names answers stand, by what is asked. */
const ANSWERS = ['answer', 'ideal_response', 'ideal_answer', 'ideal_summary', 'expected_compliance']

const Asked = z.looseObject({
  question: z.string(),
  rubric: z.array(z.string()),
  source_chat_ids: z.union([ids, z.record(z.string(), ids)]).nullish(),
  ...Object.fromEntries(ANSWERS.map((name) => [name, z.union([z.string(), z.number()]).nullish()])),
})

const Probing = z.record(z.string(), z.array(Asked))

type ReleasedQuestion = z.infer<typeof Asked>

/** Marks that the generator of the chats left behind what users say. */
const MARK = /\s*->->\s*\d+\s*,\s*(?:\d+|N\/A)[\s.]*$/

const RULES = {
  references: 'every source is the id of one message',
  'message-ids': 'no two messages of a chat have one id',
  days: 'days of a chat do not go back',
  typed: 'updates and pairs say which message is which',
  durations: 'durations are those between the days that answers name',
}

type Findings = RuleBook<keyof typeof RULES>

/** A chat as it was told. */
interface Told {
  sessions: CitedSession[]
  /** The messages of every id: ids begin anew in some chats. */
  places: Map<string, CitedTurn[]>
  /** How many marks of the generator there are. */
  marks: number
  /** Of all that was said. */
  hash: string
}

/** Reads chats one after another and each group of turns by itself, so that no file is ever held whole. */
export function readBeam({ folder, view, extra, most }: CitedOptions): CitedData {
  const wanted = extra.chats === undefined || extra.chats === 'all' ? SIZES : extra.chats.split(',')
  for (const size of wanted) if (!SIZES.includes(size)) throw unknownName('length of chats', size, ['all', ...SIZES])
  const all = chatsIn(folder)
  const files = all.filter(({ size }) => wanted.includes(size))
  if (files.length === 0)
    throw new UserError(
      `${folder} has no chats of ${wanted.join(' or ')}.`,
      `It has ${[...new Set(all.map(({ size }) => size))].join(', ')}.`,
    )
  const found = new RuleBook(RULES)
  const audit: AuditNote[] = []
  const hashes: unknown[] = []
  const chats = files.slice(0, most === Number.POSITIVE_INFINITY ? undefined : most).map((file): CitedChat => {
    const chat = `${file.size}/${file.number}`
    const told = readChat(file.chat, chat, view === 'audited', found)
    const { sessions, marks, hash } = told
    if (marks > 0 && view === 'audited')
      audit.push({
        task: '*',
        row: chat,
        action: 'repaired',
        why: `${marks} marks such as "->-> 1,1" are left out of what is said`,
      })
    const text = readText(file.questions)
    hashes.push([chat, hash, sha256(text)])
    return { id: chat, sessions, questions: questionsOf(file, chat, text, told, { view, found, audit }) }
  })
  return { chats, hash: fingerprint(hashes), audit, rules: found.all() }
}

/** A session a question with what follows on it. Days are told once for many of them; within a day they follow each other by minutes. */
function readChat(file: string, chat: string, audited: boolean, found: Findings): Told {
  const told = { sessions: [] as CitedSession[], places: new Map<string, CitedTurn[]>(), marks: 0 }
  const hash = createHash('sha256')
  let now = Date.parse('2024-01-01T09:00:00Z')
  const messages = z.array(Message)
  for (const list of innermostArrays(file))
    for (const said of questionsIn(requireShape(list, messages, file))) {
      const name = `group ${told.sessions.length + 1}`
      const anchor = said.map(({ time_anchor: time }) => time).find((time) => typeof time === 'string')
      const day = anchor === undefined ? undefined : daySpans(anchor)[0]?.from
      const begin = day === undefined ? 0 : Date.parse(`${day}T09:00:00Z`)
      const before = told.sessions.at(-1)?.time.slice(0, 10)
      if (day !== undefined && before !== undefined && day < before)
        found.add('days', `${chat} ${name}`, `${day} comes after ${before}`)
      now = before === undefined && begin > 0 ? begin : Math.max(now + 60_000, begin)
      const turns = said.map(({ role, id: own, content }): CitedTurn => {
        hash.update(JSON.stringify([role, own, content]))
        if (MARK.test(content)) told.marks++
        const same = entryOf(told.places, String(own), () => [])
        const unique = same.length === 0 ? String(own) : `${own} (${same.length + 1})`
        const turn = { role, id: unique, text: audited ? content.replace(MARK, '') : content }
        same.push(turn)
        return turn
      })
      told.sessions.push({ id: name, time: new Date(now).toISOString(), turns })
    }
  for (const [own, same] of told.places)
    if (same.length > 1) found.add('message-ids', `${chat} ${own}`, `${same.length} messages have this id`)
  return { ...told, hash: hash.digest('hex') }
}

/** Groups of messages, each begun by a new question: some files have them apart, others in one list. */
function* questionsIn(messages: readonly Message[]): Generator<Message[]> {
  const starts = messages.flatMap(({ question_type: type }, at) => (at > 0 && type === 'main_question' ? [at] : []))
  for (const [i, start] of [0, ...starts].entries()) if (messages.length > 0) yield messages.slice(start, starts[i])
}

/** What is noted while questions are read. */
interface Notes extends Pick<CitedOptions, 'view'> {
  found: Findings
  audit: AuditNote[]
}

function questionsOf(file: ReleasedFiles, chat: string, text: string, { places }: Told, notes: Notes): CitedQuestion[] {
  const { found } = notes
  const all = requireShape(parsedJson(text, file.questions), Probing, file.questions)
  return Object.entries(all).flatMap(([ability, asked]) =>
    asked.map((one, at): CitedQuestion => {
      const row = `${chat}/${ability}/${at + 1}`
      const task = ability.replaceAll('_', '-')
      const sources = sourcesOf(one, { row, task }, places, notes)
      const { old, now } = { old: sources.get('original_info'), now: sources.get('updated_info') }
      if (task === 'knowledge-update' && !(old && now)) found.add('typed', row, 'does not say what was updated')
      const wrong = task === 'temporal-reasoning' ? wrongDuration([...one.rubric, answerOf(one)]) : null
      if (wrong !== null) found.add('durations', row, wrong)
      const cites = old && now ? now : distinct([...sources.values()].flat())
      const outdated = old && now ? old.filter(({ turn }) => !now.some((other) => other.turn === turn)) : []
      return {
        id: row,
        task,
        text: one.question,
        gold: goldFor(task, one),
        cites,
        ...(outdated.length > 0 && { outdated }),
        ...(wrong !== null && { flags: [wrong] }),
        tags: { size: file.size },
      }
    }),
  )
}

/** The messages that are cited, by what they are for the question. Of several with one id the one is meant that comes closest to what is asked. */
function sourcesOf(
  asked: ReleasedQuestion,
  { row, task }: { row: string; task: string },
  places: Told['places'],
  { view, found, audit }: Notes,
): Map<string, Citation[]> {
  const { source_chat_ids: sources } = asked
  const typed = Array.isArray(sources) ? { sources } : (sources ?? {})
  const resolved = (role: string, own: string): Citation[] => {
    const same = places.get(own) ?? []
    if (same.length === 1) return [{ turn: same[0]!.id }]
    const isMended = view === 'audited' && same.length > 1
    const of = `${own} is of ${same.length === 0 ? 'no message' : `${same.length} messages`}`
    const taken = isMended ? 'the one that comes closest to what is asked is taken' : 'it is left out'
    found.add('references', row, `${role}: ${of}`)
    audit.push({ task, row, action: isMended ? 'repaired' : 'flagged', why: `the source ${of}; ${taken}` })
    if (!isMended) return []
    const texts = same.map((turn) => turn.text)
    const best = closestLine([asked.question, ...asked.rubric, answerOf(asked)].join(' '), texts) ?? texts[0]!
    return [{ turn: same[texts.indexOf(best)]!.id }]
  }
  return new Map(
    Object.entries(typed).map(([role, list]) => [
      role,
      distinct([...new Set(list.flat().map(String))].flatMap((own) => resolved(role, own))),
    ]),
  )
}

function distinct(cites: readonly Citation[]): Citation[] {
  return [...new Map(cites.map((cite) => [cite.turn, cite])).values()]
}

function goldFor(task: string, asked: ReleasedQuestion): Gold {
  const text = answerOf(asked)
  if (task === 'abstention') return { kind: 'abstain', about: 'what is asked', text }
  if (task === 'event-ordering') return { kind: 'sequence', items: asked.rubric, free: true, text }
  return { kind: 'criteria', criteria: asked.rubric.map(criterion), text }
}

/** `LLM response should state: 250ms` asks for what stands behind the colon. */
function criterion(line: string, at: number): Criterion {
  const [, what = line] = /^(?:the )?LLM response should \w+:\s*(.+)$/is.exec(line) ?? []
  const [, shunned] = /^avoids? (?:recommending|suggesting|using)?\s*(.+)$/i.exec(what) ?? []
  return {
    id: String(at + 1),
    text: `Does the response say: ${what}?`,
    type: 'presence',
    expected: 'yes',
    facts: [],
    asks: shunned === undefined ? { act: 'mention', forms: [what] } : { act: 'avoid', forms: [shunned] },
  }
}

function answerOf(asked: ReleasedQuestion): string {
  return (
    ANSWERS.map((name) => asked[name])
      .find((answer) => typeof answer === 'string' || typeof answer === 'number')
      ?.toString() ?? asked.rubric.join('; ')
  )
}

const DAYS: Record<string, number> = { day: 1, week: 7, month: 30.44 }

/**
 * What is wrong with a duration that is told with the two days it lies between; null where nothing is, or no two days are told.
 *
 * @example wrongDuration(['4 weeks', 'from January 15, 2024 till March 15, 2024']) // '4 weeks: the days are 60 days apart'
 */
function wrongDuration(lines: readonly string[]): string | null {
  for (const line of lines) {
    const spans = daySpans(line, { year: 2024 })
    const isJoined = spans.length === 1 && /\b(?:from|between)\b/i.test(line)
    const days = [...new Set(spans.flatMap(({ from, to }) => (from === to ? [from] : isJoined ? [from, to] : [])))]
    if (days.length !== 2) continue
    const [a, b] = days.map((day) => Date.parse(day))
    const apart = Math.abs(b! - a!) / 86_400_000
    for (const other of lines) {
      const [told, count, unit] = /\b(\d+) (day|week|month)s?\b/.exec(numbersInDigits(other.toLowerCase())) ?? []
      if (told === undefined) continue
      const long = Number(count) * DAYS[unit!]!
      // Both ends may count, and weeks and months are told whole.
      if (Math.abs(long - apart) > Math.max(1, DAYS[unit!]! - 1)) return `${told}: the days are ${apart} days apart`
    }
  }
  return null
}
