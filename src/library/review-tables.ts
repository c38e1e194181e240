import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'
import { z } from 'zod'
import { UserError } from '../base/errors.js'
import type { ReviewedRow, ReviewTable } from '../view/review-table.js'
import { inTurn, writeWhole } from './whole-file.js'

/** Two people, each with a table of their own. */
export const REVIEWERS: readonly string[] = ['a', 'b']
const VERDICTS = ['keep', 'reject'] as const
export type RowVerdict = (typeof VERDICTS)[number]

/** The tables of both reviewers in a folder. */
export function tableFiles(out: string): string[] {
  return REVIEWERS.map((name) => join(resolve(out), `review-${name}.csv`))
}

/** A table of rows to look over. */
export function readReviewTable(file: string): ReviewTable {
  if (!existsSync(file)) throw new UserError(`There is no table ${file}.`, 'memscope data review writes it.')
  const rows = parse(readFileSync(file, 'utf8'), { columns: true, bom: true }) as Partial<ReviewedRow>[]
  return {
    file,
    rows: rows.map(({ id = '', text = '', claim = '', verdict = '', note = '' }) => ({
      ...{ id: cellText(id), text: cellText(text), claim: cellText(claim) },
      ...{ verdict: verdict.trim().toLowerCase(), note: cellText(note) },
    })),
  }
}

/** Writes a table of rows to look over. */
export async function writeReviewTable({ file, rows }: ReviewTable): Promise<void> {
  const shown = rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, text]) => [name, withoutFormula(text)])),
  )
  await writeWhole(file, (write) => write(stringify(shown, { header: true })), { isPrivate: true })
}

/** What a spreadsheet takes for a formula, whatever stands before it that it strips, and one that was marked before. */
const FORMULA = /^'*[\s\p{Cf}]*[=+\-@\uff0b\uff0d\uff1d\uff20]/u

/** A text as a cell that no spreadsheet computes: it reads a leading apostrophe as the mark of a text, and does not show it. */
export function withoutFormula(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text
}

/** The text that `withoutFormula` was given. A spreadsheet that wrote the table anew has left the mark out, or kept it. */
export function cellText(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell
}

/** Verdicts of a table that is filled in, by row. */
export function readTableVerdicts(file: string): Map<string, RowVerdict> {
  return new Map(
    readReviewTable(file).rows.map(({ id, verdict }) => {
      const known = VERDICTS.find((one) => one === verdict)
      if (!known)
        throw new UserError(
          verdict === ''
            ? `${file}: row "${id}" has no verdict yet.`
            : `${file}: row "${id}" has the verdict "${verdict}".`,
          `Write ${VERDICTS.join(' or ')}.`,
        )
      return [id, known]
    }),
  )
}

const Given = z.object({
  id: z.string(),
  verdict: z.enum(['', ...VERDICTS]).exactOptional(),
  note: z.string().max(10_000).exactOptional(),
})

/** Writes down what a reviewer decided about one row; one after another, so that none is lost. */
export function decideRow(file: string, given: unknown): Promise<ReviewedRow> {
  return inTurn(file, async () => {
    const { success, data } = Given.safeParse(given)
    if (!success) throw new UserError(`Expected the id of a row, and a verdict (${VERDICTS.join(' or ')}) or a note.`)
    const { rows } = readReviewTable(file)
    const at = rows.findIndex(({ id }) => id === data.id)
    if (at < 0) throw new UserError(`There is no row "${data.id}" in ${file}.`)
    const decided = { ...rows[at]!, ...data }
    await writeReviewTable({ file, rows: rows.with(at, decided) })
    return decided
  })
}
