import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { memscope, root, temporaryFolder } from './cli.js'
import { pathsUnder, unportable } from './names.js'

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> }

describe('names of files', () => {
  it('are told to be for one system only', () => {
    const bad = ['run-12:30', 'a/what?', 'a/b.', 'NUL.txt', 'c\u0007']
    expect(unportable(['fine.json', 'a/b c-ü.html', 'null', ...bad])).toEqual(bad)
    expect(unportable(['Run', 'run'])).toEqual(['run'])
  })

  it('that commands write are such as every operating system can hold', async () => {
    const cwd = temporaryFolder()
    writeFileSync(join(cwd, 'script.json'), JSON.stringify({ rules: [{ reply: 'B' }] }))
    writeFileSync(join(cwd, 'prices.json'), '{"scripted:script.json":{"input":1,"output":1,"maxOutput":100}}')
    const model = [
      '--reader',
      'scripted:script.json',
      '--prices',
      'prices.json',
      '--budget',
      '1',
      '--record',
      'tape.jsonl',
    ]
    const outputs = ['--html', 'r.html', '--md', 'r.md', '--csv', 'r.csv', '--junit', 'r.xml', '--json', 'r.json']
    const system = ['--system', 'dense:unit=sentence,bm25:meme']
    const commands = [
      ['run', '--suite', 'memfail/long-hop', ...system, '--k', '5', '--size', '3', ...model, ...outputs, '--timeline'],
      ['data', 'generate', '--suite', 'memfail', '--n', '2', '--out', 'made'],
      ['run', '--data', 'made', '--suite', 'memfail/long-hop', '--system', 'dense', '--k', '5'],
      ['data', 'export', '--suite', 'memfail', '--format', 'published', '--out', 'csv'],
      ['data', 'export', '--suite', 'memora', '--n', '1', '--days', '7,28', '--out', 'lives'],
    ]
    for (const args of commands) {
      const { code, err } = await memscope(args, { cwd, env: { MEMSCOPE_CACHE: '' } })
      expect([code, err], args.join(' ')).toEqual([0, expect.anything()])
    }
    const written = pathsUnder(cwd)
    const kinds = [/^\.memscope\/memscope\.db/, /replies\.db/, /spending\.db/, /\.vectors$/, /^lives\//]
    for (const kind of kinds) expect(written, String(kind)).toContainEqual(expect.stringMatching(kind))
    expect(unportable(written)).toEqual([])
  })

  it('with spaces and letters of any script are told as they are', async () => {
    const cwd = temporaryFolder()
    const folder = join(cwd, 'données à moi')
    mkdirSync(folder)
    await memscope(['data', 'generate', '--suite', 'memfail', '--n', '1', '--out', folder], { cwd })
    const [file] = readdirSync(folder).filter((name) => name.endsWith('.jsonl'))
    writeFileSync(join(folder, file!), '{}\n')
    const { code, err } = await memscope(['run', '--data', folder, '--system', 'bm25'], { cwd })
    expect(code).toBe(2)
    expect(err).toContain(join(folder, file!))
  })
})

describe('scripts of the package', () => {
  it('ask nothing of one shell only', () => {
    for (const [name, script] of Object.entries(scripts)) {
      for (const step of script.split(' && ')) {
        // What stands in double quotes is handed on as it is by every shell, but for what it may fill in.
        const bare = step.replace(/"[^"$`%!\\]*"/g, '')
        expect(bare, `${name}: ${step}`).toMatch(/^(?:node|tsc|biome|vitest|knip|publint|npm run)(?: [\w:./=!-]+)* ?$/)
      }
    }
  })

  it('run files that are there, by no interpreter but Node', () => {
    for (const file of readdirSync(join(root, 'scripts'))) expect(file).toMatch(/\.mjs$/)
  })

  it('find files by URL in a way that holds with spaces and on drives', () => {
    const sources = ['src', 'scripts', 'test', 'tools'].flatMap((folder) =>
      pathsUnder(join(root, folder))
        .filter((path) => /\.(?:ts|mjs|cjs)$/.test(path) && path !== 'portable.test.ts')
        .map((path) => join(root, folder, path)),
    )
    const wrong = sources.filter((file) =>
      /import\.meta\.url\)\.pathname|\bfile\.pathname/.test(readFileSync(file, 'utf8')),
    )
    expect(wrong).toEqual([])
  })
})
