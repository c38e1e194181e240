/**
 * What the judge weighs for each labelled answer, one line an answer, for `fit.py --answers`.
 *
 *     node --import jiti/register lab/training/dump-answers.ts gold.jsonl out.jsonl <folder of caches>
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createEntailment } from '../../src/gateway/entailment/index.js'
import { answerCaseOf, readGoldFile } from '../../src/judges/gold.js'
import { gradeAnswer } from '../../src/judges/lexical/answer.js'
import { answerClues, answerFeatures } from '../../src/judges/lexical/answer-reading.js'

const [from = '', to = '', cacheDir = ''] = process.argv.slice(2)
const entail = createEntailment({ cacheDir })
const gold = readGoldFile(readFileSync(from, 'utf8'), from)
if (gold.kind !== 'answers') throw new Error(`${from} holds no labelled answers.`)
const items = gold.cases.map(answerCaseOf)
const clues = await answerClues(
  items.map((item) => ({ item, ruled: gradeAnswer(item.question, item.answer) })),
  entail,
)
const lines = gold.cases.map(({ id, label, task }, i) => {
  const { ruled } = clues[i]!
  const settled = ruled.grade !== 'error' && !ruled.uncertain ? ruled.grade : null
  return JSON.stringify({ id, kind: task, supported: true, gold: label, settled, model: answerFeatures(clues[i]!) })
})
writeFileSync(to, `${lines.join('\n')}\n`)
await entail.close()
