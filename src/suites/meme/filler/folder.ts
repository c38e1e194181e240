import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { z } from 'zod'
import { UserError } from '../../../base/errors.js'
import { countTokens } from '../../../base/tokens.js'
import type { Turn } from '../../../model/index.js'
import { type FillerPool, poolOf } from './pool.js'
import { type FillerSession, LEAST, MOST } from './session.js'

const messages = z.array(z.object({ role: z.enum(['user', 'assistant', 'system']), content: z.string() })).min(1)
const shares = z
  .array(z.object({ from: z.enum(['human', 'user', 'gpt', 'assistant', 'system']), value: z.string() }))
  .min(1)
const one = z.union([
  messages,
  z.object({ conversation: messages }).transform((held) => held.conversation),
  z.object({ conversations: shares }).transform((held) =>
    held.conversations.map(({ from, value }) => ({
      role: from === 'human' ? ('user' as const) : from === 'gpt' ? ('assistant' as const) : from,
      content: value,
    })),
  ),
])
const file = z.union([one.transform((session) => [session]), z.array(one).min(1)])

const SHAPES =
  'A file holds [{role, content}, …], {"conversation": [{role, content}, …]}, {"conversations": [{from, value}, …]}, or a list of these.'

/** A pool read from a folder; `skipped` counts sessions too short or too long to be fillers. */
export interface FolderPool extends FillerPool {
  readonly skipped: number
}

/**
 * Reads sessions to be used as fillers from the JSON files of a folder and the folders in it. System messages are left out. Links are
 * followed only within the folder.
 *
 * @example fillSessions({ ...request, pool: readFillerFolder('my-fillers') })
 */
export function readFillerFolder(folder: string): FolderPool {
  const sessions: FillerSession[] = []
  let skipped = 0
  for (const path of jsonFiles(folder)) {
    const name = relative(realpathSync(folder), path)
    for (const [index, held] of readSessions(path, name).entries()) {
      const turns = held.flatMap(({ role, content }): Turn[] => (role === 'system' ? [] : [{ role, text: content }]))
      const tokens = turns.reduce((sum, turn) => sum + countTokens(turn.text), 0)
      if (tokens < LEAST || tokens > MOST) skipped++
      else sessions.push({ id: `${name.split(sep).join('/')}#${index}`, turns, tokens })
    }
  }
  if (sessions.length === 0) {
    throw new UserError(
      `There is no session of ${LEAST} to ${MOST} tokens in the JSON files of "${folder}" (${skipped} of other lengths).`,
      SHAPES,
    )
  }
  return { ...poolOf(sessions), skipped }
}

/** The JSON files of a folder and the folders in it, each once, by name. */
function jsonFiles(folder: string): string[] {
  let root: string
  try {
    root = realpathSync(folder)
    readdirSync(root)
  } catch (error) {
    throw new UserError(
      `The filler folder "${folder}" cannot be read: ${reason(error)}.`,
      'Give a folder of JSON files.',
    )
  }
  const seen = new Set<string>([root])
  const walk = (path: string): string[] =>
    readdirSync(path, { withFileTypes: true })
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .flatMap((entry) => {
        const full = join(path, entry.name)
        const target = entry.isSymbolicLink() ? linked(full, root) : full
        if (seen.has(target)) return []
        seen.add(target)
        if (statSync(target).isDirectory()) return walk(target)
        return entry.name.endsWith('.json') ? [target] : []
      })
  return walk(root)
}

/** Where a link leads, which must be within the folder. */
function linked(path: string, root: string): string {
  let target: string
  try {
    target = realpathSync(path)
  } catch (error) {
    throw new UserError(
      `"${relative(root, path)}" cannot be read: ${reason(error)}.`,
      'Remove it from the filler folder.',
    )
  }
  if (target !== root && !target.startsWith(root + sep)) {
    throw new UserError(
      `"${relative(root, path)}" leads out of the filler folder.`,
      'Put a copy of it there instead of a link.',
    )
  }
  return target
}

function readSessions(path: string, name: string): z.infer<typeof file> {
  let data: unknown
  try {
    data = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new UserError(`"${name}" is not JSON: ${reason(error)}.`, SHAPES)
  }
  const checked = file.safeParse(data)
  if (!checked.success) throw new UserError(`"${name}" is not a filler session: ${problem(data)}.`, SHAPES)
  return checked.data
}

/** Says what is wrong with the first thing that is wrong; what a union of shapes reports is of no use to a reader. */
function problem(data: unknown): string {
  if (data === null || typeof data !== 'object')
    return `expected an object or a list, got ${JSON.stringify(data)?.slice(0, 40)}`
  if (Array.isArray(data)) {
    if (data.length === 0) return 'the list is empty'
    const list: unknown[] = data
    const at = list.findIndex((item) => !one.safeParse(item).success && !messages.safeParse([item]).success)
    if (at < 0) return 'it mixes messages and sessions in one list'
    const item = list[at]
    const inner = item !== null && typeof item === 'object' && 'role' in item ? messages.safeParse([item]) : undefined
    const detail = inner && !inner.success ? `: ${inner.error.issues[0]!.message}` : ''
    return `item ${at + 1} is neither a message nor a session${detail}`
  }
  const keys = Object.keys(data)
  if ('conversation' in data || 'conversations' in data) {
    const key = 'conversation' in data ? 'conversation' : 'conversations'
    const held = (data as Record<string, unknown>)[key]
    const inner = (key === 'conversation' ? messages : shares).safeParse(held)
    const issue = inner.success ? undefined : inner.error.issues[0]
    return `in "${key}"${issue ? `${issue.path.length > 0 ? ` at ${issue.path.join('.')}` : ''}: ${issue.message}` : ''}`
  }
  return `it has neither "conversation" nor "conversations" (keys: ${keys.slice(0, 5).join(', ') || 'none'})`
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
