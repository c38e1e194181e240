import { spawn } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { hashEmbedder } from 'memscope/retrieval'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Mosaic } from '../src/mosaic.js'
import { newFolder, said, told } from './told.js'

const failing = vi.hoisted(() => ({ after: Number.POSITIVE_INFINITY }))

/** A disk that is full after so many bytes. */
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>()
  const writeSync = (file: number, bytes: Buffer, offset = 0, length = bytes.length - offset, at?: number) => {
    if (failing.after <= 0) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
    const fits = Math.min(length, failing.after)
    failing.after -= fits
    return fs.writeSync(file, bytes, offset, fits, at)
  }
  return { ...fs, default: fs, writeSync }
})

afterEach(() => {
  failing.after = Number.POSITIVE_INFINITY
})

const FACTS = ['I bake rye bread on Sundays.', 'My sister lives in Porto.', 'I row on the lake.']

async function written(): Promise<{ folder: string; file: string }> {
  const folder = newFolder()
  await (await told(FACTS, { folder })).close()
  return { folder, file: join(folder, 'notes.jsonl') }
}

function open(folder: string): { memory: Mosaic; warnings: string[] } {
  const warnings: string[] = []
  const memory = new Mosaic({ embed: hashEmbedder(512), folder, warn: (message) => warnings.push(message) })
  return { memory, warnings }
}

async function textsIn(folder: string): Promise<string[]> {
  const { memory } = open(folder)
  const texts = (await memory.dump()).map(({ text }) => text)
  await memory.close()
  return texts
}

describe('a folder', () => {
  it('has the memory again, and nothing but its file', async () => {
    const { folder } = await written()
    expect(await textsIn(folder)).toEqual(FACTS)
    expect(readdirSync(folder)).toEqual(['notes.jsonl'])
  })

  it('answers questions as before', async () => {
    const folder = newFolder()
    const first = await told(FACTS, { folder })
    const before = await first.retrieve({ text: 'Where does my sister live?' }, 3)
    await first.close()
    const { memory } = open(folder)
    expect(await memory.retrieve({ text: 'Where does my sister live?' }, 3)).toEqual(before)
    await memory.close()
  })
})

describe('a second opener', () => {
  it('is refused with the name of the owner, until that closes', async () => {
    const { folder } = await written()
    const { memory } = open(folder)
    expect(() => open(folder)).toThrow(`is open: process ${process.pid} on ${hostname()} since`)
    await memory.close()
    expect(await textsIn(folder)).toEqual(FACTS)
  })

  it('is refused in another process, and takes over when the owner was killed', async () => {
    const { folder } = await written()
    const script = `
      import { writeFileSync } from 'node:fs'
      writeFileSync(process.argv[1], JSON.stringify({ pid: process.pid, host: process.argv[2], since: 'then' }))
      console.log('ready')
      setInterval(() => {}, 1000)`
    const lock = join(folder, 'notes.lock')
    const owner = spawn(process.execPath, ['--input-type=module', '-e', script, lock, hostname()])
    await new Promise((resolve) => owner.stdout.once('data', resolve))
    expect(() => open(folder)).toThrow(`process ${owner.pid}`)
    const ended = new Promise((resolve) => owner.once('exit', resolve))
    owner.kill('SIGKILL')
    await ended
    expect(await textsIn(folder)).toEqual(FACTS)
    expect(existsSync(lock)).toBe(false)
  })

  it('is refused when the owner is on another machine, or nobody knows who it is', async () => {
    const { folder } = await written()
    for (const text of [JSON.stringify({ pid: 1, host: 'elsewhere', since: 'then' }), 'nonsense']) {
      writeFileSync(join(folder, 'notes.lock'), text)
      expect(() => open(folder)).toThrow(text === 'nonsense' ? 'somebody unknown' : 'process 1 on elsewhere')
    }
  })

  it('takes over from a process that had its own number', async () => {
    const { folder } = await written()
    const before = JSON.stringify({ pid: process.pid, host: hostname(), since: 'then' })
    writeFileSync(join(folder, 'notes.lock'), before)
    expect(await textsIn(folder)).toEqual(FACTS)
  })
})

describe('a full disk', () => {
  it('loses the conversation that did not fit, and nothing else', async () => {
    const { folder, file } = await written()
    const { memory } = open(folder)
    const before = readFileSync(file, 'utf8')
    failing.after = 20
    await expect(memory.store(said('x', 'I swim on Mondays.'))).rejects.toThrow('ENOSPC')
    expect(readFileSync(file, 'utf8')).toBe(before)
    failing.after = Number.POSITIVE_INFINITY
    await memory.store(said('y', 'I sing on Tuesdays.'))
    await memory.close()
    expect(await textsIn(folder)).toEqual([...FACTS, 'I sing on Tuesdays.'])
  })

  it('lets forgetting fail with nothing changed, and succeed later', async () => {
    const { folder, file } = await written()
    const { memory } = open(folder)
    failing.after = 20
    await expect(memory.forget(['c1#0'])).rejects.toThrow('ENOSPC')
    expect(readFileSync(file, 'utf8')).toContain('Porto')
    expect((await memory.dump()).map(({ text }) => text)).toEqual(FACTS)
    failing.after = Number.POSITIVE_INFINITY
    await memory.forget(['c1#0'])
    expect(readFileSync(file, 'utf8')).not.toContain('Porto')
    await memory.close()
    expect(readdirSync(folder)).toEqual(['notes.jsonl'])
  })
})

describe('a damaged file', () => {
  it('loses an append that was cut off, and goes on', async () => {
    const { folder, file } = await written()
    appendFileSync(file, '{"name":"half","so')
    const { memory, warnings } = open(folder)
    await memory.store(said('new', 'A new day.'))
    await memory.close()
    expect(await textsIn(folder)).toEqual([...FACTS, 'A new day.'])
    expect(warnings).toEqual([])
  })

  it.each([
    ['nonsense', '{"name": "c1", "notes": ['],
    ['null', 'null'],
    ['another shape', '[{"memory":{}}]'],
    ['a text that is a number', '{"name":"c1","source":"c1","time":"","notes":[{"id":"c1#0","text":4}]}'],
    ['zeros', '\0\0\0\0'],
  ])('tells of a line with %s by file and number, reads the rest and leaves it there', async (_, damaged) => {
    const { folder, file } = await written()
    const lines = readFileSync(file, 'utf8').split('\n')
    lines[2] = damaged
    writeFileSync(file, lines.join('\n'))
    const { memory, warnings } = open(folder)
    expect(warnings).toEqual([expect.stringContaining(`${file}, line 3: damaged`)])
    expect((await memory.dump()).map(({ text }) => text)).toEqual([FACTS[0], FACTS[2]])
    await memory.store(said('new', 'A new day.'))
    await expect(memory.forget(['c0#0'])).rejects.toThrow('has damaged lines (3)')
    await memory.close()
    expect(readFileSync(file, 'utf8')).toContain(`\n${damaged}\n`)
    expect(await textsIn(folder)).toEqual([FACTS[0], FACTS[2], 'A new day.'])
  })

  it('is read behind a mark of an editor, and with its line ends', async () => {
    const { folder, file } = await written()
    writeFileSync(file, `\ufeff${readFileSync(file, 'utf8').replaceAll('\n', '\r\n')}`)
    expect(await textsIn(folder)).toEqual(FACTS)
  })

  it.each([
    ['without a line end', 'my own notes'],
    ['with lines', '{"note": 1}\n{"note": 2}\n'],
    ['in UTF-16', Buffer.from('{"mosaic":1}\n', 'utf16le')],
    ['of a later format', '{"mosaic":2}\n'],
  ])('that is not its own is refused untouched: %s', (_, content) => {
    const folder = newFolder()
    const file = join(folder, 'notes.jsonl')
    writeFileSync(file, content)
    expect(() => open(folder)).toThrow(`${file} is no file of Mosaic's`)
    expect(readFileSync(file)).toEqual(Buffer.from(content))
    expect(readdirSync(folder)).toEqual(['notes.jsonl'])
  })

  it('is begun anew where nothing stands in it', async () => {
    const folder = join(newFolder(), 'deep')
    mkdirSync(folder)
    writeFileSync(join(folder, 'notes.jsonl'), '')
    const { memory } = open(folder)
    await memory.store(said('a', 'I row.'))
    await memory.close()
    expect(await textsIn(folder)).toEqual(['I row.'])
    rmSync(folder, { recursive: true })
  })
})
