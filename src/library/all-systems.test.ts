import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { missingPackages } from '../base/packages.js'
import { systems as builtin, loadAll } from '../builtins.js'
import { leftOut, systemsFrom } from './all-systems.js'

const systems = await loadAll(builtin)

/** A folder with packages of these names. */
function packagesAt(names: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'memscope-all-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const name of names) {
    mkdirSync(join(folder, 'node_modules', name), { recursive: true })
    writeFileSync(join(folder, 'node_modules', name, 'package.json'), '{}')
  }
  return folder
}

describe('--system all', () => {
  it('is every built-in system when there is a model, without those that are not installed', async () => {
    const bare = systems.filter(({ needs }) => missingPackages(needs?.packages, '/').length === 0)
    expect(await systemsFrom(['all'], ['openai:x'], '/')).toEqual(bare.map(({ name }) => name))
    const installed = packagesAt(systems.flatMap(({ needs }) => needs?.packages ?? []))
    expect(await systemsFrom(['all'], ['openai:x'], installed)).toEqual(systems.map(({ name }) => name))
    expect(await leftOut(['all'], ['openai:x'], installed)).toBeNull()
    expect(await leftOut(['all', 'mem0'], ['openai:x'], '/')).toBeNull()
    if (bare.length < systems.length) {
      expect(await leftOut(['all'], ['openai:x'], '/')).toBe(
        'Left out, for it is not installed: mem0. Run: npm install mem0ai better-sqlite3 compromise',
      )
    }
  })

  it('leaves out systems with a model inside when there is none, and says which', async () => {
    expect(await systemsFrom(['all', './mine.ts', 'bm25'], [])).toEqual([
      ...systems.filter(({ needs }) => !needs?.llm).map(({ name }) => name),
      './mine.ts',
    ])
    expect(await leftOut(['all'], [])).toContain('mem0, mem0-v1, mem0-v2')
    expect(await leftOut(['bm25'], [])).toBeNull()
  })
})
