import { z } from 'zod'
import { cleanText } from '../../base/fence.js'
import { type Conversation, defineSystem, LlmError, type Memory, type Query } from '../../model/index.js'
import { countOption, optionTable, readOptions, switchOption, temperatureOption } from '../options.js'
import {
  type Asker,
  askerOf,
  dayOf,
  formatTranscript,
  isSilent,
  memoryOf,
  showData,
  type Tool,
  ToolError,
  toolOf,
} from '../parts/index.js'
import { MemoryFile } from './file.js'
import { FIXED } from './fixed.js'
import { PROMPTS } from './prompts.js'
import { mdFlatRehearsal } from './rehearsal.js'

const OPTIONS = z.object({
  select: switchOption('on', 'on: a second tool loop picks the lines; off: the whole file is found, without a call'),
  rounds: countOption('5', 'calls of the model in a loop, at most', { max: 50 }),
  temperature: temperatureOption('0'),
})

interface Parts {
  file: MemoryFile
  model: Asker<keyof typeof PROMPTS>
  rounds: number
}

/** MD-flat: one Markdown file that a model reads, writes and appends to, and later looks things up in. */
export const mdFlat = defineSystem({
  name: 'md-flat',
  version: '3',
  class: 'file',
  about:
    'MD-flat: one Markdown file, kept by a model with file tools; a second tool loop returns the lines that bear on a question.',
  depth: 'fixed',
  atomic: true,
  needs: { llm: true },
  cost: { store: '1 to 5 a conversation', retrieve: '1 to 5 (select=off: 0)' },
  papers: ['MEME, arXiv:2605.12477 (the baseline of its authors)'],
  prompts: PROMPTS,
  rehearsal: mdFlatRehearsal,
  options: optionTable(OPTIONS),
  variants: { 'whole-file': { about: 'every line is found for every question', options: { select: 'off' } } },
  create: (context, given) => {
    const { select, rounds, temperature } = readOptions(OPTIONS, given)
    const file = new MemoryFile()
    const parts: Parts = {
      file,
      rounds,
      model: askerOf(context, 'md-flat', PROMPTS, { temperature, maxTokens: FIXED.maxTokens }),
    }
    return {
      store: async (conversation) => {
        if (!isSilent(conversation)) await keep(conversation, parts)
      },
      retrieve: async (query, k) => {
        if (file.lines.length === 0) return []
        const found = select ? await lookUp(query, parts) : file.lines.map((line) => memoryOf(line))
        return found.slice(0, k)
      },
      dump: async () => file.lines.map((line) => memoryOf(line)),
      insert: async (memories) => file.insert(memories),
    }
  },
})

/** Lets the model work on a copy of the file, which takes its place once the model has finished: all of a conversation or nothing. */
async function keep(conversation: Conversation, { file, model, rounds }: Parts): Promise<void> {
  const draft = file.draft()
  await model.loop('ingest', {
    values: { day: slashed(conversation.time) },
    data: { conversation: formatTranscript(conversation) },
    tools: [...readingTools(draft), ...writingTools(draft, conversation)],
    closing: 'Done.',
    rounds,
  })
  file.adopt(draft)
}

async function lookUp(query: Query, { file, model, rounds: most }: Parts): Promise<Memory[]> {
  const { text, done, rounds } = await model.loop('retrieve', {
    role: 'retrieve',
    values: { day: slashed(query.time) },
    data: { question: cleanText(query.text) },
    tools: readingTools(file),
    rounds: most,
  })
  if (!done || text.trim() === '') {
    throw new LlmError('unparsable', `The model of md-flat named no lines in ${rounds} rounds.`, 'Allow more `rounds`.')
  }
  return /^\W*none\W*$/i.test(text) ? [] : file.quoted(text)
}

/** `2024/05/06` */
function slashed(time: string): string {
  return dayOf(time).replaceAll('-', '/')
}

const NAME = 'memory.md'
const Path = z.object({ path: z.string().describe(`The file; there is only ${NAME}.`) })
const Content = Path.extend({ content: z.string().describe('Lines of Markdown.') })

/** Tools to look at the file. What it says is shown as data: a line of it gives no orders. */
function readingTools(file: MemoryFile): Tool[] {
  return [
    toolOf('list_files', 'Names the files there are.', z.object({}), () => NAME),
    toolOf('read_file', 'Shows all lines of a file.', Path, ({ path }) => {
      mustBeThere(path)
      return showData({ memory: file.show() })
    }),
  ]
}

/** Tools to change the file, for one conversation. */
function writingTools(file: MemoryFile, conversation: Conversation): Tool[] {
  const writing = 'Puts lines in the place of everything a file says.'
  return [
    toolOf('write_file', writing, Content, ({ path, content }) => {
      mustBeThere(path)
      return `The file has ${file.write(content, conversation)} lines now.`
    }),
    toolOf('append_file', 'Adds lines at the end of a file.', Content, ({ path, content }) => {
      mustBeThere(path)
      return `${file.append(content, conversation)} lines were added.`
    }),
  ]
}

function mustBeThere(path: string): void {
  if (path.replace(/^(?:\.?\/)+/, '') !== NAME) throw new ToolError(`There is no file "${path}", only ${NAME}.`)
}
