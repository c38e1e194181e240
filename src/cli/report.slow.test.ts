import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { RunStore } from '../model/index.js'
import { readArgs } from './args.js'
import { report } from './report.js'
import { run } from './run.js'

/** How often each life was read. */
const reads = new Map<string, number>()

vi.mock('../store/sqlite-run-store.js', async (original) => {
  const real = await original<typeof import('../store/sqlite-run-store.js')>()
  return {
    openSqliteStore: (file: string): RunStore => {
      const store = real.openSqliteStore(file)
      const getWitnesses: RunStore['getWitnesses'] = (life) => {
        const key = JSON.stringify(life)
        reads.set(key, (reads.get(key) ?? 0) + 1)
        return store.getWitnesses(life)
      }
      return new Proxy(store, {
        get: (target, name) => (name === 'getWitnesses' ? getWitnesses : Reflect.get(target, name)),
      })
    },
  }
})

const folder = mkdtempSync(join(tmpdir(), 'memscope-report-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('a report', () => {
  beforeEach(() => {
    vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  })

  it('reads and assesses a run once, however many formats are made of it', async () => {
    const small = [
      '--suite',
      'memfail/long-hop,memfail/persona',
      '--system',
      'bm25,digest',
      '--size',
      '6',
      '--k',
      '1,5',
    ]
    expect(await run.run(readArgs(run, [...small, '--quiet', '--home', folder]))).toBe(0)
    const formats = ['json', 'html', 'md', 'csv', 'junit']
    const files = formats.map((format) => join(folder, `report.${format}`))
    reads.clear()
    const flags = formats.flatMap((format, i) => [`--${format}`, files[i]!])
    expect(await report.run(readArgs(report, ['last', '--home', folder, ...flags]))).toBe(0)
    expect([...reads.values()]).toEqual([1, 1, 1, 1])
    const texts = files.map((file) => readFileSync(file, 'utf8'))
    for (const text of texts) expect(text).toContain('digest')
    expect(texts[1]).toContain('<details class="group">')
    expect(texts[4]).toMatch(/<testcase [\s\S]*<failure type="not_/)
  })
})
