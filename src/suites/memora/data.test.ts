import { expect, it } from 'vitest'
import { exportLives } from './data.js'

const options = { seed: 5, stdout: false, harness: '' }

/** The files of lives, by name, each as its lines. */
async function filesOf(extra: Record<string, string>, more: { data?: string } = {}): Promise<Map<string, string[]>> {
  const files = await exportLives({ ...options, ...more, extra })
  const read = new Map<string, string[]>()
  for (const { path, lines } of files) {
    const of: string[] = []
    for await (const line of lines) of.push(line)
    read.set(path, of)
  }
  return read
}

const asked = { n: '1', days: '2' }

it('writes the same life for the same seed, a session a line with the memory around it', async () => {
  const written = async () => (await filesOf(asked)).get('academic_researcher.jsonl')!
  expect(await written()).toEqual(await written())
  const sessions = (await written()).map((line) => JSON.parse(line))
  expect(sessions.map(({ session }) => session)).toEqual(sessions.map((_, at) => at + 1))
  expect(Object.keys(sessions[0])).toEqual(['session', 'day', 'operation', 'before', 'after', 'turns'])
})

it('writes what a right answer is and what it rests on, a question a line, for every persona and duration', async () => {
  const files = await filesOf({ personas: 'sales_manager,content_writer', days: '2,3' })
  const lives = ['content_writer', 'sales_manager'].flatMap((name) => [`${name}.2d`, `${name}.3d`])
  expect([...files.keys()].sort()).toEqual(lives.flatMap((life) => [`${life}.jsonl`, `${life}.questions.jsonl`]))
  for (const line of files.get('sales_manager.3d.questions.jsonl')!) {
    const { gold, needs } = JSON.parse(line)
    expect(gold.criteria.length).toBeGreaterThan(0)
    expect(needs.length).toBeGreaterThan(0)
    for (const { text, sessions } of needs) expect([text, sessions.length > 0]).toEqual([expect.any(String), true])
  }
})

it('has one format and no release', async () => {
  await expect(filesOf({ ...asked, format: 'published' })).rejects.toThrow('no format')
  await expect(filesOf(asked, { data: 'release' })).rejects.toThrow('only simulated lives')
})
