import { UserError } from '../../base/errors.js'
import { entryOf, groupBy } from '../../base/group-by.js'
import { sha256 } from '../../base/hash.js'
import type { DataFile, Gold, WriteOptions } from '../../model/index.js'
import type { Citation, CitedChat, CitedQuestion, CitedSession } from '../cited/chat.js'
import { goldOf } from '../cited/golds.js'
import type { CitedData, CitedOptions } from '../cited/suite.js'
import type { Ruled } from '../lint-report.js'
import { fileIn, readText, requireShape } from '../read-files.js'
import { OWN_FILE } from './index.js'
import { OwnAsked, type OwnCite, OwnConversation } from './schema.js'
import { TurnFinder } from './turn-finder.js'

const DOCUMENTED = 'docs/suites/own.md describes the lines.'

/** A file of lines, read. */
interface OwnFile {
  chats: CitedChat[]
  asked: Map<string, OwnAsked>
  /** What cites lead to nothing. */
  lost: Ruled['found']
}

export function readOwnChats({ folder }: CitedOptions): CitedData {
  const text = readText(fileIn(folder, [OWN_FILE])!)
  const { chats, lost } = readLines(text, OWN_FILE)
  const rules = [{ name: 'references', about: 'every citation is a turn, or stands in one', found: lost }]
  return { chats, hash: sha256(text), audit: [], rules }
}

/** A dataset of a file of one's own: the same lines, with an id for every turn and all citations resolved. */
export async function importOwn({ data }: WriteOptions): Promise<DataFile[]> {
  if (data === undefined) throw new UserError('Which file?', 'Usage: memscope data import my.jsonl --out my-data')
  const { chats, asked, lost } = readLines(readText(data), data)
  if (lost.length > 0) {
    const shown = lost.slice(0, 10).map(({ row, message }) => `  ${row}: ${message}`)
    throw new UserError(`${lost.length} citations of ${data} lead to nothing:\n${shown.join('\n')}`, DOCUMENTED)
  }
  const questions = chats.reduce((sum, chat) => sum + chat.questions.length, 0)
  return [{ path: OWN_FILE, lines: linesOf(chats, asked), note: `${chats.length} chats, ${questions} questions` }]
}

function* linesOf(chats: readonly CitedChat[], asked: ReadonlyMap<string, OwnAsked>): Generator<string> {
  for (const { id: chat, sessions, questions } of chats) {
    for (const { id: conversation, time, turns } of sessions)
      yield `${JSON.stringify({ conversation, chat, time, turns })}\n`
    for (const { id, cites, outdated = [] } of questions)
      yield `${JSON.stringify({ ...asked.get(id), cites, outdated })}\n`
  }
}

function readLines(text: string, file: string): OwnFile {
  const sessions = new Map<string, CitedSession[]>()
  const asked = new Map<string, OwnAsked>()
  for (const [at, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const where = `${file}, line ${at + 1}`
    const json = parsed(line, where)
    if ('conversation' in json) {
      const { conversation: id, chat, time, turns } = requireShape(json, OwnConversation, where)
      const named = turns.map(({ id: own, role = 'user', speaker, text: said }, i) => {
        return { id: own ?? `${id}.${i + 1}`, role, text: said, ...(speaker !== undefined && { speaker }) }
      })
      entryOf(sessions, chat, () => []).push({ id, time: new Date(time).toISOString(), turns: named })
    } else {
      const question = requireShape(json, OwnAsked, where)
      if (asked.has(question.question))
        throw new UserError(`${where}: two questions are called "${question.question}".`, DOCUMENTED)
      if (!sessions.has(question.chat))
        throw new UserError(`${where}: no conversation of the chat "${question.chat}" stands before it.`, DOCUMENTED)
      asked.set(question.question, question)
    }
  }
  if (asked.size === 0) throw new UserError(`${file} asks nothing.`, DOCUMENTED)
  const lost: Ruled['found'] = []
  const askedOf = groupBy([...asked.values()], ({ chat }) => chat)
  const chats = [...sessions].map(([id, held]): CitedChat => {
    const ordered = held.sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0))
    requireDistinct(id, ordered, file)
    const own = askedOf.get(id) ?? []
    const turns = new TurnFinder(
      ordered,
      own.flatMap(({ cites, outdated }) => [...cites, ...outdated]),
    )
    return { id, sessions: ordered, questions: own.map((one) => question(one, turns, lost)) }
  })
  return { chats, asked, lost }
}

function question(asked: OwnAsked, turns: TurnFinder, lost: Ruled['found']): CitedQuestion {
  const { question: id, text, answer, dated, asked: time, category } = asked
  const find = (cites: readonly OwnCite[]) => cites.flatMap((cite) => turns.find(cite) ?? missing(id, cite, lost))
  const isAbsent = answer === null
  const [cites, outdated] = [find(asked.cites), find(asked.outdated)]
  return {
    id,
    task: isAbsent ? 'unanswerable' : 'cited',
    text,
    gold: goldFor(answer),
    cites: isAbsent ? [] : cites,
    ...(outdated.length > 0 && { outdated }),
    ...(isAbsent && cites.length > 0 && { tempting: cites }),
    ...(dated && { dated }),
    ...(time !== undefined && { asked: new Date(time).toISOString() }),
    tags: { ...(category !== undefined && { category }) },
  }
}

function goldFor(answer: OwnAsked['answer']): Gold {
  if (answer === null) return { kind: 'abstain', about: 'what is asked', text: 'Nobody said it.' }
  if (typeof answer === 'string') return goldOf(answer)
  if (Array.isArray(answer)) return { kind: 'list', items: answer, text: answer.join(', ') }
  if ('order' in answer)
    return { kind: 'sequence', items: answer.order, free: true, text: answer.order.join(', then ') }
  const { criteria } = answer
  const one = (text: string, at: number) => ({
    id: String(at + 1),
    text,
    type: 'presence' as const,
    expected: 'yes' as const,
    facts: [],
  })
  return { kind: 'criteria', criteria: criteria.map(one), text: criteria.join('; ') }
}

function missing(row: string, cite: OwnCite, lost: Ruled['found']): Citation[] {
  lost.push({ row, message: `${JSON.stringify(cite)} is neither a turn nor stands in one` })
  return []
}

function requireDistinct(chat: string, sessions: readonly CitedSession[], file: string): void {
  const seen = new Set<string>()
  for (const id of [
    ...sessions.map(({ id }) => id),
    ...sessions.flatMap(({ turns }) => turns.map(({ id }) => `turn ${id}`)),
  ]) {
    if (seen.has(id)) throw new UserError(`${file}: the chat "${chat}" has "${id}" twice.`, DOCUMENTED)
    seen.add(id)
  }
}

function parsed(line: string, where: string): object {
  try {
    const json: unknown = JSON.parse(line)
    if (typeof json === 'object' && json !== null) return json
  } catch {}
  throw new UserError(`${where} is not a JSON object.`, DOCUMENTED)
}
