import { UserError } from '../../base/errors.js'
import { claimedFigures } from '../cited/figures.js'
import { citedSuite } from '../cited/suite.js'
import { fileIn } from '../read-files.js'

/** Names that the release goes by. */
export const FILES = ['locomo10.json', 'data/locomo10.json']

const ONLY = 'Get data/locomo10.json of https://github.com/snap-research/locomo (CC BY-NC 4.0).'

/** LoCoMo: months of talk between two people, and questions that cite the turns that answer them. */
export const locomo = citedSuite({
  name: 'locomo',
  about: 'months of talk between two people: facts, times, several facts at once, and what was said by the other one',
  paper: 'LoCoMo, arXiv 2402.17753',
  tasks: [
    { name: 'multi-hop', about: 'several turns have to be put together (category 1)' },
    { name: 'temporal', about: 'when something was: the turn, and the day it was said (category 2)' },
    { name: 'open-domain', about: 'what follows with knowledge of the world (category 3)' },
    { name: 'single-hop', about: 'what one turn says (category 4)' },
    { name: 'adversarial', about: 'what nobody said of this person, but somebody of the other one (category 5)' },
  ],
  flags: {
    audit: {
      default: '',
      about: 'errors.json of the public audit (https://github.com/dial481/locomo-audit), for --view audited',
    },
  },
  refuse({ view, extra }) {
    if (extra.audit && view === 'released')
      throw new UserError('locomo:audit mends what --view released leaves as it is.', 'Leave out one of them.')
  },
  counted: ['multi-hop', 'temporal', 'open-domain', 'single-hop'],
  quick: 1,
  expected: 'locomo10.json of its release',
  only: ONLY,
  holds: (folder) => fileIn(folder, FILES) !== undefined,
  read: async (options) => (await import('./read.js')).readLocomo(options),
  figures: () => claimedFigures(new URL('./figures.json', import.meta.url)),
})
