import { z } from 'zod'
import { defineSystem, type Memory } from '../../model/index.js'
import { numberOption, optionTable, readOptions, switchOption } from '../options.js'
import { askerOf, isSilent, keepWithTools, lookUpWithTools, type ToolLoop } from '../parts/index.js'
import { MemoryFiles } from './files.js'
import { PROMPTS } from './prompts.js'
import { memoryToolRehearsal } from './rehearsal.js'
import { readingTool, writingTool } from './tools.js'

const OPTIONS = z.object({
  select: switchOption('on', 'on: a second tool loop views files; off: every line is found, without a call'),
  rounds: numberOption('12', 'calls of the model in a loop, at most', { min: 1, max: 50, whole: true }),
  temperature: numberOption('0', 'of the model', { min: 0, max: 2 }),
})

/** Files under /memories that a model keeps with the commands of Anthropic's memory tool. */
export const memoryTool = defineSystem({
  name: 'memory-tool',
  version: '1',
  class: 'file',
  about: "Files under /memories, kept by a model with the commands of Anthropic's memory tool; what it views is found.",
  depth: 'fixed',
  atomic: true,
  needs: { llm: true },
  cost: { store: '1 to 12 a conversation', retrieve: '1 to 12 (select=off: 0)' },
  papers: ['Anthropic, memory tool (memory_20250818)'],
  prompts: PROMPTS,
  rehearsal: memoryToolRehearsal,
  options: optionTable(OPTIONS),
  variants: { 'all-files': { about: 'every line is found for every question', options: { select: 'off' } } },
  create: (context, given) => {
    const { select, ...settings } = readOptions(OPTIONS, given)
    const files = new MemoryFiles()
    const loop: ToolLoop = {
      name: 'memory-tool',
      model: askerOf(context, 'memory-tool', PROMPTS),
      ...settings,
    }
    return {
      store: async (conversation) => {
        if (isSilent(conversation)) return
        // All of a conversation or nothing: the copy takes the place of the files when the model has finished.
        const draft = files.draft()
        await keepWithTools(conversation, [writingTool(draft, conversation)], loop)
        files.adopt(draft)
      },
      retrieve: async (query, k) => {
        const held = files.memories()
        if (!select || held.length === 0) return held.slice(0, k)
        const seen = new Map<string, Memory>()
        await lookUpWithTools(query, [readingTool(files, (line) => seen.set(line.id, line))], loop)
        return [...seen.values()].slice(0, k)
      },
      dump: async () => files.memories(),
      insert: async (memories) => files.put(memories),
    }
  },
})
