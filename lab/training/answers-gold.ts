/**
 * Answers of readers as `memscope judge eval` reads them: what is only a text becomes a gold as the suites that are brought make one.
 *
 *     node --import jiti/register lab/training/answers-gold.ts answers.jsonl gold.jsonl
 *
 * A line has `question`, `gold`, `form`, `turns`, and either an `answer` with its `label`, or several of them under `answers`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { statementCues } from '../../src/language/derive-cues.js'
import type { Gold } from '../../src/model/index.js'
import { goldOf } from '../../src/suites/cited/golds.js'

interface Answered {
  answer: string
  label: 'correct' | 'wrong'
}

interface Row extends Partial<Answered> {
  id: string
  category: string
  question: string
  form: 'free' | 'list' | 'date' | 'number' | 'abstain'
  gold: string
  asked: string
  turns: string[]
  answers?: Answered[]
}

const [from = '', to = ''] = process.argv.slice(2)
const lines: string[] = []
for (const line of readFileSync(from, 'utf8').split('\n').filter(Boolean)) {
  const { id, category, question, form, gold, asked, turns, answers, answer, label } = JSON.parse(line) as Row
  const all = answers ?? [{ answer: answer!, label: label! }]
  const facts = turns.map((text, i) => ({
    id: `t${i}`,
    role: form === 'abstain' ? 'tempting' : 'needed',
    text,
    cues: statementCues(text, {}),
  }))
  for (const [i, one] of all.entries())
    lines.push(
      JSON.stringify({
        id: answers ? `${id}-${i}` : id,
        task: category,
        date: asked,
        question,
        answer: one.answer,
        label: one.label === 'correct' ? 'right' : 'wrong',
        gold: goldIn(form, gold),
        facts,
      }),
    )
}
writeFileSync(to, `${lines.join('\n')}\n`)

function goldIn(form: Row['form'], text: string): Gold {
  if (form === 'abstain') return { kind: 'abstain', about: 'what is asked', text }
  return goldOf(text, { several: form === 'list' })
}
