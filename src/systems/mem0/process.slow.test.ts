import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { openEndpoint } from '../../gateway/loopback/endpoint.js'
import type { MemorySystem, SystemContext } from '../../model/index.js'
import { systemTestContext } from '../conformance/fixtures.js'
import { rehearse } from '../parts/rehearse.js'
import { mem0 } from './index.js'
import { mem0Rehearsal } from './rehearsal.js'

const folder = mkdtempSync(join(tmpdir(), 'memscope-peers-'))
const opened: MemorySystem[] = []
const workdirs: string[] = []
afterEach(async () => {
  vi.unstubAllEnvs()
  for (const system of opened.splice(0)) await system.close?.()
})
afterAll(() => {
  for (const used of [folder, ...workdirs]) rmSync(used, { recursive: true, force: true })
})

let made = 0

/** A package of the same name that does something else when told to add. */
function pretend(add: string, { version = '3.3.1', language = true } = {}): string {
  const peers = join(folder, String(++made))
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(peers, 'node_modules', path)), { recursive: true })
    writeFileSync(join(peers, 'node_modules', path), text)
  }
  write('mem0ai/package.json', JSON.stringify({ name: 'mem0ai', version, exports: { './oss': './oss.js' } }))
  write(
    'mem0ai/oss.js',
    `const rows = new (require('better-sqlite3'))()
     exports.Memory = class {
       async getEntityStore() {}
       async getAll() { return { results: rows.held } }
       async search() {
         const at = { createdAt: '2024-01-01T00:00:00Z' }
         return { results: [{ id: 'a', memory: 'near', score: 0.5, ...at }, { id: 'b', memory: 'unscored', ...at }] }
       }
       async add(messages) { ${add} }
     }`,
  )
  write('better-sqlite3/package.json', JSON.stringify({ name: 'better-sqlite3', version: '12.0.0' }))
  write(
    'better-sqlite3/index.js',
    `module.exports = class {
       held = []
       inTransaction = false
       exec(word) {
         if (this.inTransaction === (word === 'BEGIN')) throw new Error('cannot ' + word + ' now')
         this.inTransaction = word === 'BEGIN'
         if (word === 'BEGIN') this.before = [...this.held]
         if (word === 'ROLLBACK') this.held = this.before
       }
     }`,
  )
  if (language) write('compromise/package.json', JSON.stringify({ name: 'compromise', version: '14.0.0' }))
  if (language) write('compromise/index.js', '')
  return peers
}

async function open(peers: string, own: Partial<SystemContext> = {}): Promise<MemorySystem> {
  vi.stubEnv('MEMSCOPE_PEERS', peers)
  const llm = rehearse(mem0Rehearsal)
  const context: SystemContext = { ...systemTestContext(), llm, ...own }
  workdirs.push(context.workdir)
  const { embed, signal } = context
  context.endpoint = (asked) => openEndpoint({ ...asked, name: 'mem0', llm, embed, signal })
  const system = await mem0.create(context, {})
  opened.push(system)
  return system
}

const talk = { id: 'c', time: '2024-03-04T09:00:00Z', turns: [{ role: 'user' as const, text: 'I like figs.' }] }

describe('the process of mem0', () => {
  it('says what to install when a part is missing, or another release is there', async () => {
    const hint = expect.stringContaining('npm install mem0ai better-sqlite3 compromise')
    await expect(open(pretend('', { language: false }))).rejects.toMatchObject({
      name: 'UserError',
      message: expect.stringContaining("cannot be loaded: Cannot find module 'compromise'"),
      hint,
    })
    await expect(open(pretend('', { version: '2.4.6' }))).rejects.toMatchObject({
      name: 'UserError',
      message: expect.stringContaining('is for mem0ai 3, found 2.4.6'),
      hint,
    })
    await expect(open(pretend('', { version: '2.3.0' }))).rejects.toThrow('found 2.3.0')
    await expect(open(pretend('', { version: '3.0.0' }))).resolves.toBeDefined()
  })

  it('gives scores where the package does', async () => {
    const system = await open(pretend(''))
    const found = await system.retrieve({ id: 'q', text: 'Figs?', time: talk.time }, 5, { k: 5 })
    expect(found.map((memory) => [memory.text, 'score' in memory ? memory.score : 'none'])).toEqual([
      ['near', 0.5],
      ['unscored', 'none'],
    ])
  })

  it('ends with an error that shows what it last wrote, and stays ended', async () => {
    const system = await open(pretend("console.error('no space left'); process.exit(3)"))
    await expect(system.store(talk)).rejects.toThrow('The process of mem0 ended (code 3). no space left')
    await expect(system.dump!()).rejects.toThrow('ended (code 3)')
    const wordy = await open(
      pretend("await new Promise(() => process.stderr.write('x' + 'y'.repeat(1500), () => process.exit(3)))"),
    )
    await expect(wordy.store(talk)).rejects.toThrow(
      new Error(`The process of mem0 ended (code 3). ${'y'.repeat(1500)}`),
    )
  })

  it('lives beside others that are stopped by the same signal', async () => {
    const warned: string[] = []
    const onWarning = ({ message }: Error) => void warned.push(message)
    process.on('warning', onWarning)
    const { signal } = new AbortController()
    for (let i = 0; i < 2; i++) await open(pretend(''), { signal })
    process.off('warning', onWarning)
    expect(warned).toEqual([])
  })

  it('takes back what a store left that failed, and goes on as if there had been none', async () => {
    const add = `
      const text = messages[0].content
      rows.held.push({ id: require('crypto').randomUUID(), memory: text, createdAt: new Date().toISOString() })
      if (text === 'boom') throw new Error('no more')`
    const [system, whole] = [await open(pretend(add)), await open(pretend(add))]
    const say = (text: string) => ({ ...talk, turns: [{ role: 'user' as const, text }] })
    await system.store(say('I like figs.'))
    const before = await system.dump!()
    expect(before).toHaveLength(1)
    for (let i = 0; i < 2; i++) await expect(system.store(say('boom'))).rejects.toThrow('no more')
    expect(await system.dump!()).toEqual(before)
    await system.store(say('I like plums.'))
    for (const text of ['I like figs.', 'I like plums.']) await whole.store(say(text))
    expect(await system.dump!()).toEqual(await whole.dump!())
  })

  it('has an environment, a home and a time of its own', async () => {
    vi.stubEnv('OPENAI_API_KEY', 'sk-planted-key')
    const context = systemTestContext()
    const report =
      'throw new Error(JSON.stringify({ env: process.env, home: require("os").homedir(), day: new Date() }))'
    const system = await open(pretend(report), context)
    const error: Error = await system.store(talk).then(
      () => new Error('nothing was thrown'),
      (reason) => reason,
    )
    expect(error.message).toContain('mem0 could not store: {')
    expect(error.message).toContain('"MEM0_TELEMETRY":"false"')
    expect(error.message).toContain(`"PATH":${JSON.stringify(process.env.PATH)}`)
    expect(error.message).toContain(`"home":"${join(context.workdir, 'mem0')}"`)
    expect(error.message).toContain('"day":"2024-03-04T09:00:00.000Z"')
    expect(error.message).not.toContain('sk-planted-key')
    expect(error.message).not.toContain('MEMSCOPE_PEERS')
  })

  it('reaches nothing but this machine', async () => {
    const logs: string[] = []
    const log = (message: string) => logs.push(message)
    for (const reach of ["fetch('http://192.0.2.1/')", "fetch('https://mem0.example/')"]) {
      const system = await open(pretend(`await ${reach}`), { log })
      await expect(system.store(talk)).rejects.toThrow('fetch failed')
    }
    expect(logs).toEqual(['mem0 was kept from reaching 192.0.2.1.', 'mem0 was kept from reaching mem0.example.'])
  })

  it('is stopped at once, in the middle of its work', async () => {
    const stop = new AbortController()
    const system = await open(pretend('await new Promise(() => setInterval(() => {}, 1000))'), { signal: stop.signal })
    const stored = system.store(talk)
    setTimeout(() => stop.abort(), 50)
    await expect(stored).rejects.toThrow('mem0 was stopped')
    await system.close!()
  })
})

it('is rehearsed with fifteen memories of one conversation at most', async () => {
  const said = Array.from({ length: 16 }, (_, i) => `I like tea number ${i}.`).join(' ')
  const content = `\n## New Messages\nuser: ${said}\n\n## Observation Date\n2024-03-04`
  const reply = await mem0Rehearsal({ step: 'chat', prompt: '', request: { messages: [{ role: 'user', content }] } })
  expect((reply as { json: { memory: unknown[] } }).json.memory).toHaveLength(15)
})
