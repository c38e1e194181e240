import { linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { requireApart } from './output-places.js'

describe('places of results', () => {
  let folder: string
  const at = (path: string) => join(folder, path)
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'memscope-places-'))
    mkdirSync(at('home/labels'), { recursive: true })
    mkdirSync(at('home/reports'))
    writeFileSync(at('home/memscope.db'), '')
    symlinkSync(at('home'), at('link'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it.each([
    ['home/memscope.db', /among what Memscope keeps/],
    ['home/memscope.db-wal', /among what Memscope keeps/],
    ['link/memscope.db', /among what Memscope keeps/],
    ['home/labels/../memscope.db', /among what Memscope keeps/],
    ['home/labels/a.jsonl', /among what Memscope keeps/],
    ['home/cache/replies.db', /among what Memscope keeps/],
  ])('are not %s', (path, words) => {
    expect(() => requireApart([['html', at(path)]], at('home'))).toThrow(words)
  })

  it('are not the same, by whatever name', () => {
    writeFileSync(at('a'), '')
    linkSync(at('a'), at('b'))
    symlinkSync(at('a'), at('c'))
    const both = (one: string, other: string) => () =>
      requireApart(
        [
          ['html', at(one)],
          ['json', at(other)],
        ],
        at('home'),
      )
    for (const other of ['a', 'b', 'c', 'home/../a', 'link/../a']) expect(both('a', other), other).toThrow(/same file/)
    expect(both('new', 'home/../new')).toThrow(/same file/)
    expect(both('new', 'other')).not.toThrow()
    expect(both('home/reports/x.html', 'home/x.json')).not.toThrow()
  })

  it.skipIf(process.platform === 'win32')('may be one device', () => {
    expect(() =>
      requireApart([
        ['html', '/dev/null'],
        ['json', '/dev/null'],
      ]),
    ).not.toThrow()
  })
})
