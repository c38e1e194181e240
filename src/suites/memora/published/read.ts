import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import type { z } from 'zod'
import { UserError } from '../../../base/errors.js'
import { fingerprint, sha256 } from '../../../base/hash.js'
import { parsedJson } from '../../read-files.js'
import { DURATIONS, type Duration } from '../days.js'
import { PublishedSession, QuestionFile } from './schema.js'

/** Where a life of a release is. */
export interface LifePlace {
  duration: Duration
  persona: string
  folder: string
}

/** A session as published, with the file it stands in. */
export interface SessionFile extends PublishedSession {
  file: string
}

/** A life as published. */
export interface ReleasedLife extends LifePlace {
  sessions: SessionFile[]
  questions: QuestionFile
  /** Numbers between the first session and the last for which there is no file. */
  missing: number[]
  /** There is a file of questions. Without one there is nothing to ask, but the sessions can be checked. */
  isAsked: boolean
  hash: string
}

/** What is said in a session where there is something to remember. */
export const sharedBy = ({ conversation }: PublishedSession): string[] =>
  conversation.flatMap(({ share_memory, message }) => (share_memory ? [message] : []))

/** All that the user says in a session. */
export const saidByUser = ({ conversation }: PublishedSession): string[] =>
  conversation.flatMap(({ speaker, message }) => (isAssistant(speaker) ? [] : [message]))

export const isAssistant = (speaker: string): boolean => speaker === 'ai_agent' || speaker === 'assistant'

/** Whether a folder holds a Memora release. */
export function holdsRelease(folder: string): boolean {
  return Object.values(DURATIONS).some(
    (duration) =>
      isFolder(join(folder, duration)) &&
      readdirSync(join(folder, duration)).some((persona) => existsSync(join(folder, duration, persona, TALK))),
  )
}

const TALK = 'conversations'

/** The lives of a release, shortest first and by name. */
export function placesIn(folder: string): LifePlace[] {
  if (!isFolder(folder)) throw new UserError(`There is no folder ${folder}.`, 'Give --data the folder of a release.')
  const places = Object.values(DURATIONS).flatMap((duration) =>
    isFolder(join(folder, duration))
      ? readdirSync(join(folder, duration))
          .sort()
          .map((persona) => ({ duration, persona, folder: join(folder, duration, persona) }))
          .filter((place) => isFolder(join(place.folder, TALK)))
      : [],
  )
  if (places.length > 0) return places
  throw new UserError(
    `${folder} holds no Memora release.`,
    'Expected <weekly|monthly|quarterly>/<persona>/conversations/session_0001.json in it.',
  )
}

/** Reads a life. What does not fit is named by file and field; links that lead out of the release are refused. */
export function readLife(root: string, place: LifePlace): ReleasedLife {
  const { folder, persona } = place
  const files = readdirSync(join(folder, TALK))
    .filter((name) => /^session_\d+\.json$/.test(name))
    .sort()
  if (files.length === 0) throw refused(`${join(folder, TALK)} holds no session_0001.json`)
  const hashes: string[] = []
  const read = <T>(file: string, schema: z.ZodType<T>): T => {
    const text = textOf(root, file)
    hashes.push(sha256(text))
    const { data, error } = schema.safeParse(parsedJson(text, file))
    if (error) throw refused(`${file}: ${problemOf(error)}`)
    return data
  }
  const sessions = files
    .map((name) => {
      const file = join(folder, TALK, name)
      const session = read(file, PublishedSession)
      if (session.persona !== persona) throw misfit(file, 'persona', `expected ${persona}, got ${session.persona}`)
      return { ...session, file }
    })
    .sort((a, b) => a.session_id - b.session_id)
  const twice = sessions.find(({ session_id }, at) => session_id === sessions[at - 1]?.session_id)
  if (twice) throw misfit(twice.file, 'session_id', `${twice.session_id} occurs twice`)
  const last = sessions.at(-1)?.session_id ?? 0
  if (last > 100 * sessions.length) throw misfit(sessions.at(-1)!.file, 'session_id', `${last} is out of order`)
  const numbers = new Set(sessions.map(({ session_id }) => session_id))
  const missing = Array.from({ length: last }, (_, at) => at + 1).filter((number) => !numbers.has(number))
  const asked = join(folder, `evaluation_questions_${persona}.json`)
  const isAsked = existsSync(asked)
  const questions = isAsked ? read(asked, QuestionFile) : unasked(persona, sessions)
  return { ...place, sessions, questions, missing, isAsked, hash: fingerprint(hashes) }
}

/** What stands for a file of questions that is not there. */
function unasked(persona: string, sessions: readonly SessionFile[]): QuestionFile {
  const dates = sessions.map(({ date }) => date).sort()
  return {
    persona,
    date_range: { start_date: dates[0]!, end_date: dates.at(-1)! },
    questions: { remembering: [], reasoning: [], recommending: [] },
  }
}

/** The first thing that does not fit a schema: its field, and what was expected there. */
export function problemOf({ issues }: z.ZodError, within = ''): string {
  const [first] = issues
  const path = [within, ...first!.path.map(String)].filter((part) => part !== '').join('.')
  return `${path}: ${first!.message.replace(/\.$/, '')}`
}

const misfit = (file: string, field: string, problem: string): UserError => refused(`${file}: ${field}: ${problem}`)

const refused = (what: string): UserError => new UserError(`${what}.`, 'Expected the layout of the Memora release.')

function textOf(root: string, file: string): string {
  const home = realpathSync(root)
  if (!realpathSync(file).startsWith(home + sep)) {
    throw new UserError(`${file} leads out of ${root}.`, 'Copy the file into the folder.')
  }
  if (!lstatSync(realpathSync(file)).isFile()) throw new UserError(`${file} is no file.`)
  return readFileSync(file, 'utf8').replace(/^\uFEFF/, '')
}

const isFolder = (path: string): boolean => existsSync(path) && statSync(path).isDirectory()
