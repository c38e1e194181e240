import { z } from 'zod'
import { cleanText } from '../../base/fence.js'
import { type Conversation, defineSystem, LlmError, type Memory, type Query } from '../../model/index.js'
import { numberOption, optionTable, readOptions, switchOption } from '../options.js'
import {
  type Asker,
  askerOf,
  dayOf,
  formatTranscript,
  isSilent,
  memoryOf,
  type Prompts,
  promptsOf,
} from '../parts/index.js'
import { MemoryFile } from './file.js'
import { PROMPTS } from './prompts.js'
import { mdFlatRehearsal } from './rehearsal.js'
import { readingTools, writingTools } from './tools.js'

const OPTIONS = z.object({
  select: switchOption('on', 'on: a second tool loop picks the lines; off: the whole file is found, without a call'),
  rounds: numberOption('5', 'calls of the model in a loop, at most', { min: 1, max: 50, whole: true }),
  temperature: numberOption('0', 'of the model', { min: 0, max: 2 }),
})

interface Parts {
  file: MemoryFile
  model: Asker
  prompts: Prompts<keyof typeof PROMPTS>
  settings: { rounds: number; temperature: number }
}

const MAX_TOKENS = 8000

/** MD-flat: one Markdown file that a model reads, writes and appends to, and later looks things up in. */
export const mdFlat = defineSystem({
  name: 'md-flat',
  version: '2',
  class: 'file',
  about:
    'MD-flat: one Markdown file, kept by a model with file tools; a second tool loop returns the lines that bear on a question.',
  depth: 'fixed',
  atomic: true,
  needs: { llm: true },
  cost: { store: '2 to 5 a conversation', retrieve: '2 to 5 (select=off: 0)' },
  papers: ['MEME, arXiv:2605.12477 (the baseline of its authors)'],
  prompts: PROMPTS,
  rehearsal: mdFlatRehearsal,
  options: optionTable(OPTIONS),
  variants: { 'whole-file': { about: 'every line is found for every question', options: { select: 'off' } } },
  create: (context, given) => {
    const options = readOptions(OPTIONS, given)
    const { select } = options
    const file = new MemoryFile()
    const parts: Parts = {
      file,
      model: askerOf(context, 'md-flat'),
      prompts: promptsOf(PROMPTS, context),
      settings: {
        rounds: options.rounds,
        temperature: options.temperature,
      },
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
async function keep(conversation: Conversation, { file, model, prompts, settings }: Parts): Promise<void> {
  const draft = file.draft()
  await model.loop({
    step: 'ingest',
    role: 'ingest',
    system: prompts.text('ingest', { day: slashed(conversation.time) }),
    data: { conversation: formatTranscript(conversation) },
    tools: writingTools(draft, conversation),
    closing: 'Done.',
    ...settings,
    maxTokens: MAX_TOKENS,
  })
  file.adopt(draft)
}

async function lookUp(query: Query, { file, model, prompts, settings }: Parts): Promise<Memory[]> {
  const { text, done, rounds } = await model.loop({
    step: 'retrieve',
    role: 'retrieve',
    system: prompts.text('retrieve', { day: slashed(query.time) }),
    data: { question: cleanText(query.text) },
    tools: readingTools(file),
    ...settings,
    maxTokens: MAX_TOKENS,
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
