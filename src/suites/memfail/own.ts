import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { z } from 'zod'
import { UserError } from '../../base/errors.js'
import { sha256 } from '../../base/hash.js'
import { CoexistingRow, ConditionalRow, LongHopRow, PersonaRow } from '../../corpora/memfail/schema.js'
import { parsedJson, requireShape } from '../read-files.js'
import type { MemfailTask } from './material.js'

/** Rows in our own layout, by kind; easy and hard conditionals are two tellings of the same rows. */
export type OwnRows =
  | { kind: 'conditional'; rows: ConditionalRow[]; hash: string }
  | { kind: 'coexisting'; rows: CoexistingRow[]; hash: string }
  | { kind: 'persona'; rows: PersonaRow[]; hash: string }
  | { kind: 'long-hop'; rows: LongHopRow[]; hash: string }

export type OwnKind = OwnRows['kind']

const BUNDLED = new URL('../../corpora/memfail/', import.meta.url)

/** The kind of rows a task is told by. */
export function rowKind(task: MemfailTask): OwnKind {
  return task === 'conditional-easy' || task === 'conditional-hard' ? 'conditional' : task
}

/** Name of the file that holds rows of a kind. */
export function ownFile(kind: OwnKind): string {
  return `${kind}.jsonl`
}

/** Reads rows in our layout, from a folder or the bundled corpus; a bad line is a `UserError` that names it. */
export function readOwn(task: MemfailTask, folder: URL = BUNDLED): OwnRows {
  const kind = rowKind(task)
  const file = new URL(ownFile(kind), folder)
  switch (kind) {
    case 'conditional':
      return { kind, ...read(file, ConditionalRow) }
    case 'coexisting':
      return { kind, ...read(file, CoexistingRow) }
    case 'persona':
      return { kind, ...read(file, PersonaRow) }
    case 'long-hop':
      return { kind, ...read(file, LongHopRow) }
  }
}

function read<T extends { id: string }>(file: URL, schema: z.ZodType<T>): { rows: T[]; hash: string } {
  const path = fileURLToPath(file)
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    throw new UserError(
      code === 'ENOENT' ? `There is no file ${path}.` : `${path} cannot be read (${code}).`,
      'A folder for --data holds a MemFail release, or files made by memscope data generate or export.',
    )
  }
  const ids = new Map<string, number>()
  const rows = text.split('\n').flatMap((line, index): T[] => {
    if (line.trim() === '') return []
    const where = `${path}, line ${index + 1}`
    const row = requireShape(parsedJson(line, where), schema, where, 'Rows must have the shape of the bundled corpus.')
    const before = ids.get(row.id)
    if (before !== undefined)
      throw new UserError(`${where}: the id "${row.id}" is also that of line ${before}.`, 'Ids must be unique.')
    ids.set(row.id, index + 1)
    return [row]
  })
  if (rows.length === 0) throw new UserError(`${path} has no rows.`)
  return { rows, hash: sha256(text) }
}
