import { z } from 'zod'
import {
  type Conversation,
  type Depth,
  defineSystem,
  type Query,
  type SystemContext,
  type SystemOptions,
} from '../../model/index.js'
import { choiceOption, optionTable, readOptions } from '../options.js'
import { byModel } from './extract.js'
import { Mosaic } from './mosaic.js'
import type { MosaicOptions } from './options.js'
import { PROMPTS } from './prompts.js'
import { mosaicRehearsal } from './rehearsal.js'

const OPTIONS = z.object({
  timeline: choiceOption(
    ['yes', 'no'],
    'yes or no: tell with a statement what became of it, where that was put plainly',
  ),
  links: choiceOption(['yes', 'no'], 'yes or no: follow what a statement hangs on to what became of it'),
  chains: choiceOption(['yes', 'no'], 'yes or no: follow facts to facts by what they share'),
  sets: choiceOption(
    ['yes', 'no'],
    'yes or no: find things of a kind by what kinds the things are of that notes speak of',
  ),
  weights: choiceOption(['yes', 'no'], 'yes or no: hold back greetings, questions and replies'),
  forget: choiceOption(['yes', 'no'], 'yes or no: take out what is asked to be forgotten'),
})

/** Keeps what was said with what it hangs on, so that a change is found with what it changes. */
export const mosaic = defineSystem({
  name: 'mosaic',
  version: '15',
  class: 'raw',
  about: 'Keeps every turn with what it hangs on; finds a change with what it changes.',
  atomic: true,
  needs: { embed: true },
  options: optionTable(OPTIONS),
  create: (context, given) => systemOf(context, given),
})

/** The same memory, with notes that a model takes in one call a conversation. */
export const mosaicModel = defineSystem({
  name: 'mosaic-model',
  version: '14',
  class: 'processed',
  about: 'Mosaic with a model that takes its notes: one call a conversation, which sees nothing else.',
  atomic: true,
  needs: { embed: true, llm: true },
  cost: { store: '1 a conversation', retrieve: '0' },
  prompts: PROMPTS,
  rehearsal: mosaicRehearsal,
  options: optionTable(OPTIONS),
  create: (context, given) => systemOf(context, given, { extract: byModel(context) }),
})

function systemOf(context: SystemContext, given: SystemOptions, more: Partial<MosaicOptions> = {}) {
  const options = readOptions(OPTIONS, given)
  const parts = Object.fromEntries(Object.entries(options).map(([part, on]) => [part, on === 'yes']))
  const { embed, signal, workdir: folder } = context
  const memory = new Mosaic({ embed, signal, folder, ...parts, ...more })
  return {
    store: (conversation: Conversation) => memory.store(conversation),
    settle: () => memory.settle(),
    retrieve: (query: Query, k: number, depth: Depth) => memory.retrieve(query, k, depth),
    dump: () => memory.dump(),
  }
}
