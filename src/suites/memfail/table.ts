import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { CsvError, parse } from 'csv-parse/sync'
import { z } from 'zod'
import { UserError } from '../../base/errors.js'
import { sha256 } from '../../base/hash.js'

const MOST_SHOWN = 5

const Parsed = z.array(z.object({ record: z.array(z.string()), info: z.object({ lines: z.number() }) }))

/** A cell that is not empty. */
export const filled = z.string().refine((text) => text.trim() !== '', 'empty')

/** A cell that holds JSON of a shape. */
export function jsonCell<T>(shape: z.ZodType<T>) {
  return z.string().transform((text, context): T => {
    try {
      const read = shape.safeParse(JSON.parse(text))
      if (read.success) return read.data
      context.addIssue(z.prettifyError(read.error).replaceAll('\n', ' '))
    } catch (error) {
      context.addIssue(`not JSON (${error instanceof Error ? error.message : String(error)})`)
    }
    return z.NEVER
  })
}

/**
 * Reads a published CSV file strictly: the columns must be those of the shape, every record must have them all, and every cell must be what
 * the shape says. A byte-order mark and CRLF line ends are fine; anything else that is off is a `UserError` that names file, row and line.
 *
 * @param key a column that no two rows may have in common
 */
export function readTable<S extends z.ZodObject>(
  file: string,
  shape: S,
  key?: keyof z.infer<S> & string,
): { rows: z.infer<S>[]; hash: string } {
  const bytes = read(file)
  const parsed = recordsOf(file, bytes)
  const header = parsed.shift()?.record ?? []
  requireColumns(file, header, Object.keys(shape.shape))
  if (parsed.length === 0) throw new UserError(`${file} has no rows.`, 'Is the download complete?')
  const defects: string[] = []
  const keys = new Map<unknown, number>()
  let line = 2
  const rows = parsed.flatMap(({ record, lines }, index): z.infer<S>[] => {
    const start = line
    line = lines + 1
    if (record.length !== header.length) {
      throw new UserError(
        `${basename(file)}, row ${index} (line ${start}): expected ${header.length} cells, got ${record.length}.`,
        'A quote or a comma is probably missing in that row.',
      )
    }
    const defect = (column: string, problem: string) =>
      defects.push(`  row ${index} (line ${start}), column "${column}": ${problem}`)
    const cells = Object.fromEntries(header.map((name, i) => [name, record[i]!]))
    const checked = shape.safeParse(cells)
    for (const { path, message } of checked.error?.issues ?? []) defect(String(path[0]), message)
    if (key !== undefined) {
      const before = keys.get(cells[key])
      if (before !== undefined) defect(key, `"${cells[key]}" is also the ${key} of row ${before}`)
      keys.set(cells[key], index)
    }
    return checked.success ? [checked.data] : []
  })
  if (defects.length === 0) return { rows, hash: sha256(bytes) }
  const more = defects.length > MOST_SHOWN ? [`  … and ${defects.length - MOST_SHOWN} more`] : []
  throw new UserError(
    `${file} has ${defects.length} bad ${defects.length === 1 ? 'cell' : 'cells'}:\n${[...defects.slice(0, MOST_SHOWN), ...more].join('\n')}`,
    'Mend these rows or fetch the release again. Nothing was run.',
  )
}

function recordsOf(file: string, bytes: Uint8Array): { record: string[]; lines: number }[] {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes).replaceAll('\r\n', '\n')
    const options = { bom: true, info: true, skip_empty_lines: true, relax_column_count: true } as const
    return Parsed.parse(parse(text, options)).map(({ record, info }) => ({ record, lines: info.lines }))
  } catch (error) {
    if (error instanceof TypeError)
      throw new UserError(`${file} is not UTF-8 text.`, 'Save it as UTF-8, as it was published.')
    if (!(error instanceof CsvError)) throw error
    throw new UserError(
      `${file} is not well-formed CSV: ${error.message}`,
      'Cells with quotes, commas or line ends must be quoted, and quotes in them doubled.',
    )
  }
}

function requireColumns(file: string, header: readonly string[], columns: readonly string[]): void {
  const missing = columns.filter((column) => !header.includes(column))
  const unexpected = header.filter((column, i) => !columns.includes(column) || header.indexOf(column) !== i)
  if (missing.length === 0 && unexpected.length === 0) return
  const listed = (words: string, names: readonly string[]) =>
    names.length > 0 ? [`${words} ${names.map((name) => `"${name}"`).join(', ')}`] : []
  const parts = [...listed('without', missing), ...listed('with unexpected or repeated', unexpected)]
  throw new UserError(`${file} has columns ${parts.join(' and ')}.`, `Expected the columns ${columns.join(', ')}.`)
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
