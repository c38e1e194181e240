import { readdirSync, readFileSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { startMemscope, type Working } from '../../test/outside.js'

/** A command that has ended. */
export interface Played {
  code: number | null
  signal: NodeJS.Signals | null
  out: string
  err: string
  ms: number
  /** The most memory of the command itself, in MiB; 0 where nobody tells. */
  memory: number
}

export interface PlayOptions {
  cwd: string
  env?: Record<string, string>
  limitMs?: number
  /** A command that runs it. */
  through?: readonly string[]
  /** Called as soon as it stands. */
  begin?(working: Working): void
}

/** Runs a command to its end, or ends it at the limit, which then did not hold. */
export async function play(
  args: string[],
  { cwd, env, limitMs = 240_000, through, begin }: PlayOptions,
): Promise<Played> {
  const started = performance.now()
  const working = startMemscope(args, cwd, env, through)
  const closed = new Promise<true>((done) => working.child.once('close', () => done(true)))
  begin?.(working)
  let memory = 0
  const watch = setInterval(() => {
    memory = Math.max(memory, highWater(working.child.pid!))
  }, 100)
  let late = false
  const limit = setTimeout(() => {
    late = true
    working.child.kill('SIGKILL')
  }, limitMs)
  const { code, signal, at } = await working.ended
  clearTimeout(limit)
  clearInterval(watch)
  // Whoever it started and did not end still has its output.
  const left = (await Promise.race([closed, after(LEFT_BEHIND_MS)])) === undefined
  const played = { code, signal, out: working.out(), err: working.err(), ms: at - started, memory }
  if (late) throw new Error(`not ended after ${limitMs / 1000} s: memscope ${args.join(' ')}\n${tail(played.err)}`)
  if (left) throw new Error(`has ended, but something it started has not: memscope ${args.join(' ')}`)
  return played
}

/** How long what a command started may outlive it. */
const LEFT_BEHIND_MS = 5_000

function after(ms: number): Promise<undefined> {
  return new Promise((done) => setTimeout(() => done(undefined), ms).unref())
}

/** Exit codes of commands that nobody interrupts; 70 is a fault of ours, which no attack may bring about. */
export type Code = 0 | 1 | 2 | 3

/** Most memory of a command, in MiB; where there are more processors, the judge reads with a second model. */
const MOST_MIB = availableParallelism() > 2 ? 1280 : 1024

/** What any command promises, whatever is done to it. */
export function expectOrder(played: Played, codes: readonly Code[], mostMiB = MOST_MIB): void {
  const { code, signal, out, err, memory } = played
  if (signal !== null || !codes.includes(code as Code))
    throw new Error(`ended with ${signal ?? code}, expected ${codes.join(' or ')}\n${tail(err)}`)
  const strange = TERMINAL.exec(out) ?? TERMINAL.exec(err)
  if (strange)
    throw new Error(`writes ${JSON.stringify(strange[0])} to the terminal: ${JSON.stringify(around(strange))}`)
  if (/\n\s+at .*:\d+:\d+/.test(err)) throw new Error(`shows a stack\n${tail(err)}`)
  if (/Warning: /.test(err)) throw new Error(`shows a warning of Node\n${tail(err)}`)
  if (memory > mostMiB) throw new Error(`took ${memory} MiB, at most ${mostMiB} were expected`)
}

/** What a terminal obeys, or shows in another order than it was written. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const TERMINAL = /[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/

/** Looks for a text in all files under a folder. @returns the files that have it */
export function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile() && readFileSync(file).includes(text))
}

/** Fails with both sides when they differ. */
export function expectEqual(what: string, got: unknown, expected: unknown): void {
  const [left, right] = [JSON.stringify(got), JSON.stringify(expected)]
  if (left === right) return
  const at = [...left].findIndex((letter, i) => letter !== right[i])
  const near = (text: string) => text.slice(Math.max(0, at - 100), at + 100)
  throw new Error(`${what} differs: got …${near(left)}…\nexpected …${near(right)}…`)
}

export function expectThat(holds: boolean, why: () => string): void {
  if (!holds) throw new Error(why())
}

export function tail(text: string): string {
  return text.length > 1500 ? `…${text.slice(-1500)}` : text
}

function around({ input, index }: RegExpExecArray): string {
  return input.slice(Math.max(0, index - 60), index + 60)
}

function highWater(pid: number): number {
  try {
    const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return Math.round(Number(kilobytes ?? 0) / 1024)
  } catch {
    // It has ended, or this system has no such file.
    return 0
  }
}
