import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { UserError } from '../../base/errors.js'
import { mapGivingWay } from '../../base/give-way.js'
import { fingerprint } from '../../base/hash.js'
import type { LoadedSuite, SuiteOptions, View } from '../../model/index.js'
import { compile, type Layout } from './compile.js'
import { releasePath } from './findings.js'
import { type Material, type MemfailTask, TASKS } from './material.js'
import { ownFile, rowKind } from './own.js'
import { loadOwn } from './own-material.js'
import { loadCoexisting } from './published-coexisting.js'
import { loadConditional } from './published-conditional.js'
import { loadLongHop } from './published-long-hop.js'
import { loadPersona } from './published-persona.js'
import { resize } from './resize.js'

const MOST_PACKED = 1000
const REPLIES: readonly Layout['replies'][] = ['none', 'ack', 'model']

/** The scenarios of the tasks asked for, one a task. */
export async function load(options: SuiteOptions): Promise<LoadedSuite> {
  const pack = Number(options.extra.pack ?? '1')
  if (!Number.isInteger(pack) || pack < 1 || pack > MOST_PACKED) {
    throw new UserError(
      `Expected memfail:pack to be a whole number from 1 to ${MOST_PACKED}, got "${options.extra.pack}".`,
    )
  }
  const replies = REPLIES.find((one) => one === options.extra.replies) ?? 'none'
  const tasks = TASKS.filter((task) => !options.tasks || options.tasks.includes(task))
  const materials = await mapGivingWay(tasks, (task) =>
    resize(loadTask(task, options.data, options.view), options.size),
  )
  return {
    scenarios: await mapGivingWay(materials, (material) => compile(material, { seed: options.seed, pack, replies })),
    datasetHash: fingerprint(materials.map(({ task, hash, rows }) => [task, hash, rows.length])),
    audit: materials.flatMap(({ audit }) => audit),
  }
}

/** The rows of a task: a release in the authors' layout, rows in ours, or, without a folder, the bundled corpus. */
export function loadTask(task: MemfailTask, folder: string | undefined, view: View): Material {
  if (folder === undefined) return loadOwn(task)
  requireFolder(folder)
  const file = join(folder, releasePath(task))
  if (!existsSync(file) && existsSync(join(folder, ownFile(rowKind(task)))))
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

function requireFolder(folder: string): void {
  const path = resolve(folder)
  if (!existsSync(path))
    throw new UserError(`There is no folder ${path}.`, 'Give --data the folder of a MemFail release.')
  if (!statSync(path).isDirectory())
    throw new UserError(`${path} is not a folder.`, 'Give --data the folder of a MemFail release.')
}
