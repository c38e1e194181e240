import type { DataFile, ModelMaking, WriteOptions } from '../../../model/index.js'
import { makeCorpus } from '../../generation/corpus.js'
import type { Maker } from '../../generation/maker.js'
import { toPublished } from '../export.js'
import type { MemfailTask } from '../material.js'
import { type OwnKind, ownFile, rowKind } from '../own.js'
import { coexistingReading, makeCoexisting } from './coexisting.js'
import { conditionalReading, makeConditional } from './conditional.js'
import { longHopReading, makeChains, STEP, WINDOW } from './long-hop.js'
import { makePersonas, personaReading } from './persona.js'
import type { RowReading } from './reading.js'

/** Rows a kind unless told otherwise: what the paper has. */
const TARGETS: Record<OwnKind, number> = { conditional: 100, coexisting: 100, persona: 100, 'long-hop': 92 }

type Make<R> = (maker: Maker, target: number, seed: number) => Promise<R[]>

/** How rows of a kind are made, and when two of them are nearly the same. */
function madeBy<R extends { id: string }>({ asOwn, dedup }: RowReading<R>, make: Make<R>) {
  return { threshold: dedup.threshold, make: async (...asked: Parameters<Make<R>>) => asOwn(await make(...asked)) }
}

const MAKERS = {
  conditional: madeBy(conditionalReading, makeConditional),
  coexisting: madeBy(coexistingReading, makeCoexisting),
  persona: madeBy(personaReading, makePersonas),
  'long-hop': madeBy(longHopReading, makeChains),
}

/** Rows that models write, as the paper makes them: in our layout, in the authors' under `published/`, and how they came about. */
export async function makeRows(tasks: readonly MemfailTask[], making: ModelMaking, options: WriteOptions) {
  return makeCorpus(options, making, new URL('./prompts/', import.meta.url), async (makerOf) => {
    const files: DataFile[] = []
    const near_duplicates: Partial<Record<OwnKind, number>> = {}
    for (const kind of new Set(tasks.map(rowKind))) {
      const { threshold, make } = MAKERS[kind]
      near_duplicates[kind] = threshold
      const maker = makerOf(kind)
      const own = await make(maker, making.target ?? TARGETS[kind], options.seed)
      const { rows } = own
      maker.funnel.pass('kept', rows.length)
      if (rows.length === 0) continue
      const lines = rows.map((row) => `${JSON.stringify(row)}\n`)
      files.push({ path: ownFile(kind), lines, note: `${rows.length} rows` })
      for (const task of tasks.filter((one) => rowKind(one) === kind)) {
        const { path, text } = toPublished(task, own)
        files.push({ path: `published/${path}`, lines: [text], companion: true })
      }
    }
    return { files, thresholds: { near_duplicates, conflict_window: WINDOW, conflict_step: STEP } }
  })
}
