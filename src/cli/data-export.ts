import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { UserError, unknownName } from '../base/errors.js'
import { makeFolder } from '../base/folders.js'
import { toPublished } from '../suites/memfail/export.js'
import { goldCases } from '../suites/memfail/gold.js'
import { loadTask } from '../suites/memfail/load.js'
import { kindOf, ownFile, readOwn } from '../suites/memfail/own.js'
import type { Typed } from './args.js'
import { suitesIn } from './data-folder.js'
import { exportLives } from './data-lives.js'
import { memfailTasks } from './data-tasks.js'
import { writeWhole } from './whole-file.js'

const FORMATS = ['jsonl', 'published', 'gold']

/**
 * `memscope data export`: rows in our layout, in the authors' CSV, or intact and damaged versions of every fact as labelled cases for
 * `memscope judge eval`; of Memora simulated lives. Nothing that is there is overwritten.
 */
export async function exportData({ list, text }: Typed): Promise<number> {
  const isLives = list.suite?.length === 1 && list.suite[0] === 'memora'
  if (text.out === undefined) throw new UserError('Where shall the files go?', 'Give a folder with --out <folder>.')
  if (isLives) {
    await exportLives(text, text.out === '-' ? null : resolve(text.out))
    return 0
  }
  if (text.out === '-')
    throw new UserError('Files of memfail cannot share standard output.', 'Give a folder with --out <folder>.')
  if (list.suite === undefined && text.data !== undefined) requireRows(resolve(text.data))
  const format = text.format ?? 'jsonl'
  if (!FORMATS.includes(format)) throw unknownName('format', format, FORMATS)
  const out = resolve(text.out)
  const folder = text.data === undefined ? undefined : resolve(text.data)
  const from = folder === undefined ? undefined : pathToFileURL(`${folder}/`)
  const files = new Map<string, string>()
  const dropped = new Map<string, string[]>()
  for (const task of memfailTasks(list.suite)) {
    const own = readOwn(task, from)
    if (format === 'gold') {
      const cases = [...goldCases(loadTask(task, folder, 'released'))]
      files.set(
        'gold.jsonl',
        `${files.get('gold.jsonl') ?? ''}${cases.map((one) => `${JSON.stringify(one)}\n`).join('')}`,
      )
    } else if (format === 'jsonl')
      files.set(ownFile(kindOf(task)), own.rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
    else {
      const file = toPublished(task, own)
      files.set(file.path, file.text)
      dropped.set(file.path, file.dropped)
    }
  }
  for (const path of files.keys()) {
    if (existsSync(join(out, path)))
      throw new UserError(`${join(out, path)} is there already.`, 'Choose an empty folder.')
  }
  for (const [path, content] of files) {
    makeFolder(dirname(join(out, path)))
    await writeWhole(join(out, path), (write) => write(content))
    const lost = dropped.get(path)
    process.stdout.write(`${join(out, path)}${lost ? `  without ${lost.join(', ')}` : ''}\n`)
  }
  return 0
}

/** Only rows of MemFail are exported from a folder. */
function requireRows(folder: string): void {
  const held = suitesIn(folder).map(({ name }) => name)
  if (held.includes('memfail')) return
  throw new UserError(
    `${folder} holds data of ${held.join(' and ')}; only that of memfail is exported from a folder.`,
    'Simulated lives are exported with --suite memora, without --data.',
  )
}
