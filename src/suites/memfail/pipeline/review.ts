import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { UserError } from '../../../base/errors.js'
import type { ReviewRow } from '../../../model/index.js'
import { type MemfailTask, TASKS } from '../material.js'
import { ownFile, readOwn, rowKind } from '../own.js'
import { rowsOf } from '../own-material.js'

/** Rows of a folder for people to look over, each with the texts and questions of all its tasks. */
export async function reviewRows(folder: string): Promise<ReviewRow[]> {
  const tasks = TASKS.filter((task) => existsSync(join(folder, ownFile(rowKind(task)))))
  if (tasks.length === 0) throw new UserError(`${folder} holds no rows in our layout.`)
  const rows = new Map<string, ReviewRow>()
  for (const task of tasks)
    for (const row of rowsIn(folder, task)) {
      const known = rows.get(row.id)
      rows.set(row.id, known ? { ...known, text: `${known.text}\n\n${row.text}` } : row)
    }
  return [...rows.values()]
}

function rowsIn(folder: string, task: MemfailTask): ReviewRow[] {
  return rowsOf(task, readOwn(task, pathToFileURL(`${folder}/`))).map(({ id, units, questions }) => ({
    id,
    stratum: `${rowKind(task)} ${Object.values(questions[0]?.tags ?? {}).join(' ')}`.trim(),
    text: units.map(({ text }) => text).join('\n'),
    claim: questions
      .map(({ text, gold, choices }) => {
        const options = choices ? ` (${choices.map((one) => `${one.letter} ${one.text}`).join('; ')})` : ''
        return `${text}${options} → ${'text' in gold ? gold.text : ''}`
      })
      .join('\n'),
  }))
}
