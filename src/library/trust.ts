import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { chmodSync, existsSync, linkSync, readFileSync, realpathSync, unlinkSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { UserError } from '../base/errors.js'
import { makeFolder } from '../base/folders.js'
import { stableStringify } from '../base/hash.js'
import { hashesOf, isNothing, type NamedCode } from './named-code.js'

/** Where a user's own key lies: in no home, which may come from anywhere. */
function keyFile(): string {
  const state = process.env.XDG_STATE_HOME || join(homedir(), '.local', 'state')
  return join(state, 'memscope', 'runs.key')
}

/**
 * The mark of a run whose code was typed by this user in this folder: only who has the user's key can make it, so that a run that came with a
 * repository, an archive or a store has none. Null where no key can be kept.
 *
 * @param hashes of the files, as they were
 */
function markOf(code: NamedCode, hashes: Readonly<Record<string, string>>): string | null {
  const key = userKey()
  if (key === null) return null
  const { systems, files } = code
  const signed = { folder: realpathSync(process.cwd()), systems: systems.toSorted(), files: files.toSorted(), hashes }
  return createHmac('sha256', key).update(stableStringify(signed)).digest('hex')
}

/** What is kept of a run's code, to know it again. */
export interface KeptCode {
  /** Hashes of its files by path. */
  hashes: Record<string, string>
  mark: string | null
}

/** What is kept of code that the user has named. */
export function keptCode(code: NamedCode): { code?: KeptCode } {
  if (isNothing(code)) return {}
  const hashes = hashesOf(code)
  return { code: { hashes, mark: markOf(code, hashes) } }
}

/** What the caller says of a run that is gone on with. */
export interface Confirmed {
  /** Code that was named in this call. */
  typed?: NamedCode
  /** The code of the run may run, whoever named it. */
  trustRun?: boolean
}

/**
 * Refuses to go on with a run that names code which this user did not name: in this call, or when the run was made in this folder; and with
 * files that are no longer what they were.
 *
 * @param all code of the run, by which it is known, and what of it will be made
 * @throws UserError before any of it is loaded
 */
export function requireTrusted(
  run: string,
  { all, made }: { all: NamedCode; made: NamedCode },
  kept: KeptCode | undefined,
  { typed, trustRun = false }: Confirmed,
): void {
  const open = {
    systems: made.systems.filter((spec) => !typed?.systems.includes(spec)),
    files: made.files.filter((path) => !typed?.files.includes(path)),
  }
  if (isNothing(open)) return
  const isMarked = kept?.mark != null && isEqual(kept.mark, markOf(all, kept.hashes))
  const names = [...open.systems, ...open.files].map((name) => `  ${name}`).join('\n')
  if (!isMarked && !trustRun)
    throw new UserError(
      `The run ${run} would run what was not named here:\n${names}`,
      'It was made elsewhere, in another folder or by another user. Name it again as it stands here, or add --trust-run if you trust who made the run.',
    )
  const now = hashesOf(open)
  const changed = Object.keys(now).filter((path) => kept?.hashes[path] !== now[path])
  if (changed.length === 0) return
  throw new UserError(
    `${changed.join(', ')} changed since the run ${run} was made (another version or file).`,
    'Put it back as it was, name it again, or start a new run.',
  )
}

function isEqual(one: string, other: string | null): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other ?? '')]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** The user's key, made when it is first needed; null where it can be neither read nor kept. */
function userKey(): string | null {
  const file = keyFile()
  try {
    if (!existsSync(file)) makeKey(file)
    return readFileSync(file, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (/^(EACCES|EROFS|EPERM|ENOTDIR|ENOSPC|ENOENT|EISDIR)$/.test(code)) return null
    throw error
  }
}

/** Written elsewhere first and linked: of several processes one makes it, and nobody reads half a key. */
function makeKey(file: string): void {
  makeFolder(dirname(file))
  chmodSync(dirname(file), 0o700)
  const part = `${file}.${process.pid}`
  writeFileSync(part, randomBytes(32).toString('hex'), { mode: 0o600 })
  try {
    linkSync(part, file)
  } catch (error) {
    if (!existsSync(file)) throw error
  } finally {
    unlinkSync(part)
  }
}
