import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { root, temporaryFolder } from './cli.js'
import { installPacked, linkTools } from './installed.js'
import { unportable } from './names.js'
import { nodeOf, npm } from './nodes.js'
import { unreached } from './reached.js'

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const manifest = JSON.parse(read('package.json')) as {
  bin: Record<string, string>
  exports: Record<string, { import: string }>
}
const entries = Object.keys(manifest.exports).map((path) => path.replace(/^\./, 'memscope'))

/** The first block of code in a page that begins so. */
function blockOf(page: string, start: string): string {
  const block = [...read(page).matchAll(/```ts\n([\s\S]*?)```/g)].find(([, code]) => code!.startsWith(start))
  if (!block) throw new Error(`${page} has no block of code that begins with ${start}`)
  return block[1]!
}

const folder = join(temporaryFolder(), 'Mein Gedächtnis – память')
const source = join(folder, 'source')
const project = join(folder, 'project of mine')
let packed: string[] = []

/** The sources alone, built and packed where no build has ever been. */
function pack(): void {
  mkdirSync(source, { recursive: true })
  const files = [
    'src',
    'scripts',
    'docs',
    'templates',
    'package.json',
    'tsconfig.json',
    'tsconfig.build.json',
    'README.md',
    'LICENSE',
    'NOTICE',
  ]
  for (const name of files) cpSync(join(root, name), join(source, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(source, 'node_modules'), 'junction')
  npm('npm', ['run', 'prepack'], source)
  const out = npm('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], source)
  const [{ filename, files: listed }] = JSON.parse(out) as [{ filename: string; files: { path: string }[] }]
  packed = listed.map(({ path }) => path)
  install(`../${filename}`)
}

/** A project with what is packed, and with what the pages of this one show. */
function install(tarball: string): void {
  installPacked(project, { memscope: tarball })
  // The user's own test runner, which `memscope/conformance` asks for as a peer.
  linkTools(project, ['vitest'])
  const write = (name: string, value: object) => writeFileSync(join(project, name), JSON.stringify(value))
  write('tsconfig.json', {
    compilerOptions: {
      strict: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      target: 'ES2022',
      module: 'NodeNext',
      types: [],
      noEmit: true,
    },
    include: ['*.ts'],
  })
  writeFileSync(join(project, 'my-memory.ts'), blockOf('README.md', '// my-memory.ts'))
  writeFileSync(join(project, 'my-memory.test.ts'), blockOf('docs/systems.md', 'import { runSystemConformance }'))
  writeFileSync(join(project, 'my-judge.ts'), blockOf('docs/judge.md', '// my-judge.ts'))
  writeFileSync(join(project, 'my-judge.test.ts'), blockOf('docs/judge.md', 'import { runJudgeConformance }'))
  writeFileSync(join(project, 'my-reader.ts'), blockOf('docs/models.md', '// my-reader.ts'))
  writeFileSync(join(project, 'measure.ts'), blockOf('docs/library.md', '// measure.ts'))
  const imports = entries.map((name, i) => `import * as entry${i} from '${name}'\n`)
  const names = entries.map((name, i) => `  '${name}': Object.keys(entry${i}),\n`)
  writeFileSync(join(project, 'entries.ts'), `${imports.join('')}export default {\n${names.join('')}}\n`)
  writeFileSync(
    join(project, 'entries.mjs'),
    `const names = ${JSON.stringify(entries)}\nconst all = await Promise.all(names.map((name) => import(name)))\n` +
      'process.stdout.write(JSON.stringify(all.map((module) => Object.keys(module))))\n',
  )
}

/** What one of the project's tools prints in it, whether it is content or not. */
function tool(script: string, ...args: string[]): string {
  const path = join(root, 'node_modules', script)
  const { stdout, stderr } = spawnSync(process.execPath, [path, ...args], { cwd: project, encoding: 'utf8' })
  return stdout + stderr
}

describe('the package, packed and installed in a folder of many letters', () => {
  beforeAll(pack, 600_000)
  afterAll(() => rmSync(folder, { recursive: true }))

  it('has a command that may be run after a build of an emptied dist', () => {
    expect(statSync(join(source, 'dist/cli/main.js')).mode & 0o111).toBe(process.platform === 'win32' ? 0 : 0o111)
  })

  it('holds what is needed, and no name that some operating system cannot hold', () => {
    expect(packed).toEqual(expect.arrayContaining(['dist/index.js', 'dist/conformance.d.ts', 'README.md', 'NOTICE']))
    expect(packed).toEqual(
      expect.arrayContaining([
        'dist/systems/outside/memscope_memory.py',
        'templates/python/my_memory.py',
        'docs/python.md',
      ]),
    )
    expect(packed.filter((path) => /\.test\.|__pycache__/.test(path))).toEqual([])
    expect(unportable(packed)).toEqual([])
  })

  it('holds nothing in dist that no command and no export leads to, data included', () => {
    const built = packed.filter((path) => path.startsWith('dist/'))
    const ways = [...Object.values(manifest.bin), ...Object.values(manifest.exports).map((one) => one.import)]
    const starts = ways.map((path) => path.replace(/^\.\//, ''))
    expect(unreached(source, built, starts)).toEqual([])
    expect(unreached(source, [...built, 'dist/stray.json'], starts)).toEqual(['dist/stray.json'])
  })

  it('passes strict TypeScript with every entry imported, and with memory, judge, reader and program of the pages as they stand', () => {
    expect(tool('typescript/bin/tsc', '-p', '.')).toBe('')
  })

  it('gives the suites by which a memory and a judge of one’s own are tested, and those of the pages pass them', () => {
    expect(tool('vitest/vitest.mjs', 'run')).toMatch(/Test Files .*m2 passed.*\(2\)/)
  })

  describe.each([20, 22, 24])('on Node %i', (major) => {
    const node = nodeOf(major)
    const reason = 'missing' in node ? ` (skipped: ${node.missing})` : ''
    const env: Record<string, string> =
      'folder' in node ? { PATH: `${node.folder}${delimiter}${process.env.PATH}` } : {}
    const npx = (...args: string[]) => npm('npx', ['--offline', 'memscope', ...args], project, env)

    it.skipIf(reason)(`exports something from every entry${reason}`, () => {
      const out = execFileSync('node', ['entries.mjs'], {
        cwd: project,
        encoding: 'utf8',
        env: { ...process.env, ...env },
      })
      const names = JSON.parse(out) as string[][]
      expect(names.flat()).toEqual(
        expect.arrayContaining(['defineSystem', 'run', 'explain', 'runSystemConformance', 'checkSystem']),
      )
      for (const [i, some] of names.entries()) expect(some, entries[i]!).not.toEqual([])
    })

    it.skipIf(reason)(`runs through the library, as its page does${reason}`, () => {
      const out = execFileSync('node', ['--import', 'jiti/register', 'measure.ts'], {
        cwd: project,
        encoding: 'utf8',
        env: { ...process.env, ...env },
      })
      expect(out).toMatch(/^20 of 20$/m)
      expect(out).toMatch(/^my-memory at k 5: [\d.]+$/m)
    })

    it.skipIf(reason)(`lists systems, and runs the memory of the README${reason}`, () => {
      const version = execFileSync('node', ['--version'], { encoding: 'utf8', env: { ...process.env, ...env } })
      expect(version).toMatch(new RegExp(`^v${major}\\.`))
      expect(npx('systems')).toMatch(/^bm25 /m)
      const flags = [
        '--suite',
        'memfail,meme',
        '--system',
        './my-memory.ts,bm25',
        '--k',
        '5',
        '--size',
        'quick',
        '--limit',
        '2',
      ]
      const summary = JSON.parse(npx('run', ...flags, '--quiet', '--json', '-')) as {
        status: string
        cells: { system: string; n: number }[]
      }
      expect(summary.status).toBe('valid')
      const mine = summary.cells.filter(({ system }) => system === 'my-memory')
      expect(mine.reduce((sum, { n }) => sum + n, 0)).toBeGreaterThan(20)
    })
  })
})
