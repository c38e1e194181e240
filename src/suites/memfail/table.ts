import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { CsvError, parse } from 'csv-parse/sync'
import { z } from 'zod'
import { UserError } from '../../base/errors.js'
import { sha256 } from '../../base/hash.js'

/** One record of a published file, with where it stands. */
export interface TableRow {
  /** Counts from 0, without the header. */
  index: number
  line: number
  cells: Record<string, string>
}

/** A mistake in one row. */
export interface TableDefect {
  row: TableRow
  column: string
  problem: string
}

const MOST_SHOWN = 5

const Parsed = z.array(z.object({ record: z.array(z.string()), info: z.object({ lines: z.number() }) }))

/**
 * Reads a published CSV file strictly: the columns must be these, every record must have them all. A byte-order mark and CRLF line ends are
 * fine; anything else that is off is a `UserError` that names file, row and line.
 */
export function readTable(file: string, columns: readonly string[]): { rows: TableRow[]; hash: string } {
  const bytes = read(file)
  const text = new TextDecoder('utf-8', { fatal: true })
  let decoded: string
  try {
    decoded = text.decode(bytes)
  } catch {
    throw new UserError(`${file} is not UTF-8 text.`, 'Save it as UTF-8, as it was published.')
  }
  let parsed: { record: string[]; lines: number }[]
  try {
    const records: unknown = parse(decoded.replaceAll('\r\n', '\n'), {
      bom: true,
      info: true,
      skip_empty_lines: true,
      relax_column_count: true,
    })
    parsed = Parsed.parse(records).map(({ record, info }) => ({ record, lines: info.lines }))
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new UserError(
      `${file} is not well-formed CSV: ${error.message}`,
      'Cells with quotes, commas or line ends must be quoted, and quotes in them doubled.',
    )
  }
  const header = parsed.shift()?.record ?? []
  const missing = columns.filter((column) => !header.includes(column))
  const unexpected = header.filter((column, i) => !columns.includes(column) || header.indexOf(column) !== i)
  if (missing.length > 0 || unexpected.length > 0) {
    const parts = [
      missing.length > 0 ? `without ${missing.map((name) => `"${name}"`).join(', ')}` : '',
      unexpected.length > 0 ? `with unexpected or repeated ${unexpected.map((name) => `"${name}"`).join(', ')}` : '',
    ].filter(Boolean)
    throw new UserError(`${file} has columns ${parts.join(' and ')}.`, `Expected the columns ${columns.join(', ')}.`)
  }
  if (parsed.length === 0) throw new UserError(`${file} has no rows.`, 'Is the download complete?')
  let line = 2
  const rows = parsed.map(({ record, lines }, index): TableRow => {
    const start = line
    line = lines + 1
    if (record.length !== header.length) {
      throw new UserError(
        `${basename(file)}, row ${index} (line ${start}): expected ${header.length} cells, got ${record.length}.`,
        'A quote or a comma is probably missing in that row.',
      )
    }
    return {
      index,
      line: start,
      cells: Object.fromEntries(header.map((name, i) => [name, record[i]!])),
    }
  })
  return { rows, hash: sha256(bytes) }
}

/** The value of a cell that holds JSON of the given shape; otherwise a defect is noted and null returned. */
export function jsonCell<T>(row: TableRow, column: string, schema: z.ZodType<T>, defects: TableDefect[]): T | null {
  let value: unknown
  try {
    value = JSON.parse(row.cells[column]!)
  } catch (error) {
    defects.push({ row, column, problem: `not JSON (${error instanceof Error ? error.message : String(error)})` })
    return null
  }
  const checked = schema.safeParse(value)
  if (checked.success) return checked.data
  defects.push({ row, column, problem: z.prettifyError(checked.error).replaceAll('\n', ' ') })
  return null
}

/** Throws one error for all defects of a file, the first few in full. */
export function reject(file: string, defects: readonly TableDefect[]): void {
  if (defects.length === 0) return
  const shown = defects
    .slice(0, MOST_SHOWN)
    .map(({ row, column, problem }) => `  row ${row.index} (line ${row.line}), column "${column}": ${problem}`)
  const more = defects.length > MOST_SHOWN ? `\n  … and ${defects.length - MOST_SHOWN} more` : ''
  throw new UserError(
    `${file} has ${defects.length} bad ${defects.length === 1 ? 'cell' : 'cells'}:\n${shown.join('\n')}${more}`,
    'Mend these rows or fetch the release again. Nothing was run.',
  )
}

function read(file: string): Uint8Array {
  try {
    return readFileSync(file)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code === 'ENOENT')
      throw new UserError(
        `There is no file ${file}.`,
        'Give --data the folder that holds the release, or choose tasks with --suite memfail/<task>.',
      )
    throw new UserError(`${file} cannot be read (${code || String(error)}).`, 'Check its permissions.')
  }
}
