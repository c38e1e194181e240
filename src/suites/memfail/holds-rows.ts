import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { releasePath } from './findings.js'
import { TASKS } from './material.js'
import { kindOf, ownFile } from './own.js'

/** Whether a folder holds rows of some task, in the authors' layout or in ours. */
export function holdsRows(folder: string): boolean {
  const files = TASKS.flatMap((task) => [releasePath(task), ownFile(kindOf(task))])
  return files.some((file) => existsSync(join(folder, file)))
}
