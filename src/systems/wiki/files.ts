import type { Conversation } from '../../model/index.js'
import { dayOf, hourOf, type Kept, ToolError, withSource } from '../parts/index.js'

export const INDEX = 'index.md'

const EMPTY_INDEX = '# Index\n\n| Article | Summary | Compiled from | Updated |\n|---|---|---|---|'

/** Where a change comes from: conversations, and when the last of them took place. */
export interface Origin {
  time: string
  sources: readonly string[]
}

/** The files of a wiki. Every file is one memory, under its path. */
export class WikiFiles {
  readonly #files = new Map<string, Kept>()
  /** What each log said when it was compiled last. */
  readonly #compiled = new Map<string, string>()

  get size(): number {
    return this.#files.size
  }

  all(): Kept[] {
    return [...this.#files.values()]
  }

  /** The file of a path; tells a model when there is none. */
  open(path: string): Kept {
    const file = this.#files.get(plain(path))
    if (!file) throw new ToolError(`There is no file ${path}.`)
    return file
  }

  put(path: string, text: string, { time, sources }: Origin): void {
    const id = plain(path)
    const before = this.#files.get(id)?.sources ?? []
    this.#files.set(id, { id, text, time, sources: sources.reduce<readonly string[]>(withSource, before) as string[] })
  }

  insert(file: Kept): void {
    this.#files.set(file.id, file)
  }

  /** Adds a session to the log of its day. */
  log(notes: string, { id, time }: Conversation): void {
    const path = `daily/${dayOf(time).replace(/[^\w-]/g, '-')}.md`
    const head = this.#files.get(path)?.text ?? `# ${dayOf(time)}`
    this.put(path, `${head}\n\n### Session (${hourOf(time)})\n\n${notes.trim()}`, { time, sources: [id] })
  }

  /** Logs that say something else than when they were compiled, oldest first. */
  changedLogs(): Kept[] {
    return this.all()
      .filter(({ id, text }) => isLog(id) && this.#compiled.get(id) !== text)
      .sort((a, b) => (a.id < b.id ? -1 : 1))
  }

  markCompiled({ id, text }: Kept): void {
    this.#compiled.set(id, text)
  }

  /** Articles there are, without index and logs. */
  articles(): Kept[] {
    return this.all().filter(({ id }) => isArticle(id))
  }

  /** The index; an empty one before the first compilation. */
  index(origin: Origin): Kept {
    if (!this.#files.has(INDEX)) this.put(INDEX, EMPTY_INDEX, origin)
    return this.#files.get(INDEX)!
  }
}

/** Whether the editor may write there. */
export function isArticle(path: string): boolean {
  return /^(?:concepts|connections)\/[^/]+\.md$/.test(plain(path))
}

/** A path as it is kept: `./concepts/tea.md` and `[[concepts/tea]]` are `concepts/tea.md`. */
export function plain(path: string): string {
  const bare = path.trim().replace(/^\[\[|\]\]$/g, '').replace(/^(?:\.?\/)+/, '')
  return bare.endsWith('.md') ? bare : `${bare}.md`
}

function isLog(path: string): boolean {
  return path.startsWith('daily/')
}
