import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { exportLives } from './data-lives.js'

const folder = () => join(mkdtempSync(join(tmpdir(), 'memscope-lives-')), 'lives')
const asked = { n: '1', days: '2', seed: '5' }
const written = (out: string) => readFileSync(join(out, 'academic_researcher.jsonl'), 'utf8')

it('writes the same life for the same seed, a session a line with the memory around it', async () => {
  const [one, other] = [folder(), folder()]
  await exportLives(asked, one)
  await exportLives(asked, other)
  expect(written(one)).toBe(written(other))
  const sessions = written(one)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(sessions.map(({ session }) => session)).toEqual(sessions.map((_, at) => at + 1))
  expect(Object.keys(sessions[0])).toEqual(['session', 'day', 'operation', 'before', 'after', 'turns'])
})

it('writes what a right answer is and what it rests on, a question a line, for every persona and duration', async () => {
  const out = folder()
  await exportLives({ personas: 'sales_manager,content_writer', days: '2,3' }, out)
  const lives = ['content_writer', 'sales_manager'].flatMap((name) => [`${name}.2d`, `${name}.3d`])
  expect(readdirSync(out).sort()).toEqual(lives.flatMap((life) => [`${life}.jsonl`, `${life}.questions.jsonl`]))
  const questions = readFileSync(join(out, 'sales_manager.3d.questions.jsonl'), 'utf8').trimEnd().split('\n')
  for (const line of questions) {
    const { gold, needs } = JSON.parse(line)
    expect(gold.criteria.length).toBeGreaterThan(0)
    expect(needs.length).toBeGreaterThan(0)
    for (const { text, sessions } of needs) expect([text, sessions.length > 0]).toEqual([expect.any(String), true])
  }
})

it('overwrites nothing, and has one format and no release', async () => {
  const out = folder()
  await exportLives(asked, out)
  await expect(exportLives(asked, out)).rejects.toThrow('is there already')
  await expect(exportLives({ ...asked, format: 'published' }, folder())).rejects.toThrow('no format')
  await expect(exportLives({ ...asked, data: 'release' }, folder())).rejects.toThrow('only simulated lives')
})
