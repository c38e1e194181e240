import { inPercent } from '../../src/base/figures.js'
import { redo, report } from '../../src/library.js'
import type { Bench } from '../bench.js'
import { measureParts } from './measured.js'
import { HOME } from './parts.js'
import { kendallTau, type Ranking, rankingAt } from './ranking.js'

const TOKENS = 1000
const BY_WORDS = 'lexical:model=no'

/** Whether the ranking of systems stays when the judge's entailment model is switched off, over the runs of `mosaic`. */
export const byWordsBench: Bench = {
  name: 'mosaic-by-words',
  about: `the ranking of systems in the runs of mosaic with and without the judge's model, at ${TOKENS} tokens`,
  run: async (progress) => {
    const { runs, judge, leftOut } = await measureParts(progress)
    const rows: string[][] = []
    for (const { part, id } of runs) {
      progress(`${part.name}: by words alone`)
      const read = rankingAt(TOKENS, (await report({ run: id, home: HOME })).summary.cells)
      const byWords = rankingAt(TOKENS, (await redo({ run: id, factJudge: BY_WORDS, home: HOME })).summary.cells)
      rows.push([part.name, words(read), words(byWords), kendallTau(read, byWords).toFixed(2)])
    }
    return {
      title: 'The ranking of systems with and without the judge’s model',
      note: `Share of questions whose evidence is complete within ${TOKENS} tokens, by ${judge} and by \`${BY_WORDS}\`; Kendall's tau-b of the two orders.${
        leftOut.length > 0 ? ` Left out: ${leftOut.join('; ')}.` : ''
      }`,
      columns: ['suite', 'with the model', 'by words alone', 'tau'],
      rows,
    }
  },
}

function words(ranking: Ranking): string {
  return ranking.map(({ system, share }) => `${system} ${inPercent(share)}`).join(', ')
}
