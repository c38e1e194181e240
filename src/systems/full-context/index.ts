import { z } from 'zod'
import { defineSystem, shownTokens } from '../../model/index.js'
import { numberOption, optionTable, readOptions } from '../options.js'
import { UnitLog } from '../units.js'

const OPTIONS = z.object({
  budget: numberOption(
    '128000',
    'cl100k tokens that fit, times included; whole conversations are dropped, oldest first',
    {
      min: 1,
      whole: true,
    },
  ),
})

/** Everything said, as far as it fits: the oldest conversations go first, as in Memora's long-context setting, then the oldest turns. */
export const fullContext = defineSystem({
  name: 'full-context',
  version: '2',
  class: 'reference',
  about: 'Gives the reader everything said, newest conversations first to fit.',
  depth: 'fixed',
  atomic: true,
  options: optionTable(OPTIONS),
  create: (_context, given) => {
    const budget = readOptions(OPTIONS, given).budget
    const log = new UnitLog({ kind: 'turn' })
    const tokens: number[] = []
    /** Where each conversation starts among the memories. */
    const starts: number[] = []

    const firstThatFits = (): number => {
      let left = budget
      let end = log.memories.length
      for (let i = starts.length - 1; i >= 0; i--) {
        const start = starts[i]!
        const cost = tokens.slice(start, end).reduce((sum, one) => sum + one, 0)
        if (cost > left) break
        left -= cost
        end = start
      }
      if (end < log.memories.length) return end
      while (end > 0 && tokens[end - 1]! <= left) left -= tokens[--end]!
      return end
    }

    return {
      store: async (conversation) => {
        starts.push(log.memories.length)
        for (const memory of log.add(conversation)) tokens.push(shownTokens(memory))
      },
      retrieve: async () => log.memories.slice(firstThatFits()),
      dump: async () => log.memories.slice(),
    }
  },
})
