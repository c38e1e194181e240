import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import Database from 'libsql'
import { beforeAll, describe, expect, it } from 'vitest'
import type * as library from '../src/library.js'
import { memscopeHere, root, temporaryFolder } from './cli.js'

/** A row of a run that somebody else wrote. */
interface Row {
  request: {
    systems: string[]
    readers: string[]
    judge: { facts: string; answers: string }
    suites: { name: string; tasks: string[] | null; file?: string }[]
    embedder: string
  }
  own?: object
  code?: { hashes: Record<string, string>; mark: string | null }
}

/** What leaves a mark when it is loaded, whatever it is loaded as. */
const CODE = "import { writeFileSync } from 'node:fs'\nwriteFileSync('pwned', '')\nexport default {}\n"

const HOSTILE: Readonly<Record<string, (row: Row, file: string) => void>> = {
  'a command as its system': (row) => {
    row.request.systems = ['cmd:touch pwned']
    row.own = undefined!
  },
  'a file as its system': (row, file) => {
    row.request.systems = [file]
    row.own = undefined!
  },
  'a Python module as its system': (row) => {
    row.request.systems = ['py:pwning:Notes']
    row.own = undefined!
  },
  'an MCP server as its system': (row) => {
    row.request.systems = ['mcp:touch pwned']
    row.own = undefined!
  },
  'a file as its judge of facts': (row, file) => {
    row.request.judge.facts = file
  },
  'a file as its judge of answers': (row, file) => {
    row.request.judge.answers = file
  },
  'a file as its reader': (row, file) => {
    row.request.readers = [file]
  },
  'a file as its suite': (row, file) => {
    row.request.suites[0]!.file = file
  },
  'a hash of its own for a file as its suite': (row, file) => {
    row.request.suites[0]!.file = file
    row.code = { hashes: { [file]: '0000000000000000' }, mark: '00' }
  },
}

const LOOKING = [
  ['show', 'last'],
  ['show', 'last', '--failed'],
  ['report', 'last', '--quiet', '--json', '-'],
  ['compare', 'last', '--systems', 'bm25,oracle'],
  ['judge', 'sample', 'last', '--out', 'cases.jsonl'],
]

const GOING_ON = [
  ['run', '--resume', 'last', '--quiet'],
  ['explain', 'last', '--quiet'],
  ['rejudge', 'last', '--judge-trials', '1', '--quiet'],
]

const builtLibrary = (): Promise<typeof library> => import(pathToFileURL(join(root, 'dist/library.js')).href)

/** Writes over the newest row of a home. */
function rewrite(home: string, change: (row: Row) => void): void {
  const db = new Database(join(home, 'memscope.db'))
  const row = db.prepare('SELECT id, request FROM run ORDER BY created DESC LIMIT 1').get() as Record<string, string>
  const kept = JSON.parse(row.request!) as Row
  change(kept)
  db.prepare('UPDATE run SET request = ? WHERE id = ?').run(JSON.stringify(kept), row.id!)
  db.close()
}

describe('a home that came with a folder of somebody else', () => {
  const made = temporaryFolder()
  const state = { XDG_STATE_HOME: temporaryFolder() }
  beforeAll(async () => {
    const flags = ['--suite', 'memfail/long-hop', '--system', 'bm25,oracle', '--size', '2', '--k', '1', '--quiet']
    expect((await memscopeHere(['run', ...flags], { cwd: made, env: state })).code).toBe(0)
  })

  /** A folder as it is cloned, in which looking should run nothing. */
  const cloned = (change: (row: Row, file: string) => void): string => {
    const cwd = temporaryFolder()
    cpSync(join(made, '.memscope'), join(cwd, '.memscope'), { recursive: true })
    const file = join(cwd, 'x.mjs')
    writeFileSync(file, CODE)
    writeFileSync(join(cwd, 'pwning.py'), "open('pwned', 'w')\n")
    rewrite(join(cwd, '.memscope'), (row) => change(row, file))
    return cwd
  }

  it.each(Object.entries(HOSTILE))('runs nothing while it is looked at, with %s', async (_, change) => {
    const cwd = cloned(change)
    for (const command of LOOKING) {
      const { code, err } = await memscopeHere(command, { cwd, env: state })
      expect([code, existsSync(join(cwd, 'pwned'))], `${command.join(' ')}\n${err}`).toEqual([2, false])
    }
    const before = process.cwd()
    process.chdir(cwd)
    const viewer = await (await builtLibrary()).view({ port: 0 })
    const { url } = viewer
    const run = new URLSearchParams(new URL(url).hash.split('?')[1]).get('run')!
    const asked = await fetch(new URL(`/api/run?run=${run}`, url))
    expect([asked.ok, existsSync(join(cwd, 'pwned'))]).toEqual([false, false])
    await viewer.close()
    process.chdir(before)
  })

  it.each(Object.entries(HOSTILE))('runs nothing when it is gone on with, with %s', async (_, change) => {
    const cwd = cloned(change)
    for (const command of GOING_ON) {
      const { code, err } = await memscopeHere(command, { cwd, env: state })
      expect([code, existsSync(join(cwd, 'pwned'))], `${command.join(' ')}\n${err}`).toEqual([2, false])
    }
  })

  it('says what it would run, and runs it when it is trusted', async () => {
    const cwd = cloned(HOSTILE['a command as its system']!)
    const refused = await memscopeHere(['run', '--resume', 'last', '--quiet'], { cwd, env: state })
    expect(refused.err).toMatch(/would run what was not named here:\n {2}cmd:touch pwned\n[\s\S]*--trust-run/)
    await memscopeHere(['run', '--resume', 'last', '--trust-run', '--quiet'], { cwd, env: state })
    expect(existsSync(join(cwd, 'pwned'))).toBe(true)
  })

  it('has no run whose name is a path', async () => {
    const cwd = cloned(() => {})
    const db = new Database(join(cwd, '.memscope/memscope.db'))
    db.prepare("UPDATE run SET id = '../../x'").run()
    db.close()
    const { code, err } = await memscopeHere(['run', '--resume', 'last'], { cwd, env: state })
    expect([code, err]).toEqual([2, expect.stringContaining('which no run is')])
  })
})

describe('code of one’s own in a run', () => {
  const cwd = temporaryFolder()
  const env = { XDG_STATE_HOME: temporaryFolder() }
  const play = (...args: string[]) => memscopeHere(args, { cwd, env })
  const parts = ['own-suite.ts', 'own-judge.ts', 'own-memory.ts'].filter((name) =>
    existsSync(join(root, 'examples', name)),
  )
  let first = ''
  beforeAll(async () => {
    for (const name of parts) cpSync(join(root, 'examples', name), join(cwd, name))
    writeFileSync(
      join(cwd, 'reader.mjs'),
      `import { defineReader } from 'memscope'
       export default defineReader({ create: () => ({ read: async () => ({ answer: 'x', prompt: '', tokens: { input: 0, output: 0 }, cost: 0 }) }) })\n`,
    )
    const own = ['--suite', './own-suite.ts:crowd=5', '--reader', './reader.mjs', '--judge', './own-judge.ts']
    const ended = await play('run', ...own, '--system', 'oracle,bm25', '--k', '1', '--json', '-', '--quiet')
    expect([ended.code, ended.err]).toEqual([0, ''])
    first = ended.out
  })

  const cells = (json: string) =>
    (
      JSON.parse(json).cells as { task: string; system: string; evidence: object; answer: object; scores: object }[]
    ).map(({ task, system, evidence, answer }) => ({ task, system, evidence, answer }))

  it('is not needed to look at it: what was kept is shown, and a line says what is missing', async () => {
    const away = ['own-suite.ts', 'own-judge.ts', 'reader.mjs'].map((name) => {
      const text = readFileSync(join(cwd, name), 'utf8')
      rmSync(join(cwd, name))
      return [name, text] as const
    })
    const { code, out, err } = await play('report', 'last', '--json', '-')
    expect(code).toBe(0)
    expect(cells(out)).toEqual(cells(first))
    const missing = /The suite colours is code, and looking at a run loads none: [^\n]* --load \S+own-suite\.ts\n/
    expect(err).toMatch(missing)
    expect((await play('show', 'last')).err).toMatch(missing)
    for (const [name, text] of away) writeFileSync(join(cwd, name), text)
  })

  it('is loaded when it is asked for and is what it was, and then everything is there', async () => {
    const { out } = await play('report', 'last', '--load', './own-suite.ts', '--quiet', '--json', '-')
    expect(JSON.parse(out).cells).toEqual(JSON.parse(first).cells)
    const text = readFileSync(join(cwd, 'own-suite.ts'), 'utf8')
    writeFileSync(join(cwd, 'own-suite.ts'), `${CODE}${text}`)
    const changed = await play('report', 'last', '--load', './own-suite.ts', '--quiet')
    expect([changed.code, changed.err]).toEqual([2, expect.stringContaining('not the file that the run was made with')])
    expect(existsSync(join(cwd, 'pwned'))).toBe(false)
    writeFileSync(join(cwd, 'own-suite.ts'), text)
  })

  it('goes on without a word where the same user made the run in the same folder, and nowhere else', async () => {
    const on = ['run', '--resume', 'last', '--k', '1,2', '--quiet', '--json', '-']
    expect((await play(...on)).code).toBe(0)
    const elsewhere = temporaryFolder()
    cpSync(cwd, elsewhere, { recursive: true })
    const moved = await memscopeHere(on, { cwd: elsewhere, env })
    expect([moved.code, moved.err]).toEqual([2, expect.stringContaining('would run what was not named here')])
    const another = { XDG_STATE_HOME: temporaryFolder() }
    expect((await memscopeHere(on, { cwd, env: another })).code).toBe(2)
    const named = ['--suite', './own-suite.ts:crowd=5', '--reader', './reader.mjs', '--judge', './own-judge.ts']
    expect((await memscopeHere([...on, ...named], { cwd, env: another })).code).toBe(0)
    expect((await memscopeHere(on, { cwd, env: another })).code).toBe(0)
  })

  it('needs no key to be run: without a place for one it is only named again', async () => {
    const nowhere = { XDG_STATE_HOME: '/proc/nowhere' }
    const fresh = temporaryFolder()
    cpSync(join(root, 'examples/own-suite.ts'), join(fresh, 'own-suite.ts'))
    const asked = ['--suite', './own-suite.ts:crowd=5', '--quiet']
    const flags = [...asked, '--system', 'bm25', '--k', '1']
    expect((await memscopeHere(['run', ...flags], { cwd: fresh, env: nowhere })).code).toBe(0)
    expect((await memscopeHere(['run', '--resume', 'last', '--quiet'], { cwd: fresh, env: nowhere })).code).toBe(2)
    expect((await memscopeHere(['run', '--resume', 'last', ...asked], { cwd: fresh, env: nowhere })).code).toBe(0)
  })
})

describe('what a file of somebody else names', () => {
  it('is not loaded as a suite, though its path begins with the name of one that is built in', async () => {
    const cwd = temporaryFolder()
    mkdirSync(join(cwd, 'memfail'))
    writeFileSync(join(cwd, 'memfail/x.mjs'), CODE)
    const setting = {
      hash: 'x',
      suite: ['memfail/x.mjs'],
      size: 'quick',
      seed: 1,
      view: 'audited',
      settings: {},
      local: [],
    }
    const header = { memscope: 'traces', form: 1, setting, system: 'theirs' }
    writeFileSync(join(cwd, 'traces.jsonl'), `${JSON.stringify(header)}\n`)
    const { code, err } = await memscopeHere(['score', 'traces.jsonl'], { cwd })
    expect([code, existsSync(join(cwd, 'pwned'))], err).toEqual([2, false])
    expect(err).toMatch(/name it again/)
  })
})
