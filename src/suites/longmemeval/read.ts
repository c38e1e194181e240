import { createHash } from 'node:crypto'
import { z } from 'zod'
import { readData } from '../../base/data-file.js'
import { UserError } from '../../base/errors.js'
import { sha256 } from '../../base/hash.js'
import type { AuditNote } from '../../model/index.js'
import type { CitedChat, CitedQuestion, CitedSession, CitedTurn } from '../cited/chat.js'
import { goldOf } from '../cited/golds.js'
import type { CitedData, CitedOptions } from '../cited/suite.js'
import { RuleBook } from '../lint-report.js'
import { membersOf, requireShape } from '../read-files.js'
import { filesIn } from './files.js'

const Row = z.looseObject({
  question_id: z.string(),
  question_type: z.string(),
  question: z.string(),
  answer: z.union([z.string(), z.number()]),
  question_date: z.string(),
  haystack_dates: z.array(z.string()),
  haystack_session_ids: z.array(z.string()),
  haystack_sessions: z.array(
    z.array(
      z.looseObject({ role: z.enum(['user', 'assistant']), content: z.string(), has_answer: z.boolean().optional() }),
    ),
  ),
  answer_session_ids: z.array(z.string()),
})

type ReleasedRow = z.infer<typeof Row>
type Said = ReleasedRow['haystack_sessions'][number]

/** What others found wrong with questions of the release; what is only doubted stays. `before`: the cleaned files are rid of it. */
const known = () =>
  readData(
    new URL('./known.json', import.meta.url),
    z.record(
      z.string(),
      z.strictObject({ is: z.enum(['wrong', 'doubted']), before: z.literal('cleaned').optional(), why: z.string() }),
    ),
  )

/** Reads histories one after another: a file of all of them would not fit. Sessions that many histories share are held once. */
export function readLongMemEval({ folder, view, extra, most, tasks }: CitedOptions): CitedData {
  const files = filesIn(folder)
  const wanted =
    extra.file === undefined || extra.file === 'auto' ? files[0] : files.find(({ size }) => size === extra.file)
  if (!wanted)
    throw new UserError(
      `${folder} has no file ${extra.file} of LongMemEval.`,
      `It has ${files.map(({ size }) => size).join(', ') || 'none'}.`,
    )
  const defects = known()
  const hash = createHash('sha256')
  const shared = new Map<string, Said>()
  const found = new RuleBook(RULES)
  const audit: AuditNote[] = []
  const chats: CitedChat[] = []
  for (const member of membersOf(wanted.path)) {
    if (chats.length >= most) break
    const row = requireShape(member, Row, wanted.path)
    hash.update(JSON.stringify(member))
    const chat = chatFrom(row, wanted.size, shared, found)
    if (tasks && !tasks.includes(chat.questions[0]!.task)) continue
    chats.push(chat)
    const defect = defects[row.question_id]
    if (!defect || (defect.before && wanted.cleaned)) continue
    const { is, why } = defect
    const dropped = is === 'wrong' && view === 'audited'
    found.add('known', row.question_id, `${is}: ${why}`)
    audit.push({ task: chat.questions[0]!.task, row: row.question_id, action: dropped ? 'dropped' : 'flagged', why })
    chat.questions[0]!.flags = [why]
    if (dropped) chats.pop()
  }
  const notes = [`file ${wanted.size}; ${shared.size} different sessions`]
  return { chats, hash: hash.digest('hex'), audit, rules: found.all(), notes }
}

function chatFrom(
  row: ReleasedRow,
  file: string,
  shared: Map<string, Said>,
  found: RuleBook<keyof typeof RULES>,
): CitedChat {
  const {
    question_id: id,
    haystack_sessions: all,
    haystack_dates: dates,
    haystack_session_ids: names,
    answer_session_ids: answers,
  } = row
  if (all.length !== dates.length || all.length !== names.length)
    throw new UserError(
      `${id} has ${all.length} sessions, ${dates.length} dates and ${names.length} ids.`,
      'Is the file whole?',
    )
  const cited: { turn: CitedTurn; time: string; session: string }[] = []
  const drafts = all.map((said, at) => {
    const turns = held(said, shared)
    return { turns, time: timeFrom(dates[at]!, id), name: names[at]!, hasAnswer: said.some((turn) => turn.has_answer) }
  })
  const order = drafts
    .map((_, at) => at)
    .sort((a, b) => (drafts[a]!.time < drafts[b]!.time ? -1 : drafts[a]!.time > drafts[b]!.time ? 1 : a - b))
  // Names of sessions tell which of them hold answers, so that they go by number.
  const sessions = order.map((at, place): CitedSession => {
    const { turns: said, time, name } = drafts[at]!
    const session = `session ${place + 1}`
    const turns = said.map(({ role, content }, i): CitedTurn => ({ role, text: content, id: `${place + 1}.${i + 1}` }))
    for (const [i, turn] of said.entries()) if (turn.has_answer) cited.push({ turn: turns[i]!, time, session: name })
    return { id: session, time, turns }
  })
  const isAbsent = id.endsWith('_abs')
  for (const name of answers) {
    if (!names.includes(name)) found.add('answer-sessions', id, `${name} is not in its history`)
    else if (!isAbsent && !cited.some(({ session }) => session === name))
      found.add('answer-turns', id, `no turn of ${name} is marked`)
  }
  for (const { session } of cited)
    if (!answers.includes(session))
      found.add('marked-sessions', id, `${session} has a marked turn, but holds no answer`)
  const asked = timeFrom(row.question_date, id)
  const last = sessions.at(-1)?.time ?? asked
  if (asked < last) found.add('question-date', id, `asked ${asked}, before its last session ${last}`)
  return { id, sessions, questions: [question(row, isAbsent, cited, [asked, last].sort().at(-1)!, file)] }
}

/** What the later sessions say holds; what an earlier one says of the same is outdated. */
function question(
  row: ReleasedRow,
  isAbsent: boolean,
  cited: readonly { turn: CitedTurn; time: string }[],
  asked: string,
  file: string,
): CitedQuestion {
  const { question_id: id, question_type: type, question: text } = row
  const answer = String(row.answer)
  const base = { id, text, asked, tags: { file } }
  const cites = cited.map(({ turn }) => ({ turn: turn.id }))
  if (isAbsent)
    return {
      ...base,
      task: 'abstention',
      gold: { kind: 'abstain', about: 'what is asked', text: answer },
      cites: [],
      tempting: cites,
    }
  const gold = type === 'single-session-preference' ? { kind: 'free' as const, text: answer } : goldOf(answer)
  if (type !== 'knowledge-update')
    return { ...base, task: type, gold, cites, ...(type === 'temporal-reasoning' && { dated: true }) }
  const newest = cited
    .map(({ time }) => time)
    .sort()
    .at(-1)
  const of = (isNew: boolean) =>
    cited.filter(({ time }) => (time === newest) === isNew).map(({ turn }) => ({ turn: turn.id }))
  return { ...base, task: type, gold, cites: of(true), outdated: of(false) }
}

function held(said: Said, shared: Map<string, Said>): Said {
  const key = sha256(JSON.stringify(said))
  const known = shared.get(key)
  if (!known) shared.set(key, said)
  return known ?? said
}

/** `2023/06/01 (Thu) 00:58` */
function timeFrom(text: string, row: string): string {
  const [, year, month, day, hour, minute] = /^(\d{4})\/(\d\d)\/(\d\d) \(\w+\) (\d\d):(\d\d)$/.exec(text.trim()) ?? []
  if (year === undefined) throw new UserError(`${row}: "${text}" is no date such as 2023/06/01 (Thu) 00:58.`)
  return `${year}-${month}-${day}T${hour}:${minute}:00.000Z`
}

const RULES = {
  known: 'no question that others found wrong or doubted',
  'answer-sessions': 'sessions that answer are in the history',
  'answer-turns': 'every session that answers has a marked turn',
  'marked-sessions': 'no other session has one',
  'question-date': 'questions are asked after all sessions',
}
