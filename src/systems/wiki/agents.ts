import { z } from 'zod'
import { cleanText, item } from '../../base/fence.js'
import { entryOf } from '../../base/group-by.js'
import { type Answer, type Conversation, LlmError, type Memory, type Query } from '../../model/index.js'
import {
  type Asker,
  dayOf,
  formatTranscript,
  memoryOf,
  minuteOf,
  showData,
  type Tool,
  ToolError,
  toolOf,
} from '../parts/index.js'
import { INDEX, isArticle, keptPath, type Origin, type WikiFile, type WikiFiles } from './files.js'
import type { PROMPTS } from './prompts.js'

type WikiModel = Asker<keyof typeof PROMPTS>

/** What the wiki is kept with. */
interface WikiParts {
  model: WikiModel
  files: WikiFiles
  /** Most calls of the model to compile a log. */
  editing: number
}

/** What the model says when a conversation leaves nothing behind. */
const NOTHING = 'FLUSH_OK'

/** Notes on a conversation, added to the log of its day. */
export async function flush(conversation: Conversation, { model, files }: WikiParts): Promise<void> {
  const notes = await model.say('flush', {
    values: { time: minuteOf(conversation.time) },
    data: { conversation: formatTranscript(conversation) },
  })
  if (notes.trim() !== NOTHING) files.log(notes, conversation)
}

/** Lets the editor work every log that has changed into the articles, oldest first: all of a log or nothing. */
export async function compile({ model, files, editing }: WikiParts): Promise<void> {
  for (const log of files.changedLogs()) {
    const draft = files.draft()
    const articles = draft.articles().map(shown).join('\n')
    await model.loop('compile', {
      values: { log: log.path },
      data: { index: cleanText(draft.index(log).text), articles: articles || '(none)', log: cleanText(log.text) },
      tools: [...readingTools(draft), ...writingTools(draft, log)],
      closing: 'Done.',
      rounds: editing,
    })
    draft.markCompiled(log)
    files.adopt(draft)
  }
}

/** Articles as they are shown to the editor: each compilation shows all of them, and few have changed. */
const SHOWN = new WeakMap<WikiFile, string>()

function shown(file: WikiFile): string {
  return entryOf(SHOWN, file, () => item(`[${file.path}]`, file.text))
}

/** An answer with the pages that were opened for it, in the order of opening. */
interface Read extends Answer {
  used: Memory[]
}

/** Reads the wiki for a question. What was read is kept until the wiki changes, so that asking for pages and then for the answer reads once. */
export class WikiReader {
  readonly #read = new Map<string, Promise<Read>>()

  constructor(
    readonly model: WikiModel,
    readonly files: WikiFiles,
    /** Most calls of the model to answer a question. */
    readonly rounds: number,
  ) {}

  /** Forgets what was read: the wiki has changed. */
  changed(): void {
    this.#read.clear()
  }

  ask(query: Query, role: 'retrieve' | 'answer'): Promise<Read> {
    const key = JSON.stringify([query.text, query.time])
    return entryOf(this.#read, key, () => {
      const reading = this.#ask(query, role)
      reading.catch(() => this.#read.delete(key))
      return reading
    })
  }

  async #ask(query: Query, role: 'retrieve' | 'answer'): Promise<Read> {
    const { text, done, calls, rounds } = await this.model.loop('query', {
      role,
      values: { day: dayOf(query.time) },
      data: { question: cleanText(query.text) },
      tools: readingTools(this.files),
      rounds: this.rounds,
    })
    if (!done || text.trim() === '') {
      throw new LlmError('unparsable', `The model of wiki gave no answer in ${rounds} rounds.`, 'Allow more `reading`.')
    }
    const opened = calls.filter(({ name, failed }) => name === 'read_file' && !failed)
    // The tool has checked what it was given.
    const paths = new Set(opened.map(({ input }) => keptPath((input as { path: string }).path)))
    return { text, used: [...paths].map((path) => memoryOf(this.files.open(path))) }
  }
}

const Path = z.object({ path: z.string().describe('The path of a file, such as concepts/tea.md.') })
const Pattern = z.object({ pattern: z.string().describe('* stands for a part of a name, ** for any path.') })
const Words = z.object({ text: z.string().describe('Text to look for; case does not matter.') })
const Content = Path.extend({ content: z.string().describe('All of its new content.') })
const Change = Path.extend({
  old: z.string().describe('Text of the file that is to be replaced; it must occur once.'),
  new: z.string().describe('What is to stand in its place.'),
})

/** Tools to look around. What a file says is shown as data; looking for text only names files, so that what was seen was opened. */
function readingTools(files: WikiFiles): Tool[] {
  const named = (test: (file: WikiFile) => boolean) =>
    files
      .all()
      .filter(test)
      .map(({ path }) => path)
      .join('\n') || 'No file.'
  return [
    toolOf('read_file', 'Shows a file.', Path, ({ path }) => showData({ page: cleanText(files.open(path).text) })),
    toolOf('glob', 'Names the files whose paths match a pattern.', Pattern, ({ pattern }) =>
      named(({ path }) => matcher(pattern).test(path)),
    ),
    toolOf('grep', 'Names the files that hold a text.', Words, ({ text }) =>
      named((file) => file.text.toLowerCase().includes(text.toLowerCase())),
    ),
  ]
}

/** Tools of the editor: articles and the index can be written, logs cannot. */
function writingTools(files: WikiFiles, origin: Origin): Tool[] {
  const put = (path: string, text: () => string) => {
    if (keptPath(path) !== INDEX && !isArticle(path)) {
      throw new ToolError(`Only concepts/<name>.md, connections/<name>.md and ${INDEX} can be written, not ${path}.`)
    }
    files.put(path, text(), origin)
    return `Wrote ${keptPath(path)}.`
  }
  const writing = 'Writes a file, a new one or all of an old one.'
  return [
    toolOf('write_file', writing, Content, ({ path, content }) => put(path, () => content)),
    toolOf('edit_file', 'Replaces one piece of a file.', Change, ({ path, old, new: text }) =>
      put(path, () => {
        const before = files.open(path).text
        const pieces = old === '' ? 0 : before.split(old).length - 1
        if (pieces !== 1) throw new ToolError(`That text occurs ${pieces} times in ${path}, not once.`)
        return before.replace(old, () => text)
      }),
    ),
  ]
}

function matcher(pattern: string): RegExp {
  const source = pattern
    .replace(/^(?:\.?\/)+/, '')
    .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replace(/\*\*\/|\*\*|\*/g, (stars) => (stars === '*' ? '[^/]*' : '.*'))
  return new RegExp(`^${source}$`)
}
