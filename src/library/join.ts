import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { UserError } from '../base/errors.js'
import { findOwnPackage, findPackage } from '../base/packages.js'
import type { RunRecord } from '../model/index.js'
import type { Workshop } from './compose.js'
import { hashesOf, type NamedCode } from './named-code.js'
import { harnessVersion } from './version.js'

/** Code of Memscope as it lies here. */
const OWN_FOLDER = fileURLToPath(new URL('..', import.meta.url))

/** What has to be the same in all workers of a run besides its setting: the code itself, and the packages it uses. */
export function joinParts(): Record<string, string> {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    dependencies: Record<string, string>
    peerDependencies: Record<string, string>
  }
  const own = Object.keys(manifest.dependencies).map((name) => [name, findOwnPackage(name)] as const)
  const optional = Object.keys(manifest.peerDependencies).filter((name) => name !== 'vitest')
  const peers = optional.map((name) => [name, findPackage(name, process.cwd())] as const)
  const packages = [...own, ...peers].flatMap(([name, folder]) => {
    if (folder === undefined) return []
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
    return [[`package ${name}`, version]]
  })
  return { version: harnessVersion(), code: codeHash(OWN_FOLDER), ...Object.fromEntries(packages) }
}

/** Programs alone: data has hashes of its own in the setting. */
function codeHash(folder: string): string {
  const hash = createHash('sha256')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  for (const file of files.filter((name) => /\.(?:js|py|cjs)$/.test(name)).sort())
    hash.update(`${file.split(sep).join('/')}\0`).update(readFileSync(join(folder, file)))
  return hash.digest('hex').slice(0, 16)
}

/**
 * Refuses to work for a run of another program, other packages or files, and says what differs. Nothing of the run is loaded for it.
 *
 * @param code what the run names, with the hashes that it has there
 */
export function requireSameProgram(
  run: string,
  joins: Record<string, string>,
  code: { named: NamedCode; hashes: Record<string, string> },
): void {
  const files = (hashes: Record<string, string>) =>
    Object.fromEntries(Object.entries(hashes).map(([path, hash]) => [`file ${path}`, hash]))
  requireEqual(run, { ...joins, ...files(code.hashes) }, { ...joinParts(), ...files(hashesOf(code.named)) })
}

/** Refuses to work for a run under another setting or with other systems, and says what differs. */
export function requireSameWorker(record: RunRecord, settingParts: Record<string, string>, { plan }: Workshop): void {
  const named = (parts: Record<string, string>) =>
    Object.fromEntries(Object.entries(parts).map(([system, print]) => [`system ${system}`, print]))
  const theirs = { ...settingParts, ...named(record.subjects) }
  requireEqual(record.id, theirs, { ...plan.settingParts, ...named(plan.subjectPrints) })
}

function requireEqual(run: string, theirs: Record<string, string>, ours: Record<string, string>): void {
  const differing = [...new Set([...Object.keys(theirs), ...Object.keys(ours)])].filter(
    // A package that is only here, or only there, matters to who needs it, and that one is refused by itself.
    (part) => theirs[part] !== ours[part] && !(part.startsWith('package ') && !(theirs[part] && ours[part])),
  )
  if (differing.length === 0) return
  const lines = differing.map(
    (part) => `  ${part}: the run has ${theirs[part] ?? 'none'}, here is ${ours[part] ?? 'none'}`,
  )
  throw new UserError(
    `This worker cannot join the run ${run}:\n${lines.join('\n')}`,
    'Install the same version of Memscope, packages, data and files of your own on all machines.',
  )
}
