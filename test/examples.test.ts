import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { WrittenSummary as Summary } from '../src/report/summary-json.js'
import { memscope, root, temporaryFolder } from './cli.js'

/** They import `memscope` as a user does: the package finds itself by its own name, and what it gives is the build. */
const examples = join(root, 'examples')
const folder = temporaryFolder()
afterAll(() => rmSync(folder, { recursive: true }))

const jiti = import.meta.resolve('jiti/register')
const at = (name: string) => join(examples, name)
const tool = (script: string, ...args: string[]) =>
  execFileSync(process.execPath, [join(root, 'node_modules', script), ...args], { cwd: examples, encoding: 'utf8' })

const SMALL = [
  '--suite',
  'memfail/conditional-easy',
  '--k',
  '5',
  '--size',
  'quick',
  '--limit',
  '5',
  '--quiet',
  '--json',
  '-',
]

describe('the examples', () => {
  it('pass strict TypeScript', () => {
    const config = join(folder, 'tsconfig.json')
    const compilerOptions = {
      strict: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: true,
      target: 'ES2022',
      module: 'NodeNext',
      types: [],
      noEmit: true,
    }
    const files = readdirSync(examples).filter((name) => name.endsWith('.ts'))
    writeFileSync(config, JSON.stringify({ compilerOptions, files: files.map(at) }))
    expect(tool('typescript/bin/tsc', '-p', config)).toBe('')
  })

  it('keep their contracts, by name and in a test of one’s own', async () => {
    for (const [file, kept] of [
      ['own-memory.ts', 'own-memory: keeps the contract\n'],
      ['own-judge.ts', 'own-judge: keeps the contract of a judge\n'],
    ] as const) {
      const { code, out } = await memscope(['check', at(file)])
      expect(out).toContain(kept)
      expect(code).toBe(0)
    }
    expect(tool('vitest/vitest.mjs', 'run', '--root', '.')).toMatch(/Tests .*\d+ passed/)
  })

  it('run: a memory and a judge of one’s own beside those that are built in', async () => {
    const systems = `${at('own-memory.ts')},${at('own-memory.ts')}:roles=user,bm25`
    const { code, out, err } = await memscope([
      'run',
      ...SMALL,
      '--system',
      systems,
      '--fact-judge',
      at('own-judge.ts'),
    ])
    expect(code, err).toBe(0)
    const { cells, status } = JSON.parse(out) as Summary
    expect(status).toBe('valid')
    const ours = cells.filter(({ system }) => system !== undefined && !system.startsWith('guess:'))
    expect(ours.map(({ system }) => system)).toEqual(['own-memory', 'own-memory:roles=user', 'bm25'])
    for (const { judge, evidence } of ours) {
      expect(judge).toEqual({ facts: 'own-judge', answers: 'lexical' })
      expect(evidence!.rate).toBeGreaterThan(0)
    }
  })

  it('work without the command line: an object is measured, stopped and goes on', () => {
    const lines = execFileSync(process.execPath, ['--import', jiti, at('library.ts')], {
      cwd: folder,
      encoding: 'utf8',
    })
    const [before, after] = lines.split(/^stopped; \S+ goes on\n/m)
    expect(before).toMatch(/^\d+ of 20$/m)
    expect(after).toMatch(/^20 of 20$/m)
    expect(after).toMatch(/^conditional-easy {2}my-memory at k 5: \d of 5 with all evidence$/m)
  })

  it.skipIf(process.platform === 'win32')('guard a build: a gate that holds, and one that does not', () => {
    const gate = (env: Record<string, string>) =>
      spawnSync('sh', [at('ci-gate/gate.sh'), '--home', folder], {
        env: {
          ...process.env,
          MEMSCOPE: `${process.execPath} ${join(root, 'dist/cli/main.js')}`,
          REPORTS: folder,
          ...env,
        },
        encoding: 'utf8',
      })
    const held = gate({})
    expect(held.status, held.stderr).toBe(0)
    for (const name of ['memscope.xml', 'memscope.md']) expect(existsSync(join(folder, name))).toBe(true)
    expect(gate({ GATE: 'evidence.low>=0.999' }).status).toBe(1)
  })
})
