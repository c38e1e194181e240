import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { exportLives } from './data-lives.js'

const folder = () => join(mkdtempSync(join(tmpdir(), 'memscope-lives-')), 'lives')
const asked = { n: '1', days: '2', seed: '5' }
const written = (out: string) => readFileSync(join(out, 'academic_researcher.jsonl'), 'utf8')

it('writes the same life for the same seed, a session a line with the memory around it', () => {
  const [one, other] = [folder(), folder()]
  exportLives(asked, one)
  exportLives(asked, other)
  expect(written(one)).toBe(written(other))
  const sessions = written(one)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(sessions.map(({ session }) => session)).toEqual(sessions.map((_, at) => at + 1))
  expect(Object.keys(sessions[0])).toEqual(['session', 'day', 'operation', 'before', 'after', 'turns'])
})

it('overwrites nothing, and has one format and no release', () => {
  const out = folder()
  exportLives(asked, out)
  expect(() => exportLives(asked, out)).toThrow('is there already')
  expect(() => exportLives({ ...asked, format: 'published' }, folder())).toThrow('no format')
  expect(() => exportLives({ ...asked, data: 'release' }, folder())).toThrow('only simulated lives')
})
