/**
 * Labelled criteria as the judge reads them, one pair a line, for `train.py --criteria`: the question with the nearest lines of the answer, and
 * with all of it where it is short. Labels: 0 yes, 1 no though the answer speaks of it, 2 no.
 *
 *     node --import jiti/register lab/training/criteria-pairs.ts out.jsonl <folder of caches> answers.jsonl …
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createEmbedder } from '../../src/gateway/embed/index.js'
import { criterionPairs } from '../../src/judges/lexical/criteria/reading.js'
import type { Criterion } from '../../src/model/index.js'

/** Longest answer that is read whole, in characters. */
const SHORT = 1200

interface Answer {
  answer: string
  criteria: { id: string; question: string; type: string; label: 'yes' | 'no'; near?: boolean }[]
}

const [to = '', cacheDir = '', ...files] = process.argv.slice(2)
const embed = await createEmbedder({ model: 'minilm', cacheDir })
const lines: string[] = []
for (const file of files)
  for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
    const { answer, criteria } = JSON.parse(line) as Answer
    const asked = criteria.map(({ id, question }) => ({ id, text: question, type: 'presence' }) as Criterion)
    const { pairs } = await criterionPairs(asked, answer, embed)
    criteria.forEach(({ question, label, near }, i) => {
      const texts = new Set([pairs[i]!.memories, ...(answer.length <= SHORT ? [answer] : [])])
      for (const memories of texts)
        lines.push(JSON.stringify({ fact: question, memories, label: label === 'yes' ? 0 : near ? 1 : 2 }))
    })
  }
writeFileSync(to, `${lines.join('\n')}\n`)
await embed.close()
