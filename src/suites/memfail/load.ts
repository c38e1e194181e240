import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { UserError } from '../../base/errors.js'
import type { View } from '../../model/index.js'
import { releasePath } from './findings.js'
import { type Material, type MemfailTask, TASKS } from './material.js'
import { kindOf, ownFile } from './own.js'
import { loadOwn } from './own-material.js'
import { loadCoexisting } from './published-coexisting.js'
import { loadConditional } from './published-conditional.js'
import { loadLongHop } from './published-long-hop.js'
import { loadPersona } from './published-persona.js'

/** The rows of a task: a release in the authors' layout, rows in ours, or, without a folder, the bundled corpus. */
export function loadTask(task: MemfailTask, folder: string | undefined, view: View): Material {
  if (folder === undefined) return loadOwn(task)
  requireFolder(folder)
  const file = join(folder, releasePath(task))
  if (!existsSync(file) && existsSync(join(folder, ownFile(kindOf(task)))))
    return loadOwn(task, pathToFileURL(`${resolve(folder)}/`))
  switch (task) {
    case 'conditional-easy':
    case 'conditional-hard':
      return loadConditional(task, file, view)
    case 'coexisting':
      return loadCoexisting(file)
    case 'persona':
      return loadPersona(file, view)
    case 'long-hop':
      return loadLongHop(file, view)
  }
}

/** Whether a folder holds rows of some task, in the authors' layout or in ours. */
export function holdsRows(folder: string): boolean {
  const files = TASKS.flatMap((task) => [releasePath(task), ownFile(kindOf(task))])
  return files.some((file) => existsSync(join(folder, file)))
}

function requireFolder(folder: string): void {
  const path = resolve(folder)
  if (!existsSync(path))
    throw new UserError(`There is no folder ${path}.`, 'Give --data the folder of a MemFail release.')
  if (!statSync(path).isDirectory())
    throw new UserError(`${path} is not a folder.`, 'Give --data the folder of a MemFail release.')
}
