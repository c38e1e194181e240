import { z } from 'zod'
import { defineSystem } from '../../model/index.js'
import { choiceOption, countOption, optionTable, readOptions, temperatureOption } from '../options.js'
import { askerOf, hourOf, isSilent, memoryOf, rowOfMemory } from '../parts/index.js'
import { compile, flush, WikiReader } from './agents.js'
import { WikiFiles } from './files.js'
import { FIXED } from './fixed.js'
import { PROMPTS } from './prompts.js'
import { wikiRehearsal } from './rehearsal.js'

const OPTIONS = z.object({
  compile: choiceOption(
    ['settle', 'evening'],
    'when logs become articles: settle (before questions), or evening (after a conversation that ends the day)',
  ),
  evening: countOption('18', 'hour from which a conversation ends the day', { min: 0, max: 23 }),
  editing: countOption('30', 'calls of the model to compile a log, at most', { max: 200 }),
  reading: countOption('15', 'calls of the model to answer a question, at most', { max: 200 }),
  temperature: temperatureOption('0'),
})

/** Karpathy's wiki: logs of days that an editor compiles into linked articles, and a reader that answers from them. */
export const wiki = defineSystem({
  name: 'wiki',
  version: '3',
  class: 'file',
  about: 'Karpathy Wiki: logs of days, compiled into linked articles; answers by itself from the pages it opens.',
  depth: 'fixed',
  answers: true,
  atomic: true,
  needs: { llm: true },
  cost: { store: '1 a conversation, 1 to 30 a log that has changed', retrieve: '1 to 15, answer included' },
  papers: ['claude-memory-compiler, after an idea of A. Karpathy; MEME, arXiv:2605.12477'],
  prompts: PROMPTS,
  rehearsal: wikiRehearsal,
  options: optionTable(OPTIONS),
  variants: {
    evening: {
      about: 'logs are compiled once a day is over, as the project does by itself',
      options: { compile: 'evening' },
    },
  },
  create: (context, given) => {
    const { compile: when, evening, editing, reading, temperature } = readOptions(OPTIONS, given)
    const files = new WikiFiles()
    const model = askerOf(context, 'wiki', PROMPTS, { temperature, maxTokens: FIXED.maxTokens })
    const parts = { model, files, editing }
    const reader = new WikiReader(model, files, reading)
    return {
      store: async (conversation) => {
        if (isSilent(conversation)) return
        // Noted and compiled on a copy: all of a conversation or nothing.
        const draft = { ...parts, files: files.draft() }
        await flush(conversation, draft)
        if (when === 'evening' && Number.parseInt(hourOf(conversation.time), 10) >= evening) await compile(draft)
        files.adopt(draft.files)
        reader.changed()
      },
      settle: async () => {
        if (when !== 'settle' || files.changedLogs().length === 0) return
        // What is compiled before a failure stays.
        await compile(parts).finally(() => reader.changed())
      },
      retrieve: async (query, k) => (files.size === 0 ? [] : (await reader.ask(query, 'retrieve')).used.slice(0, k)),
      answer: (query) => reader.ask(query, 'answer'),
      dump: async () => files.all().map((file) => memoryOf(file)),
      insert: async (memories) => {
        reader.changed()
        for (const memory of memories) files.insert(rowOfMemory(memory))
      },
    }
  },
})
