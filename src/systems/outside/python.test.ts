import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pythonFiles } from './python-files.js'
import { findPython } from './python-interpreter.js'

const folder = mkdtempSync(join(tmpdir(), 'memscope-python-'))
afterAll(() => rmSync(folder, { recursive: true }))

function write(path: string, text = ''): string {
  const file = join(folder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return file
}

describe('the interpreter', () => {
  const path = () => ({ PATH: [join(folder, 'empty'), join(folder, 'bin')].join(':') })
  let [python3, python, active, own]: string[] = []
  beforeAll(() => {
    python3 = write('bin/python3')
    python = write('old/python')
    active = write('active/bin/python')
    own = write('project/.venv/bin/python')
  })

  it('is the one that was asked for, by path or by name', () => {
    const project = join(folder, 'project')
    expect(findPython('.venv/bin/python', project, {})).toBe(own)
    expect(findPython(active, project, {})).toBe(active)
    expect(findPython('python3', project, path())).toBe(python3)
    expect(() => findPython('python3.99', project, path())).toThrow('There is no interpreter "python3.99".')
    expect(() => findPython('./nowhere', project, path())).toThrow('There is no interpreter "./nowhere".')
  })

  it('is else that of the active environment, of the working folder, or of PATH', () => {
    const project = join(folder, 'project')
    expect(findPython(undefined, project, { ...path(), VIRTUAL_ENV: join(folder, 'active') })).toBe(active)
    expect(findPython(undefined, project, { ...path(), VIRTUAL_ENV: join(folder, 'gone') })).toBe(own)
    expect(findPython(undefined, project, path())).toBe(own)
    expect(findPython(undefined, folder, path())).toBe(python3)
    expect(findPython(undefined, folder, { PATH: join(folder, 'old') })).toBe(python)
    expect(() => findPython(undefined, folder, { PATH: 'old' })).toThrow('There is no Python')
  })
})

describe('the files of a module', () => {
  const found = (module: string, pythonPath = '') =>
    pythonFiles(module, join(folder, 'code'), pythonPath)
      .map((file) => relative(join(folder, 'code'), file))
      .sort()

  beforeAll(() => {
    write(
      'code/main.py',
      'import os, helper as h\nfrom pkg.deep import (\n  one,\n  two,\n)\nimport numpy\n# import unused\n',
    )
    write('code/helper.py', 'def f():\n    from . import main\n    import late\n')
    write('code/late.py')
    write('code/unused.py')
    write('code/pkg/__init__.py', 'from .side import x')
    write('code/pkg/side.py', 'from ..helper import y')
    write('code/pkg/deep/__init__.py')
    write('code/pkg/deep/one.py')
    write('path/elsewhere.py', 'import late')
  })

  it('are those it imports from the working folder, however deep', () => {
    const all = [
      'helper.py',
      'late.py',
      'main.py',
      'pkg/__init__.py',
      'pkg/deep/__init__.py',
      'pkg/deep/one.py',
      'pkg/side.py',
    ]
    expect(found('main')).toEqual(all)
    expect(found('./main.py')).toEqual(all)
    expect(found('pkg.deep')).toEqual(['helper.py', 'late.py', 'main.py', ...all.slice(3)])
  })

  it('are those on PYTHONPATH, too, and nothing of what is installed', () => {
    expect(found('elsewhere', join(folder, 'path'))).toEqual(['../path/elsewhere.py', 'late.py'])
    expect(found('numpy')).toEqual([])
    expect(found('./nowhere.py')).toEqual([])
  })
})
