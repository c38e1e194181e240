import { readData } from '../../src/base/data-file.js'
import type { Domain } from '../../src/suites/meme/graph.js'
import { dishMaker } from './makers/dish.js'
import { letterMaker } from './makers/letter.js'
import { MACHINES } from './makers/machine.js'
import { phraseMaker } from './makers/phrase.js'
import { procedureMaker, type Work } from './makers/procedure.js'
import { RECKONINGS } from './makers/reckon.js'
import { reviewMaker } from './makers/review.js'
import { tableMaker } from './makers/table.js'
import { topicMaker } from './makers/topic.js'
import { TRACES } from './makers/traces.js'
import {
  DishFile,
  LetterFile,
  type Moves,
  MovesFile,
  PhraseFile,
  ProcedureFile,
  ReviewFile,
  TableFile,
  TopicFile,
} from './schema.js'
import type { Source } from './thread.js'

const file = (name: string) => new URL(`./data/${name}.json`, import.meta.url)

/** The file names of a domain begin with this. */
const PREFIX: Record<Domain, string> = { 'personal-life': 'personal', 'software-project': 'software' }

/** Groups of subjects that worked examples of software belong to. */
const GROUPS: Record<string, string> = {
  hash: 'structures',
  heap: 'structures',
  bst: 'structures',
  lru: 'structures',
  bits: 'bits',
  utf8: 'bits',
  base64: 'bits',
  groupby: 'sql',
  uniqc: 'shell',
  perms: 'shell',
  cron: 'shell',
  subnet: 'web',
}

/** Worked examples that share their sentences with another one. */
const SELDOM = new Set(['percent', 'updown'])

/** What speakers of a domain say around the matter itself. */
export function movesOf(domain: Domain): Moves {
  return readData(file(`${PREFIX[domain]}-moves`), MovesFile)
}

/** All that conversations of a domain can be about. */
export function sourcesOf(domain: Domain): Source[] {
  const moves = movesOf(domain)
  const topics = readData(file(`${PREFIX[domain]}-topics`), TopicFile).map(
    (topic): Source => ({ id: topic.id, group: topic.group, weight: 3, make: topicMaker(topic, moves) }),
  )
  const tables = readData(file(`${PREFIX[domain]}-tables`), TableFile).map(
    (table): Source => ({
      id: table.id,
      group: table.group,
      weight: table.rows.length,
      make: tableMaker(table, moves),
    }),
  )
  return [...topics, ...tables, ...(domain === 'personal-life' ? everyday() : programming())]
}

function everyday(): Source[] {
  return [
    ...worked(RECKONINGS, () => 'maths'),
    { id: 'dishes', group: 'kitchen', weight: 12, make: dishMaker(readData(file('dishes'), DishFile)) },
    { id: 'letters', group: 'language', weight: 12, make: letterMaker(readData(file('letters'), LetterFile)) },
    { id: 'phrases', group: 'language', weight: 12, make: phraseMaker(readData(file('phrases'), PhraseFile)) },
  ]
}

function programming(): Source[] {
  const review = reviewMaker(readData(file('reviews'), ReviewFile))
  return [
    ...worked({ ...TRACES, ...MACHINES }, (id) => GROUPS[id] ?? 'algorithms'),
    { id: 'reviews', group: 'style', weight: 30, make: review },
  ]
}

function worked(works: Record<string, Work>, group: (id: string) => string): Source[] {
  const procedures = readData(file('procedures'), ProcedureFile)
  return Object.entries(works).map(([id, work]) => {
    const about = procedures[id]
    if (!about) throw new Error(`No sentences for the procedure "${id}"`)
    return { id, group: group(id), weight: SELDOM.has(id) ? 3 : 6, make: procedureMaker(about, work) }
  })
}
