import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { readOutsideSpec } from '../base/outside-spec.js'
import { contentHash, splitSpec } from '../base/own-file.js'
import { systems } from '../builtins.js'
import type { RunRequest } from '../engine/plan.js'
import { readerKey, readReader, withFirstTrial } from '../model/index.js'
import type { Parts } from './own-parts.js'
import { tracesIn } from './scored-traces.js'

/** What a request names that is not built in: what would run, or be read from this machine, if its parts were made. */
export interface NamedCode {
  /** Systems as they were typed: files, packages, commands, addresses. */
  systems: string[]
  /** Suites, judges and readers of files, by path, and files of prompts. */
  files: string[]
}

/** Parts of a request that may be code; judges that are not asked for are left out. */
export interface CodeParts extends Pick<RunRequest, 'suites' | 'systems' | 'readers'> {
  judge: Partial<RunRequest['judge']>
}

/** Code that a request names. Objects of the caller are none: they run already. */
export function codeIn(
  request: CodeParts,
  parts?: Pick<Parts, 'systems' | 'judges' | 'readers' | 'suites'>,
): NamedCode {
  const named: NamedCode = { systems: [], files: [] }
  for (const spec of request.systems) {
    const { name, rest = '' } = splitSpec(spec)
    if (tracesIn(spec) !== null || parts?.systems.has(name)) continue
    if (!isBuiltIn(spec)) named.systems.push(spec)
    else named.files.push(...rest.split(':').flatMap((option) => /^prompts=(.*[./\\].*)$/s.exec(option)?.[1] ?? []))
  }
  for (const { file } of request.suites) if (file !== undefined) named.files.push(file)
  for (const judge of Object.values(request.judge)) named.files.push(...fileIn(judge, parts?.judges))
  for (const reader of request.readers) named.files.push(...fileIn(baseOf(reader), parts?.readers))
  return { systems: [...new Set(named.systems)], files: [...new Set(named.files)] }
}

/** A reader as it was typed, without which time it answers. */
function baseOf(reader: string): string {
  return readerKey(withFirstTrial(readReader(reader)))
}

/** The path of a judge or reader that is a file. */
export function fileIn(spec: string, given?: ReadonlyMap<string, unknown>): string[] {
  const { name, isFile } = splitSpec(spec)
  return isFile && !given?.has(name) ? [name] : []
}

function isBuiltIn(spec: string): boolean {
  if (readOutsideSpec(spec)) return false
  const { name, isFile } = splitSpec(spec.trim())
  return !isFile && systems.some((system) => system.name === name)
}

/** Hashes of files with what they import, by the path that names them. What is not there has none. */
export function hashesOf({ systems: specs, files }: NamedCode, cwd = process.cwd()): Record<string, string> {
  const own = specs.flatMap((spec) => (readOutsideSpec(spec) ? [] : fileIn(withoutLabel(spec))))
  const all = [...new Set([...own, ...files])].sort()
  return Object.fromEntries(
    all.flatMap((path) => {
      const file = resolve(cwd, path)
      return existsSync(file) ? [[path, contentHash(file)]] : []
    }),
  )
}

/** A path may have the name of its row before it, as in `mine=./my-memory.ts`. */
function withoutLabel(spec: string): string {
  return spec.replace(/^[^\s:=,]+=(?=\.{0,2}\/)/, '')
}

export function isNothing({ systems: specs, files }: NamedCode): boolean {
  return specs.length === 0 && files.length === 0
}
