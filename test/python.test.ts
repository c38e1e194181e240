import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { SPEC } from '../bench/llm-model.js'
import { ScriptedModel } from '../src/gateway/index.js'
import type { WrittenSummary as Summary } from '../src/report/summary-json.js'
import { memscopeHere, root, temporaryFolder } from './cli.js'
import { comparable, Stage } from './llm.js'
import { python, pythonFixtures, withoutPython } from './python.js'

const QUICK = ['--suite', 'memfail', '--size', 'quick', '--k', '5', '--quiet', '--json', '-']
const SMALL = ['--suite', 'memfail/long-hop', '--size', '4', '--k', '5', '--quiet', '--json', '-']
const faulty = (made: string) => `py:${join(pythonFixtures, 'faulty.py')}:${made}`
const toy = `py:${join(root, 'templates/python/my_memory.py')}:MyMemory`

/** Cells of memories. */
const cellsIn = (out: string) => comparable(out).cells.filter(({ system }) => !system.startsWith('guess:'))
/** The same but for their names. */
const cellsOf = (out: string) => cellsIn(out).map(({ system: _, ...cell }) => cell)

function blocksOf(page: string, kind: string): string[] {
  return [...readFileSync(join(root, page), 'utf8').matchAll(new RegExp(`\`\`\`${kind}\n([\\s\\S]*?)\`\`\``, 'g'))].map(
    ([, text]) => text!,
  )
}

describe.skipIf(withoutPython)(`a memory in Python, by the command line${withoutPython}`, () => {
  it('comes from an empty folder to a report as its page says, in at most five commands', async () => {
    const cwd = temporaryFolder()
    const [source = ''] = blocksOf('docs/python.md', 'python')
    const [commands = ''] = blocksOf('docs/python.md', 'sh')
    expect(source).toBe(readFileSync(join(root, 'templates/python/my_memory.py'), 'utf8'))
    expect(source.trim().split('\n').length).toBeLessThanOrEqual(15)
    const lines = commands.trim().split('\n')
    expect(lines.length).toBeLessThanOrEqual(5)
    for (const line of lines) {
      const [name, ...args] = line.split(' ')
      expect(name).toBe('memscope')
      expect(await memscopeHere(args, { cwd }), line).toMatchObject({ code: 0 })
    }
    const page = readFileSync(join(cwd, 'report.html'), 'utf8')
    expect(page).toContain('MyMemory')
    expect(page).toContain('bm25')
  })

  it('is the same whatever it prints, wherever it lies, and whichever way its interpreter is named', async () => {
    const cwd = temporaryFolder()
    writeFileSync(join(cwd, 'here.py'), readFileSync(join(pythonFixtures, 'faulty.py')))
    const plain = await memscopeHere(['run', '--system', toy, ...QUICK])
    expect(plain.code).toBe(0)
    const { status, errors } = JSON.parse(plain.out) as Summary
    expect([status, errors, cellsOf(plain.out).length]).toEqual(['valid', 0, 5])
    for (const system of [
      `${faulty('Floods')}:lines=300`,
      'py:here:Toy',
      `py[python=${python}]:here:Toy`,
      `py:here:Floods:python=${python}:lines=3`,
    ]) {
      const other = await memscopeHere(['run', '--system', `mine=${system}`, ...QUICK], { cwd })
      expect(other.code, system).toBe(0)
      expect(cellsOf(other.out), system).toEqual(cellsOf(plain.out))
      expect(cellsIn(other.out)[0]!.system).toBe('mine')
    }
  })

  it('is another subject when its file changes, or one that it imports', async () => {
    const cwd = temporaryFolder()
    writeFileSync(join(cwd, 'own.py'), 'from part import MyMemory\n')
    writeFileSync(join(cwd, 'part.py'), readFileSync(join(root, 'templates/python/my_memory.py')))
    const subjectOf = async () => {
      const { out } = await memscopeHere(['run', '--system', 'py:own:MyMemory', ...SMALL], { cwd })
      return (JSON.parse(out) as Summary).fingerprint
    }
    const first = await subjectOf()
    expect(await subjectOf()).toEqual(first)
    writeFileSync(join(cwd, 'part.py'), `${readFileSync(join(cwd, 'part.py'), 'utf8')}# changed\n`)
    expect(await subjectOf()).not.toEqual(first)
  })

  it('keeps the contract, as check says of the toy', async () => {
    const { code, out } = await memscopeHere(['check', toy])
    expect(out).toContain('keeps the contract')
    expect(code).toBe(0)
  })

  it('that crashes leaves errors with its last words, and the run goes on', async () => {
    const { code, out, err } = await memscopeHere(['run', '--system', faulty('Crashes'), '--system', 'bm25', ...SMALL])
    expect(err).toContain('its process ended (code 7) during store')
    expect(err).toContain('these are my last words')
    expect(cellsIn(out).map(({ system, n, errors }) => [system, errors === n])).toEqual([
      ['Crashes', true],
      ['bm25', false],
    ])
    expect(code).toBe(3)
  })

  it('that never comes back is ended with all it started', async () => {
    const file = join(temporaryFolder(), 'faulty.py')
    writeFileSync(file, readFileSync(join(pythonFixtures, 'faulty.py')))
    const { code, err } = await memscopeHere(['run', '--system', `py:${file}:Hangs`, '--system-timeout', '3', ...SMALL])
    expect(err).toContain('store took longer than 3 s')
    expect(code).toBe(3)
    expect(execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })).not.toContain(file)
  })

  it('that raises says where', async () => {
    const { err } = await memscopeHere(['run', '--system', faulty('Raises'), ...SMALL])
    expect(err).toMatch(/ValueError: nothing is stored today \(faulty\.py:\d+\)/)
  })

  it('asks its model through the gateway, where it is metered', async () => {
    const model = new ScriptedModel({
      rules: [{ when: { text: /Write down: User: ([\s\S]*)/ }, reply: '$1' }],
    })
    const stage = await Stage.open(model)
    const args = ['run', '--system', faulty('Asks'), '--model', SPEC, '--prices', stage.prices, ...SMALL]
    const first = await stage.playApart(args)
    expect(first).toMatchObject({ code: 0, err: '' })
    const [cell] = cellsIn(first.out)
    expect([cell!.errors, cell!.facts.stored]).toEqual([0, cell!.facts.n])
    expect(cell!.tokens.ingest).toBeGreaterThan(100)
    const asked = model.stats.calls
    expect(asked).toBeGreaterThan(0)
    const again = await stage.playApart(args)
    expect(cellsOf(again.out)).toEqual(cellsOf(first.out))
    expect(model.stats.calls, 'all of it was kept').toBe(asked)
  })

  it('that wants a model is neither run nor checked without one, and that is said', async () => {
    const run = await memscopeHere(['run', '--system', faulty('Asks'), ...SMALL])
    expect(run).toMatchObject({ code: 2, err: expect.stringContaining('--model') })
    const { code, out } = await memscopeHere(['check', faulty('Asks')])
    expect(out).toContain('It has a model inside, and none is there to be asked.')
    expect(out).toContain('1 of 1 checks failed')
    expect(code).toBe(1)
  })

  it('is refused with a sentence when it, its class or its interpreter is not there', async () => {
    const cwd = temporaryFolder()
    writeFileSync(join(cwd, 'own.py'), 'class Mine:\n    pass\n')
    const said = async (spec: string, env: Record<string, string> = {}) => {
      const { code, err } = await memscopeHere(['check', spec], { cwd, env })
      expect(code).toBe(2)
      return err
    }
    expect(await said('py:nowhere:Mine')).toContain('There is no module "nowhere" in the working folder')
    expect(await said('py:own:Other')).toContain('"own" has no "Other". Classes in it: Mine.')
    expect(await said('py:own:Mine')).toContain('It has no method "store"')
    expect(await said('py:own')).toContain('Expected a module and a class behind "py:", got "own".')
    expect(await said('py:own:Mine:python=.venv/bin/python')).toContain('There is no interpreter ".venv/bin/python".')
    expect(await said('py:own:Mine', { PATH: cwd, VIRTUAL_ENV: '' })).toContain('There is no Python')
  })

  it('runs in the virtual environment of the working folder', async () => {
    const cwd = temporaryFolder()
    const bin = join(cwd, '.venv/bin')
    mkdirSync(bin, { recursive: true })
    const witness = join(cwd, 'used')
    writeFileSync(join(bin, 'python'), `#!/bin/sh\ntouch ${witness}\nexec ${python} "$@"\n`, { mode: 0o755 })
    symlinkSync(join(root, 'templates/python/my_memory.py'), join(cwd, 'mine.py'))
    const { code } = await memscopeHere(['check', 'py:mine:MyMemory'], { cwd, env: { VIRTUAL_ENV: '' } })
    expect([code, existsSync(witness)]).toEqual([0, true])
  })

  it('has templates that are valid Python and say what they are', async () => {
    const folder = join(root, 'templates/python')
    for (const name of readdirSync(folder).filter((file) => file.endsWith('.py'))) {
      const source = readFileSync(join(folder, name), 'utf8')
      expect(source.split('\n').length - 1, name).toBeLessThanOrEqual(name === 'my_memory.py' ? 15 : 50)
      for (const method of ['def store(', 'def retrieve(', 'def dump(']) expect(source, name).toContain(method)
      if (name !== 'my_memory.py') expect(source, name).toMatch(/^""".*By documentation, untested\./)
      const { err } = await memscopeHere(['check', `py:${join(folder, name)}:NoSuchClass`])
      // Either the library is missing here, or the class is: anything else is a mistake of the file.
      expect(err, name).toMatch(/There is no module|ModuleNotFoundError: No module named|has no "NoSuchClass"/)
    }
  })
})
