import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../test/cli.js'
import { UserError } from '../base/errors.js'
import { resolveSystem } from './registry.js'
import { refuseTakenName } from './taken-names.js'
import { readTraces } from './traces/read.js'

const memory = {
  version: '1',
  class: 'raw' as const,
  about: '',
  create: () => ({ store: async () => {}, retrieve: async () => [] }),
}

describe('a memory of one’s own', () => {
  it.each(['bm25', 'oracle', 'Oracle', 'ｂm25', 'bm25:meme', 'guess:always-no'])('may not call itself %s', (name) => {
    expect(() => refuseTakenName(name, './a.mjs', 'Name it otherwise.')).toThrow(UserError)
  })

  it.each(['mine', 'bm25-mine', 'my-oracle', 'guesser'])('may call itself %s', (name) => {
    expect(() => refuseTakenName(name, './a.mjs', '')).not.toThrow()
  })

  it('is refused as an object of the caller’s, with what to do', async () => {
    const own = new Map([['theirs', { ...memory, name: 'oracle' }]])
    await expect(resolveSystem('theirs', '.', 1000, own)).rejects.toThrow('calls itself "oracle"')
  })

  it('is refused as a process that declares such a name, and as a row that the user named so', async () => {
    const folder = temporaryFolder()
    writeFileSync(
      join(folder, 'server.mjs'),
      `process.stdin.on('data', (lines) => {
        for (const line of String(lines).trim().split('\\n'))
          console.log(JSON.stringify({ id: JSON.parse(line).id, value: { name: process.argv[2] } }))
      })`,
    )
    const command = (name: string) => `cmd:node ${join(folder, 'server.mjs')} ${name}`
    await expect(resolveSystem(command('bm25'), folder)).rejects.toMatchObject({
      message: expect.stringContaining('calls itself "bm25", which is the name of something built in'),
      hint: `Put a name of your own before it: mine=${command('bm25')}`,
    })
    await expect(resolveSystem(`oracle=${command('x')}`, folder)).rejects.toThrow('calls itself "oracle"')
    expect((await resolveSystem(`mine=${command('bm25')}`, folder)).label).toBe('mine')
  })

  it('is refused as traces under such a name, with the line', async () => {
    const file = join(temporaryFolder(), 'traces.jsonl')
    const setting = { hash: 'h', suite: ['s'], size: 'quick', seed: 0, view: 'audited', settings: {}, local: [] }
    writeFileSync(file, JSON.stringify({ form: 1, setting, system: ' bm25' }))
    await expect(readTraces(file)).rejects.toThrow('traces.jsonl, line 1 calls itself "bm25"')
  })
})
