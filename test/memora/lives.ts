import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import type { SuiteOptions } from '../../src/model/index.js'
import { loadPublished } from '../../src/suites/memora/published/index.js'
import type { LifeTrace, Operation } from '../../src/suites/memora/trace.js'
import type { Written } from './release.js'

const folders: string[] = []
afterAll(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

/** An empty folder that is gone when the tests of the file are through. */
export function newFolder(): string {
  const made = mkdtempSync(join(tmpdir(), 'memscope-memora-'))
  folders.push(made)
  return made
}

export const load = (data: string, more: Partial<SuiteOptions> = {}) =>
  loadPublished({ data, view: 'audited', seed: 1, size: 'paper', extra: {}, ...more })

/** A life whose operations fall on the days given, one each. */
export const lifeWith = (
  operations: readonly (readonly [day: string, operation: Operation])[],
  end: string,
): LifeTrace => ({
  persona: 'content_writer',
  start: '2025-06-01',
  end,
  sessions: operations.map(([day, operation], at) => ({ number: at + 1, day, operation })),
})

export const like = (item: string, subcategory = 'artists'): Extract<Operation, { of: 'taste'; act: 'add' }> => ({
  of: 'taste',
  act: 'add',
  domain: 'music',
  subcategory,
  item,
  liking: 'like',
})

export const yes = (text: string, part = ''): Written['criteria'][number] => ['memory_presence', part, text]
export const no = (text: string): Written['criteria'][number] => ['forgetting_absence', '', text]

/** Changes the file of a session in a release that holds one life. */
export function patch(root: string, session: number, change: (file: Record<string, unknown>) => void): void {
  const [duration] = readdirSync(root) as [string]
  const [persona] = readdirSync(join(root, duration)) as [string]
  const name = `session_${String(session).padStart(4, '0')}.json`
  const path = join(root, duration, persona, 'conversations', name)
  const file = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>
  change(file)
  writeFileSync(path, JSON.stringify(file))
}
