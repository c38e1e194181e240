import { it } from 'vitest'
import { createLexicalJudge } from '../../../judges/lexical/index.js'
import { lintOwn, lintPublished } from './index.js'

it('x', async () => {
  const t = performance.now()
  for (const r of lintPublished('/work/shared/data/meme')) {
    console.log(
      r.rules.map((x) => `${x.name} ${x.broken}`),
      r.figures,
      r.violations.filter((v) => v.row === '*'),
    )
  }
  console.log(performance.now() - t)
  for (const d of ['personal-life', 'software-project'] as const) {
    const t = performance.now()
    const r = await lintOwn(d, { seed: 42, episodes: 90, filled: 2, judgeFacts: createLexicalJudge().judgeFacts })
    console.log(
      performance.now() - t,
      r.rules.map((x) => `${x.name} ${x.broken}`),
      r.figures,
      r.violations.slice(0, 10),
    )
  }
}, 100000)
