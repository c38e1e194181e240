import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { removeTemporary, temporaryFolder } from '../src/base/temporary.js'
import { root } from './cli.js'
import { SWEEPS, Sweeps } from './sweeps.js'

const TABLE = { 'a.test.ts': ['src'], 'b.test.ts': ['data.txt'] }
const folders: string[] = []
let repository: string

const git = (...args: string[]) => {
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@b.c', '-c', 'core.autocrlf=false']
  execFileSync('git', [...who, ...args], { cwd: repository })
}
const write = (path: string, text: string) => writeFileSync(join(repository, path), text)
const sweeps = () => new Sweeps(repository, TABLE)

beforeEach(() => {
  repository = temporaryFolder('sweeps')
  folders.push(repository)
  mkdirSync(join(repository, 'src'))
  for (const path of ['a.test.ts', 'b.test.ts', 'src/one.ts', 'data.txt']) write(path, path)
  git('init', '-q')
  git('add', '.')
  git('commit', '-q', '-m', 'all')
})
afterAll(() => folders.forEach(removeTemporary))

describe('a sweep', () => {
  it('is about paths that are there', () => {
    const paths = Object.entries(SWEEPS).flat(2)
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([])
  })

  it('runs when its test or what it is about differs from what is committed, as long as it never ran', () => {
    expect(sweeps().changed()).toEqual([])
    write('src/two.ts', '')
    expect(sweeps().changed()).toEqual(['a.test.ts'])
    write('b.test.ts', 'other')
    expect(sweeps().changed()).toEqual(['a.test.ts', 'b.test.ts'])
  })

  it('does not run again once it passed, until something changes, committed or not', () => {
    write('src/one.ts', 'other')
    sweeps().keep(['a.test.ts'])
    expect(sweeps().changed()).toEqual([])
    write('data.txt', 'other')
    git('commit', '-q', '-a', '-m', 'more')
    expect(sweeps().changed()).toEqual(['b.test.ts'])
    write('src/one.ts', 'src/one.ts')
    expect(sweeps().changed()).toEqual(['a.test.ts', 'b.test.ts'])
  })

  it('keeps what it was about when the tests began, not what was written meanwhile', () => {
    write('src/one.ts', 'first')
    const begun = sweeps()
    write('src/one.ts', 'second')
    begun.keep(['a.test.ts'])
    expect(sweeps().changed()).toEqual(['a.test.ts'])
  })

  it('counts as passed where there is no repository', () => {
    const folder = temporaryFolder('sweeps')
    folders.push(folder)
    writeFileSync(join(folder, 'data.txt'), '')
    expect(new Sweeps(folder, TABLE).changed()).toEqual([])
  })
})
