import { closeSync, existsSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import type { z } from 'zod'
import { UserError } from '../base/errors.js'

const PIECE = 1 << 16
const WHOLE = 'Is it data of this suite, and whole?'

/** What a folder must hold to be the data of a suite, and where that is had. */
interface Release {
  expected: string
  only: string
  holds(folder: string): boolean
}

/** The folder behind `--data`, or a `UserError` that says what is expected there and where it is had. */
export function requireData(suite: string, data: string | undefined, { expected, only, holds }: Release): string {
  if (data === undefined)
    throw new UserError(`The data of ${suite} does not come with Memscope.`, `${only} Name its folder with --data.`)
  const folder = resolve(data)
  if (!existsSync(folder)) throw new UserError(`There is no folder ${folder}.`, only)
  if (!statSync(folder).isDirectory())
    throw new UserError(`${folder} is a file.`, 'Name the folder that it lies in with --data.')
  if (!holds(folder)) throw new UserError(`${folder} is no data of ${suite}: it lacks ${expected}.`, only)
  return folder
}

/** The first of these files that a folder has. */
export function fileIn(folder: string, names: readonly string[]): string | undefined {
  return names.map((name) => join(folder, name)).find((file) => existsSync(file))
}

/** A file as JSON of a shape; what is no such thing is a `UserError` that names the place. */
export function readJson<T>(file: string, shape: z.ZodType<T>): T {
  return requireShape(parsedJson(readText(file), file), shape, file)
}

/** A text file, or a `UserError` that says why it cannot be read. */
export function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error
    throw new UserError(`${file} cannot be read (${code}).`)
  }
}

/** A value of a shape; what is none is a `UserError` that names the place. */
export function requireShape<T>(value: unknown, shape: z.ZodType<T>, where: string, hint = WHOLE): T {
  const read = shape.safeParse(value)
  if (read.success) return read.data
  const { path, message } = read.error.issues[0]!
  throw new UserError(`${where}: ${path.join('.') || 'the value'}: ${message}`, hint)
}

/** The members of an array that is a whole file, one after another: only one of them is held at a time. */
export function* membersOf(file: string): Generator<unknown> {
  for (const text of valuesIn(file, ({ depth }) => depth === 1)) yield parsedJson(text, file)
}

/** All arrays of a file that hold no other array, one after another: only one of them is held at a time. */
export function* innermostArrays(file: string): Generator<unknown[]> {
  for (const text of valuesIn(file, ({ sign, isInnermost }) => sign === '[' && isInnermost))
    yield parsedJson(text, file) as unknown[]
}

/** An object or array of a file that has just ended. */
interface Ended {
  sign: '{' | '['
  /** How many others it stands in. */
  depth: number
  /** No array stands in it. */
  isInnermost: boolean
}

/** The texts of objects and arrays of a file that are wanted, read piece by piece. Nothing that stands in a wanted one is given again. */
function* valuesIn(file: string, wanted: (ended: Ended) => boolean): Generator<string> {
  const open: { sign: '{' | '['; at: number; isInnermost: boolean }[] = []
  let held = ''
  let at = 0
  let quoted = false
  for (const piece of piecesOf(file)) {
    held += piece
    for (; at < held.length; at++) {
      const sign = held[at]!
      if (quoted) {
        if (sign === '\\') at++
        else if (sign === '"') quoted = false
      } else if (sign === '"') quoted = true
      else if (sign === '{' || sign === '[') {
        if (sign === '[') for (const outer of open) outer.isInnermost = false
        open.push({ sign, at, isInnermost: true })
      } else if (sign === '}' || sign === ']') {
        const ended = open.pop()
        if (!ended) throw new UserError(`${file} is not JSON.`, 'Is the file whole?')
        if (wanted({ ...ended, depth: open.length })) {
          yield held.slice(ended.at, at + 1)
          held = held.slice(at + 1)
          at = -1
          // What is open goes on before what is held.
          for (const outer of open) outer.at = Number.NEGATIVE_INFINITY
        }
      }
    }
    // Outside of anything that may be wanted nothing has to be held.
    if (open.every((outer) => outer.at < 0) && !quoted && at >= held.length) [held, at] = ['', 0]
  }
  if (open.length > 0 || quoted) throw new UserError(`${file} ends in the middle of a value.`, 'Is the file whole?')
}

function* piecesOf(file: string): Generator<string> {
  const bytes = Buffer.allocUnsafe(PIECE)
  const decoder = new StringDecoder('utf8')
  const handle = openSync(file, 'r')
  try {
    for (let size = readSync(handle, bytes); size > 0; size = readSync(handle, bytes))
      yield decoder.write(bytes.subarray(0, size))
  } finally {
    closeSync(handle)
  }
}

/** JSON, or a `UserError` that names the file. */
export function parsedJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UserError(`${file} is not JSON: ${(error as Error).message}`, 'Is the file whole?')
  }
}
