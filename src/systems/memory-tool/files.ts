import { cleanText } from '../../base/fence.js'
import { groupBy } from '../../base/group-by.js'
import type { Conversation, Memory } from '../../model/index.js'
import { type Kept, memoryOf, ToolError } from '../parts/index.js'

export const ROOT = '/memories'
const INSERTED = `${ROOT}/inserted.md`

/** Longest text of a file. */
const MOST_CHARACTERS = 200_000
/** Levels of folders that are listed at once. */
const LEVELS = 2

/** A file is never changed, only replaced. Blank lines are no memories. */
interface File {
  readonly text: string
  readonly lines: readonly (Kept | null)[]
}

type Who = Pick<Conversation, 'id' | 'time'>

/**
 * A tree of text files under /memories, with the commands of Anthropic's memory tool. It is nowhere but here, and paths lead nowhere else. A
 * line that stays as it was stays the same memory, also in a file by another name; any other belongs to the conversation that wrote it.
 */
export class MemoryFiles {
  #files = new Map<string, File>()
  #written = 0

  /** A copy to work on, until it is {@link adopt}ed. */
  draft(): MemoryFiles {
    const copy = new MemoryFiles()
    copy.adopt(this)
    return copy
  }

  /** Becomes what another tree is now. */
  adopt(other: MemoryFiles): void {
    this.#files = new Map(other.#files)
    this.#written = other.#written
  }

  /** All lines, file by file in the order of their names. */
  memories(): Memory[] {
    return this.#sorted().flatMap(([, { lines }]) => lines.flatMap((line) => (line ? [memoryOf(line)] : [])))
  }

  /** Puts memories as lines into a file of their own. */
  put(memories: readonly Memory[]): void {
    const lines = memories.map(({ id, text, time = '', sources = [] }) => ({ id, text: plain(text), time, sources }))
    const all = [...(this.#files.get(INSERTED)?.lines ?? []), ...lines]
    this.#files.set(INSERTED, { text: all.map((line) => line?.text ?? '').join('\n'), lines: all })
  }

  /** What a file says or a folder holds, and the lines of it that are seen. */
  view(path: string, range?: readonly [number, number]): { shown: string; seen: Memory[] } {
    const at = placeOf(path)
    const file = this.#files.get(at)
    if (!file) return { shown: this.#listing(at, path), seen: [] }
    const lines = file.text.split('\n')
    const [from, to] = [range?.[0] ?? 1, range === undefined || range[1] === -1 ? lines.length : range[1]]
    if (from < 1 || from > lines.length || to < from)
      throw new ToolError(`${path} has the lines 1 to ${lines.length}; asked for were ${from} to ${to}.`)
    const numbered = lines.slice(from - 1, to).map((line, i) => `${String(from + i).padStart(6)}\t${line}`)
    const seen = file.lines.slice(from - 1, to).flatMap((line) => (line ? [memoryOf(line)] : []))
    return { shown: `${path}, with line numbers:\n${numbered.join('\n')}`, seen }
  }

  create(path: string, text: string, who: Who): string {
    const at = placeOf(path)
    if (this.#isThere(at)) throw new ToolError(`${path} already exists.`)
    this.#requireFree(at)
    this.#write(at, text, who)
    return `${path} was created.`
  }

  replace(path: string, old: string, by: string, who: Who): string {
    const { at, text } = this.#fileAt(path)
    const first = old === '' ? -1 : text.indexOf(old)
    if (first < 0) throw new ToolError(`Nothing was replaced: ${path} does not have this text word for word.`)
    if (text.includes(old, first + 1))
      throw new ToolError(`Nothing was replaced: ${path} has this text more than once.`)
    this.#write(at, text.slice(0, first) + by + text.slice(first + old.length), who)
    return `${path} was edited.`
  }

  insert(path: string, line: number, added: string, who: Who): string {
    const { at, text } = this.#fileAt(path)
    const lines = text === '' ? [] : text.split('\n')
    if (line > lines.length)
      throw new ToolError(`${path} has ${lines.length} lines: insert after line 0 to ${lines.length}.`)
    lines.splice(line, 0, ...added.replace(/\n$/, '').split('\n'))
    this.#write(at, lines.join('\n'), who)
    return `${path} was edited.`
  }

  delete(path: string): string {
    for (const [at] of this.#under(path)) this.#files.delete(at)
    return `${path} was deleted.`
  }

  rename(from: string, to: string): string {
    const [old, target] = [placeOf(from), placeOf(to)]
    if (this.#isThere(target)) throw new ToolError(`${to} already exists.`)
    if (target.startsWith(`${old}/`)) throw new ToolError(`${from} cannot be moved into itself.`)
    const moved = this.#under(from)
    this.#requireFree(target)
    for (const [at, file] of moved) {
      this.#files.delete(at)
      this.#files.set(target + at.slice(old.length), file)
    }
    return `${from} is ${to} now.`
  }

  #sorted(): [string, File][] {
    return [...this.#files].sort(([a], [b]) => (a < b ? -1 : 1))
  }

  #isThere(at: string): boolean {
    return at === ROOT || this.#files.has(at) || this.#sorted().some(([file]) => file.startsWith(`${at}/`))
  }

  /** No file stands where a folder would have to be. */
  #requireFree(at: string): void {
    for (const file of this.#files.keys())
      if (at.startsWith(`${file}/`)) throw new ToolError(`${file} is a file, and holds no others.`)
  }

  #fileAt(path: string): { at: string; text: string } {
    const at = placeOf(path)
    const file = this.#files.get(at)
    if (!file) throw new ToolError(`There is no file ${path}.`)
    return { at, text: file.text }
  }

  /** A file, or all files of a folder; never the folder that holds everything. */
  #under(path: string): [string, File][] {
    const at = placeOf(path)
    if (at === ROOT) throw new ToolError(`${ROOT} itself stays.`)
    const found = this.#sorted().filter(([file]) => file === at || file.startsWith(`${at}/`))
    if (found.length === 0) throw new ToolError(`There is no ${path}.`)
    return found
  }

  #write(at: string, said: string, { id, time }: Who): void {
    const text = cleanText(said)
    if (text.length > MOST_CHARACTERS) throw new ToolError(`A file has at most ${MOST_CHARACTERS} characters.`)
    const before = groupBy(this.#files.get(at)?.lines.filter((line) => line !== null) ?? [], (line) => line.text)
    const lines = text.split('\n').map((line) => {
      const words = plain(line)
      if (words === '') return null
      return before.get(words)?.shift() ?? { id: `l${++this.#written}`, text: words, time, sources: [id] }
    })
    this.#files.set(at, { text, lines })
  }

  #listing(at: string, path: string): string {
    if (!this.#isThere(at)) throw new ToolError(`There is no ${path}.`)
    const sizes = new Map([[at, 0]])
    for (const [file, { text }] of this.#sorted()) {
      const names = file.startsWith(`${at}/`) ? file.slice(at.length + 1).split('/') : []
      if (names.length === 0 || names.some((name) => name.startsWith('.') || name === 'node_modules')) continue
      for (let level = 0; level <= Math.min(LEVELS, names.length); level++) {
        const entry = [at, ...names.slice(0, level)].join('/')
        sizes.set(entry, (sizes.get(entry) ?? 0) + Buffer.byteLength(text))
      }
    }
    const rows = [...sizes].map(([entry, bytes]) => `${(bytes / 1024).toFixed(1)}K\t${entry}`)
    return `Files and folders in ${path}, ${LEVELS} levels deep:\n${rows.join('\n')}`
  }
}

/** A path as files are known by. What leads anywhere else, or might where it is decoded, is refused. */
function placeOf(path: string): string {
  const at = path.replace(/\/+$/, '')
  const names = at.split('/').slice(1)
  const odd = names.some((name) => name === '' || name === '.' || name === '..') || /[\\%\p{C}]/u.test(at)
  if (!at.startsWith('/') || names[0] !== ROOT.slice(1) || odd)
    throw new ToolError(`Paths are plain and begin with ${ROOT}/, got ${JSON.stringify(path)}.`)
  return at
}

function plain(line: string): string {
  return line.replace(/\s+/g, ' ').trim()
}
