import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { root, temporaryFolder } from './cli.js'
import { installPacked, linkTools } from './installed.js'
import { npm } from './nodes.js'

const workspaces = readdirSync(join(root, 'packages')).map((folder) => {
  const home = join(root, 'packages', folder)
  const { name } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as { name: string }
  return { home, name }
})

/** Packs what is built. */
function packed(from: string, to: string): { file: string; files: string[] } {
  const out = npm('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', to], from)
  const [{ filename, files }] = JSON.parse(out) as [{ filename: string; files: { path: string }[] }]
  return { file: join(to, filename), files: files.map(({ path }) => path) }
}

describe.each(workspaces)('$name, packed and installed with memscope in an empty folder', ({ home, name }) => {
  const place = temporaryFolder()
  const project = join(place, 'project')
  let files: string[]
  let ownFiles: string[]

  beforeAll(() => {
    const memscope = packed(root, place)
    const own = packed(home, place)
    files = memscope.files
    ownFiles = own.files
    installPacked(project, { memscope: memscope.file, [name]: own.file })
  }, 600_000)
  afterAll(() => rmSync(place, { recursive: true }))

  it('is in no file of memscope, and has no test in its own', () => {
    expect(files.filter((path) => path.startsWith('packages/'))).toEqual([])
    expect(ownFiles).toEqual(expect.arrayContaining(['dist/index.js', 'dist/index.d.ts', 'README.md', 'LICENSE']))
    expect(ownFiles.filter((path) => /\.test\.|^(?:src|test)\//.test(path))).toEqual([])
  })

  it('is run by its name beside a system of memscope', () => {
    const flags = ['--suite', 'memfail/long-hop', '--size', 'quick', '--k', '5', '--quiet', '--json', '-']
    const out = npm('npx', ['--offline', 'memscope', 'run', '--system', `${name},bm25`, ...flags], project)
    const { status, cells } = JSON.parse(out) as {
      status: string
      cells: { system: string; n: number; errors: number }[]
    }
    expect(status).toBe('valid')
    const [own, others] = [false, true].map((isBm25) => cells.filter(({ system }) => (system === 'bm25') === isBm25))
    expect(own!.reduce((sum, { n }) => sum + n, 0)).toBeGreaterThan(0)
    expect(others!.reduce((sum, { n }) => sum + n, 0)).toBeGreaterThan(0)
    expect(cells.every(({ errors }) => errors === 0)).toBe(true)
  })

  it('passes its own tests against the packed memscope', () => {
    const own = join(project, 'own')
    mkdirSync(own)
    for (const part of ['src', 'test', 'data', 'package.json'])
      if (existsSync(join(home, part))) cpSync(join(home, part), join(own, part), { recursive: true })
    linkTools(project, ['vitest', 'fast-check'])
    const vitest = join(root, 'node_modules/vitest/vitest.mjs')
    const limits = ['--testTimeout=600000', '--pool=forks', '--maxWorkers=1']
    const { stdout, stderr } = spawnSync(process.execPath, [vitest, 'run', '--root', own, ...limits], {
      cwd: own,
      encoding: 'utf8',
      env: { ...process.env, NO_COLOR: '1' },
    })
    const tests = readdirSync(join(own, 'test')).filter((file) => file.endsWith('.test.ts')).length
    expect(stdout + stderr).toMatch(new RegExp(`Test Files +${tests} passed \\(${tests}\\)`))
  })
})
