import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { releasePath } from './findings.js'
import { TASKS } from './material.js'
import { ownFile, rowKind } from './own.js'

/** Whether a folder holds rows of some task, in the authors' layout or in ours. */
export function holdsRows(folder: string): boolean {
  const files = TASKS.flatMap((task) => [releasePath(task), ownFile(rowKind(task))])
  return files.some((file) => existsSync(join(folder, file)))
}
