import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { UserError } from '../base/errors.js'
import { makeFolder } from '../base/folders.js'
import type { DataFile } from '../model/index.js'
import type { Typed } from './args.js'
import { askedData } from './data-suite.js'
import { isOutputClosed, writeOutput } from './streams.js'
import { harnessVersion } from './version.js'
import { writeWhole } from './whole-file.js'

/** `memscope data generate`: a fresh corpus for a seed. */
export function generateData(typed: Typed): Promise<number> {
  return writeData('generate', typed)
}

/** `memscope data export`: what there is, in a suite's own layouts. */
export function exportData(typed: Typed): Promise<number> {
  return writeData('export', typed)
}

/** Has a suite make files, which are written to a folder or to standard output. Nothing that is there is overwritten. */
async function writeData(verb: 'generate' | 'export', typed: Typed): Promise<number> {
  const { out } = typed.text
  const { work, options } = await askedData(verb, typed)
  const files = await work.run({ ...options, stdout: out === '-', harness: harnessVersion() })
  if ('told' in files) for (const line of files.told) process.stdout.write(line)
  else if (out === undefined)
    throw new UserError(
      'Where shall the files go?',
      'Give a folder with --out <folder>, or --out - for standard output.',
    )
  else if (out === '-') await pipe(files)
  else await writeFiles(resolve(out), files)
  return 0
}

async function pipe(files: readonly DataFile[]): Promise<void> {
  for (const { lines } of files) {
    for await (const line of lines) {
      if (isOutputClosed()) return
      if (!process.stdout.write(line)) await writeOutput('')
    }
  }
}

async function writeFiles(out: string, files: readonly DataFile[]): Promise<void> {
  const there = files.find(({ path, companion }) => !companion && existsSync(join(out, path)))
  if (there) throw new UserError(`${join(out, there.path)} is there already.`, 'Choose an empty folder.')
  for (const { path, lines, note, companion } of files) {
    const file = join(out, path)
    makeFolder(dirname(file))
    await writeWhole(file, async (write) => {
      for await (const line of lines) await write(line)
    })
    if (!companion) process.stdout.write(`${file}${note === undefined ? '' : `  ${note}`}\n`)
  }
}
