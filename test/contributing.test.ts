import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { memscopeHere, root, temporaryFolder } from './cli.js'
import { cellOf, summaryOf } from './summary.js'

const page = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')
const cwd = temporaryFolder()
afterAll(() => rmSync(cwd, { recursive: true }))

/** The blocks of code that are whole files, by name. */
const files = [...page.matchAll(/```ts\n\/\/ (\S+\.ts)\n([\s\S]*?)```/g)].map(([, name, text]) => {
  writeFileSync(join(cwd, name!), text!)
  return name!
})

describe('the code of CONTRIBUTING.md', () => {
  it('is a system, a suite and a judge', () => {
    expect(files).toEqual(['last-words.ts', 'pets.ts', 'word-for-word.ts'])
  })

  it('passes strict TypeScript', () => {
    const compilerOptions = {
      strict: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: true,
      target: 'ES2022',
      module: 'NodeNext',
      types: [],
      noEmit: true,
      paths: { memscope: [join(root, 'dist/index.d.ts')] },
    }
    writeFileSync(join(cwd, 'package.json'), '{ "type": "module" }')
    writeFileSync(join(cwd, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    expect(execFileSync(process.execPath, [tsc, '-p', cwd], { encoding: 'utf8' })).toBe('')
  })

  it.each(['last-words.ts', 'word-for-word.ts'])('keeps its contract: %s', async (file) => {
    const { code, out } = await memscopeHere(['check', `./${file}`], { cwd })
    expect(out).toContain(`${file.replace('.ts', '')}: keeps the contract`)
    expect(code).toBe(0)
  })

  it('runs together: the suite, over the system, by the judge', async () => {
    const parts = ['--suite', './pets.ts', '--system', './last-words.ts,none', '--fact-judge', './word-for-word.ts']
    const { code, out, err } = await memscopeHere(['run', ...parts, '--k', '1', '--quiet', '--json', '-'], { cwd })
    expect([code, err]).toEqual([0, ''])
    const summary = summaryOf(out)
    expect(cellOf(summary, 'names', 'last-words', 1).evidence).toMatchObject({ n: 1, rate: 1 })
    expect(cellOf(summary, 'names', 'none', 1).evidence).toMatchObject({ n: 1, rate: 0 })
  })

  it('names scripts and files that are there', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object }
    const named = [...page.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name)
    expect(named.filter((name) => !Object.hasOwn(scripts, name!))).toEqual([])
    const paths = [...page.matchAll(/`((?:src|test|examples|docs|\.ci)\/[\w./-]+)`|\]\((\w[^)]+)\)/g)].map(
      ([, a, b]) => a ?? b!,
    )
    expect(paths.length).toBeGreaterThan(10)
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([])
  })
})
