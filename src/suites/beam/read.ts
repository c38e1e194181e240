import { statSync } from 'node:fs'
import { z } from 'zod'
import { unknownName } from '../../base/errors.js'
import { fingerprint, sha256 } from '../../base/hash.js'
import { daySpans } from '../../language/days.js'
import type { AuditNote, Criterion, Gold } from '../../model/index.js'
import type { Citation, CitedChat, CitedQuestion, CitedSession } from '../cited/chat.js'
import { checked, innermostArrays, readText } from '../cited/read.js'
import type { CitedData, CitedOptions } from '../cited/suite.js'
import type { Ruled } from '../lint-report.js'
import { wrongDuration } from './durations.js'
import { chatsIn, type ReleasedFiles, SIZES } from './files.js'

const Message = z.looseObject({
  role: z.enum(['user', 'assistant']),
  id: z.number().int(),
  content: z.string(),
  time_anchor: z.string().nullish(),
})

const ids = z.array(z.union([z.number().int(), z.array(z.number().int())]))

/** Under which names answers stand, by what is asked. */
const ANSWERS = ['answer', 'ideal_response', 'ideal_answer', 'ideal_summary', 'expected_compliance']

const Asked = z.looseObject({
  question: z.string(),
  rubric: z.array(z.string()),
  source_chat_ids: z.union([ids, z.record(z.string(), ids)]).nullish(),
  ...Object.fromEntries(ANSWERS.map((name) => [name, z.string().optional()])),
})

const Probing = z.record(z.string(), z.array(Asked))

type ReleasedQuestion = z.infer<typeof Asked>

/** Marks that the generator of the chats left behind what users say. */
const MARK = /\s*->->\s*[\d,. ]+\s*$/

interface Findings {
  references: Ruled['found']
  typed: Ruled['found']
  durations: Ruled['found']
}

/** Reads chats one after another and each group of turns by itself, so that no file is ever held whole. */
export function readBeam({ folder, view, extra, most }: CitedOptions): CitedData {
  const wanted = extra.chats === undefined || extra.chats === 'all' ? SIZES : extra.chats.split(',')
  for (const size of wanted) if (!SIZES.includes(size)) throw unknownName('length of chats', size, ['all', ...SIZES])
  const files = chatsIn(folder).filter(({ size }) => wanted.includes(size))
  const found: Findings = { references: [], typed: [], durations: [] }
  const audit: AuditNote[] = []
  const hashes: unknown[] = []
  const chats = files.slice(0, most === Number.POSITIVE_INFINITY ? undefined : most).map((file): CitedChat => {
    const { sessions, marks } = sessionsOf(file.chat, view === 'audited')
    const id = `${file.size}/${file.number}`
    if (marks > 0 && view === 'audited')
      audit.push({
        task: '*',
        row: id,
        action: 'repaired',
        why: `${marks} marks such as "->-> 1,1" are left out of what is said`,
      })
    const text = readText(file.questions)
    hashes.push([id, statSync(file.chat).size, sha256(text), sessions.length])
    return { id, sessions, questions: questionsOf(file, id, text, sessions, found) }
  })
  const rules: Ruled[] = [
    { name: 'references', about: 'every source is the id of a message', found: found.references },
    { name: 'typed', about: 'updates and pairs say which message is which', found: found.typed },
    { name: 'durations', about: 'durations are those between the days that answers name', found: found.durations },
  ]
  return { chats, hash: fingerprint(hashes), audit, rules }
}

/** A session a group of turns. Days are told once for many of them; within a day they follow each other by minutes. */
function sessionsOf(file: string, audited: boolean): { sessions: CitedSession[]; marks: number } {
  const sessions: CitedSession[] = []
  let now = Date.parse('2024-01-01T09:00:00Z')
  let marks = 0
  const message = z.array(Message)
  for (const group of innermostArrays(file)) {
    if (group.length === 0) continue
    const said = checked(group, message, file)
    const anchor = said.map(({ time_anchor: told }) => told).find((told) => typeof told === 'string')
    const day = anchor === undefined ? undefined : daySpans(anchor)[0]?.from
    now = Math.max(now + 60_000, day === undefined ? 0 : Date.parse(`${day}T09:00:00Z`))
    marks += said.filter(({ content }) => MARK.test(content)).length
    const turns = said.map(({ role, id, content }) => ({
      role,
      id: String(id),
      text: audited ? content.replace(MARK, '') : content,
    }))
    sessions.push({ id: `group ${sessions.length + 1}`, time: new Date(now).toISOString(), turns })
  }
  return { sessions, marks }
}

function questionsOf(
  file: ReleasedFiles,
  chat: string,
  text: string,
  sessions: readonly CitedSession[],
  found: Findings,
): CitedQuestion[] {
  const turns = new Set(sessions.flatMap((session) => session.turns.map(({ id }) => id)))
  const all = checked(JSON.parse(text), Probing, file.questions)
  return Object.entries(all).flatMap(([ability, asked]) =>
    asked.map((one, at): CitedQuestion => {
      const id = `${chat}/${ability}/${at + 1}`
      const sources = sourcesOf(one, id, turns, found)
      const task = ability.replaceAll('_', '-')
      const { old, now } = { old: sources.get('original_info'), now: sources.get('updated_info') }
      if (task === 'knowledge-update' && !(old && now))
        found.typed.push({ row: id, message: 'does not say what was updated' })
      const wrong = task === 'temporal-reasoning' ? wrongDuration([...one.rubric, answerOf(one)]) : null
      if (wrong !== null) found.durations.push({ row: id, message: wrong })
      const cites = old && now ? now : distinct([...sources.values()].flat())
      const outdated = old && now ? old.filter(({ turn }) => !now.some((one) => one.turn === turn)) : []
      return {
        id,
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

/** The messages that are cited, by what they are for the question. */
function sourcesOf(
  { source_chat_ids: sources }: ReleasedQuestion,
  row: string,
  turns: ReadonlySet<string>,
  found: Findings,
): Map<string, Citation[]> {
  const typed = Array.isArray(sources) ? { sources } : (sources ?? {})
  return new Map(
    Object.entries(typed).map(([role, list]) => {
      const cited = list.flat().map(String)
      for (const id of cited)
        if (!turns.has(id)) found.references.push({ row, message: `${role}: ${id} is of no message` })
      return [role, distinct(cited.filter((id) => turns.has(id)).map((turn) => ({ turn })))]
    }),
  )
}

function distinct(cites: readonly Citation[]): Citation[] {
  return [...new Map(cites.map((cite) => [cite.turn, cite])).values()]
}

function goldFor(task: string, asked: ReleasedQuestion): Gold {
  const text = answerOf(asked)
  if (task === 'abstention') return { kind: 'abstain', about: 'what is asked', text }
  if (task === 'event-ordering') return { kind: 'sequence', items: asked.rubric, text }
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
    ANSWERS.map((name) => asked[name]).find((text): text is string => typeof text === 'string') ??
    asked.rubric.join('; ')
  )
}
