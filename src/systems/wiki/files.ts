import type { Conversation } from '../../model/index.js'
import { dayOf, hourOf, type Kept, ToolError, withSource } from '../parts/index.js'

export const INDEX = 'index.md'

const EMPTY_INDEX = '# Index\n\n| Article | Summary | Compiled from | Updated |\n|---|---|---|---|'

/** Characters that stand for an article in the index. */
const SUMMARY = 100

/** Where a change comes from: conversations, and when the last of them took place. */
export interface Origin {
  time: string
  sources: readonly string[]
}

/** A file of the wiki. Its id is its path, unless it was put in from outside. */
export interface WikiFile extends Kept {
  readonly path: string
}

/** The files of a wiki, by path. Every file is one memory. */
export class WikiFiles {
  #files = new Map<string, WikiFile>()
  /** What each log said when it was compiled last. */
  #compiled = new Map<string, string>()

  get size(): number {
    return this.#files.size
  }

  /** A copy to work on, until it is {@link adopt}ed. */
  draft(): WikiFiles {
    const copy = new WikiFiles()
    copy.adopt(this)
    return copy
  }

  /** Becomes what another wiki is now. */
  adopt(other: WikiFiles): void {
    this.#files = new Map(other.#files)
    this.#compiled = new Map(other.#compiled)
  }

  all(): WikiFile[] {
    return [...this.#files.values()]
  }

  /** The file of a path; tells a model when there is none. */
  open(path: string): WikiFile {
    const file = this.#files.get(keptPath(path))
    if (!file) throw new ToolError(`There is no file ${path}.`)
    return file
  }

  put(path: string, text: string, { time, sources }: Origin): void {
    const place = keptPath(path)
    const before = this.#files.get(place)
    const all = sources.reduce<readonly string[]>(withSource, before?.sources ?? [])
    this.#files.set(place, { id: before?.id ?? place, path: place, text, time, sources: all })
  }

  /** Adds an article of another id, and a row to the index, so that it can be found. */
  insert({ id, text, time, sources }: Kept): void {
    const path = keptPath(`concepts/${id.replace(/[^\w-]+/g, '-')}`)
    this.#files.set(path, { id, path, text, time, sources })
    const index = this.index({ time, sources })
    const row = `| [[${path.slice(0, -3)}]] | ${text.replace(/[\n|]+/g, ' ').slice(0, SUMMARY)} | | ${dayOf(time)} |`
    this.put(INDEX, `${index.text}\n${row}`, { time, sources })
  }

  /** Adds a session to the log of its day. */
  log(notes: string, { id, time }: Conversation): void {
    const path = `daily/${dayOf(time).replace(/[^\w-]/g, '-')}.md`
    const head = this.#files.get(path)?.text ?? `# ${dayOf(time)}`
    this.put(path, `${head}\n\n### Session (${hourOf(time)})\n\n${notes.trim()}`, { time, sources: [id] })
  }

  /** Logs that say something else than when they were compiled, oldest first. */
  changedLogs(): WikiFile[] {
    return this.all()
      .filter(({ path, text }) => path.startsWith('daily/') && this.#compiled.get(path) !== text)
      .sort((a, b) => (a.path < b.path ? -1 : 1))
  }

  markCompiled({ path, text }: WikiFile): void {
    this.#compiled.set(path, text)
  }

  /** Articles there are, without index and logs. */
  articles(): WikiFile[] {
    return this.all().filter(({ path }) => isArticle(path))
  }

  /** The index; an empty one before the first compilation. */
  index(origin: Origin): WikiFile {
    if (!this.#files.has(INDEX)) this.put(INDEX, EMPTY_INDEX, origin)
    return this.#files.get(INDEX)!
  }
}

/** Whether the editor may write there. */
export function isArticle(path: string): boolean {
  return /^(?:concepts|connections)\/[^/]+\.md$/.test(keptPath(path))
}

/** A path as it is kept: `./concepts/tea.md` and `[[concepts/tea]]` are `concepts/tea.md`. */
export function keptPath(path: string): string {
  const bare = path
    .trim()
    .replace(/^\[\[|\]\]$/g, '')
    .replace(/^(?:\.?\/)+/, '')
  return bare.endsWith('.md') ? bare : `${bare}.md`
}
