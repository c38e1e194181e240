/**
 * What the judge weighs for each labelled criterion, one line a criterion, for `fit.py --criteria`.
 *
 *     node --import jiti/register lab/training/dump-criteria.ts cases.jsonl out.jsonl <folder of caches>
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createEmbedder } from '../../src/gateway/embed/index.js'
import { createEntailment } from '../../src/gateway/entailment/index.js'
import { questionOf } from '../../src/judges/eval-criteria.js'
import { parseCriteria } from '../../src/judges/gold.js'
import { findingsOf, isSettled } from '../../src/judges/lexical/criteria/index.js'
import { criterionClues, criterionFeatures } from '../../src/judges/lexical/criteria/reading.js'

const [from = '', to = '', cacheDir = ''] = process.argv.slice(2)
const embed = await createEmbedder({ model: 'minilm', cacheDir })
const entail = createEntailment({ cacheDir })
const lines: string[] = []
for (const one of parseCriteria(readFileSync(from, 'utf8'), from)) {
  const { gold } = questionOf(one)
  if (gold.kind !== 'criteria') continue
  const labelled = gold.criteria.slice(0, one.criteria.length)
  const clues = await criterionClues(labelled, one.answer, { embed, entail })
  const findings = findingsOf(gold.criteria, one.answer)
  one.criteria.forEach(({ label, question, borderline = false }, i) => {
    const finding = findings.get(labelled[i]!)
    const writer = one.id.split('|')[1] ?? one.id.replace(/-?\d+$/, '')
    const about = { id: `${writer}-${one.id}`, kind: clues[i]!.criterion.type, supported: !borderline, gold: label }
    const settled = finding && isSettled(finding) ? (finding.yes ? 'yes' : 'no') : null
    const model = criterionFeatures({ ...clues[i]!, finding })
    lines.push(JSON.stringify({ ...about, question, sort: finding ? 'asked' : 'free', settled, model }))
  })
}
writeFileSync(to, `${lines.join('\n')}\n`)
await Promise.all([embed.close(), entail.close()])
