import { z } from 'zod'
import { defineSystem } from '../../model/index.js'
import { choiceOption, optionTable, readOptions } from '../options.js'
import { Mosaic } from './mosaic.js'

const OPTIONS = z.object({
  links: choiceOption(['yes', 'no'], 'yes or no: follow what a statement hangs on to what became of it'),
  chains: choiceOption(['yes', 'no'], 'yes or no: follow facts to facts by what they share'),
  weights: choiceOption(['yes', 'no'], 'yes or no: hold back greetings, questions and replies'),
  forget: choiceOption(['yes', 'no'], 'yes or no: take out what is asked to be forgotten'),
})

/** Keeps what was said with what it hangs on, so that a change is found with what it changes. */
export const mosaic = defineSystem({
  name: 'mosaic',
  version: '2',
  class: 'raw',
  about: 'Keeps every turn with what it hangs on; finds a change with what it changes.',
  atomic: true,
  needs: { embed: true },
  options: optionTable(OPTIONS),
  create: (context, given) => {
    const options = readOptions(OPTIONS, given)
    const parts = Object.fromEntries(Object.entries(options).map(([part, on]) => [part, on === 'yes']))
    const memory = new Mosaic({ embed: context.embed, signal: context.signal, folder: context.workdir, ...parts })
    return {
      store: (conversation) => memory.store(conversation),
      settle: () => memory.settle(),
      retrieve: (query, k) => memory.retrieve(query, k),
      dump: () => memory.dump(),
    }
  },
})
