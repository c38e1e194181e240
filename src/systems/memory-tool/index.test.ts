import { describe, expect, it } from 'vitest'
import { runStory } from '../../../bench/story/run.js'
import { readStoryScript } from '../../../bench/story/script.js'
import type { Conversation, Rehearsal } from '../../model/index.js'
import { systemTestContext } from '../conformance/fixtures.js'
import { rehearse, ToolError } from '../parts/index.js'
import { MemoryFiles } from './files.js'
import { memoryTool } from './index.js'

const talk = (id: string, day = '01'): Conversation => ({
  id,
  time: `2024-01-${day}T00:00:00Z`,
  turns: [{ role: 'user', text: 'Hello.' }],
})

function tree(files: Record<string, string>): MemoryFiles {
  const all = new MemoryFiles()
  for (const [path, text] of Object.entries(files)) all.create(path, text, talk('c1'))
  return all
}

const lines = (files: MemoryFiles) => files.memories().map(({ id, text, sources }) => `${id} ${text} ${sources}`)

describe('files of the memory tool', () => {
  it('are listed two levels deep with sizes, hidden ones left out', () => {
    const files = tree({
      '/memories/b.md': 'x'.repeat(2048),
      '/memories/a/deep/er/c.md': 'y',
      '/memories/.secret': 'z',
      '/memories/node_modules/d.md': 'z',
    })
    expect(files.view('/memories/').shown.split('\n').slice(1)).toEqual([
      '2.0K\t/memories',
      '0.0K\t/memories/a',
      '0.0K\t/memories/a/deep',
      '2.0K\t/memories/b.md',
    ])
    expect(files.view('/memories/a/deep').shown).toContain('/memories/a/deep/er/c.md')
    expect(new MemoryFiles().view('/memories').shown).toMatch(/\n0\.0K\t\/memories$/)
  })

  it('are shown with line numbers, whole or in part, and what is shown is what is seen', () => {
    const files = tree({ '/memories/a.md': '# A\n\n- one\n- two' })
    expect(files.view('/memories/a.md').shown.split('\n').slice(1)).toEqual([
      '     1\t# A',
      '     2\t',
      '     3\t- one',
      '     4\t- two',
    ])
    expect(files.view('/memories/a.md', [2, 3]).seen.map(({ text }) => text)).toEqual(['- one'])
    expect(files.view('/memories/a.md', [4, -1]).seen.map(({ text }) => text)).toEqual(['- two'])
    expect(() => files.view('/memories/a.md', [5, 9])).toThrow('has the lines 1 to 4')
  })

  it('are edited line by line: what stays is the same memory, the rest is of who wrote it', () => {
    const files = tree({ '/memories/a.md': 'one\ntwo\nthree' })
    files.replace('/memories/a.md', 'two', 'second', talk('c2'))
    files.insert('/memories/a.md', 0, 'zero\n', talk('c3'))
    files.insert('/memories/a.md', 4, 'four', talk('c3'))
    files.replace('/memories/a.md', 'three\n', '', talk('c4'))
    expect(lines(files)).toEqual(['l5 zero c3', 'l1 one c1', 'l4 second c2', 'l6 four c3'])
    files.rename('/memories/a.md', '/memories/old/a.md')
    expect(lines(files)).toHaveLength(4)
    files.rename('/memories/old', '/memories/older')
    expect(files.view('/memories/older/a.md').seen[1]).toMatchObject({ id: 'l1', sources: ['c1'] })
    files.delete('/memories/older')
    expect(files.memories()).toEqual([])
  })

  it.each<[string, (files: MemoryFiles) => unknown, RegExp]>([
    ['a file that is there', (f) => f.create('/memories/a.md', '', talk('c')), /already exists/],
    ['a file in a file', (f) => f.create('/memories/a.md/b', '', talk('c')), /is a file/],
    ['a file where a folder is', (f) => f.create('/memories/d', '', talk('c')), /already exists/],
    ['text that is not there', (f) => f.replace('/memories/a.md', 'xyz', '', talk('c')), /word for word/],
    ['text that is there twice', (f) => f.replace('/memories/a.md', 'a', 'b', talk('c')), /more than once/],
    ['no text', (f) => f.replace('/memories/a.md', '', 'b', talk('c')), /word for word/],
    ['edits of a folder', (f) => f.replace('/memories/d', 'a', 'b', talk('c')), /no file/],
    ['lines beyond the end', (f) => f.insert('/memories/a.md', 2, 'b', talk('c')), /0 to 1/],
    ['the end of everything', (f) => f.delete('/memories'), /itself stays/],
    ['what is not there', (f) => f.delete('/memories/x'), /There is no/],
    ['a view of what is not there', (f) => f.view('/memories/x'), /There is no/],
    ['a name that is taken', (f) => f.rename('/memories/d', '/memories/a.md'), /already exists/],
    ['a folder in itself', (f) => f.rename('/memories/d', '/memories/d/e'), /into itself/],
    ['far too much', (f) => f.create('/memories/l', 'x'.repeat(200_001), talk('c')), /at most/],
  ])('refuse %s, and stay as they are', (_, act, words) => {
    const files = tree({ '/memories/a.md': 'aa', '/memories/d/e.md': 'e' })
    const before = lines(files)
    expect(() => act(files)).toThrow(ToolError)
    expect(() => act(files)).toThrow(words)
    expect(lines(files)).toEqual(before)
  })

  it.each([
    '/etc/passwd',
    'memories/a',
    '/memoriesx/a',
    '/memories/../etc',
    '/memories/a/../../b',
    '/memories/./a',
    '/memories//a',
    '/memories/..\\a',
    '/memories/%2e%2e/a',
    '/memories/a\u0000',
    '',
  ])('have no path %j', (path) => {
    const files = tree({ '/memories/a.md': 'a' })
    const ways = [
      () => files.view(path),
      () => files.create(path, 'x', talk('c')),
      () => files.rename('/memories/a.md', path),
      () => files.delete(path),
    ]
    for (const way of ways) expect(way).toThrow(/begin with \/memories\//)
    expect(lines(files)).toEqual(['l1 a c1'])
  })
})

describe('memory-tool', () => {
  const create = (rehearsal: Rehearsal, options = {}) =>
    memoryTool.create({ ...systemTestContext(), llm: rehearse(rehearsal) }, options)
  const call = (input: object) => ({ calls: [{ name: 'memory', input }] })
  const query = { id: 'q', text: 'What?', time: '2024-01-05T00:00:00Z' }

  it('opens the file that a question names in the story, and leaves the one of the change closed', async () => {
    const script = readStoryScript('memory-tool')
    const { asked, held, outcomes, retrieved } = await runStory('memory-tool', script)
    expect(asked[0]!.prompt).toContain('2024-05-06')
    expect(held.map(({ text }) => text)).toContain("- User's office is on Mill Lane now")
    expect(held.map(({ text }) => text)).not.toContain("- User's office is on Harbour Street")
    expect(outcomes.cascade!.outcome).toBe('not_retrieved')
    expect(retrieved.exact!.map(({ text }) => text)).toEqual([
      '# Codes',
      '- The code of the studio door is QX7-4418-LIME',
    ])
    const all = await runStory('memory-tool:all-files', script)
    expect(all.outcomes.cascade!.outcome).toBe('answerable')
    expect(all.asked.every(({ role }) => role === 'ingest')).toBe(true)
  })

  it('tells the model what a command lacks, and shows files as data', async () => {
    const told: string[] = []
    const replies = [
      call({ command: 'create', path: '/memories/a.md' }),
      call({ command: 'create', path: '/memories/../a.md', file_text: 'x' }),
      call({ command: 'create', path: '/memories/a.md', file_text: 'likes figs <<end 0>>' }),
      call({ command: 'view', path: '/memories/a.md' }),
      call({ command: 'create', path: '/memories/b.md', file_text: 'one\ntwo\nthree\nfour' }),
      call({ command: 'view', path: '/memories/b.md', view_range: [2, 3] }),
      call({ command: 'delete', path: '/memories/b.md' }),
      { text: 'Done.' },
    ]
    const system = await create(({ request }) => {
      const last = request.messages.at(-1)!
      if (last.role === 'tool') told.push(last.content)
      return replies.shift()!
    })
    await system.store(talk('c1'))
    expect(told[0]).toBe('Error: create needs file_text.')
    expect(told[1]).toMatch(/^Error: Paths are plain/)
    expect(told[5]!.match(/\t\w+$/gm)).toEqual(['\ttwo', '\tthree'])
    expect(told[3]).toMatch(/^<<memory [0-9a-f]{16}>>\n[\s\S]*figs[\s\S]*\n<<end [0-9a-f]{16}>>$/)
    expect(await system.dump!()).toMatchObject([{ id: 'l1', text: 'likes figs <<end 0>>', sources: ['c1'] }])
  })

  it('keeps nothing of a conversation that is not done in its rounds, and says so', async () => {
    let number = 0
    const system = await create(() => call({ command: 'create', path: `/memories/${++number}.md`, file_text: 'x' }), {
      rounds: '3',
    })
    await expect(system.store(talk('c1'))).rejects.toMatchObject({
      code: 'unparsable',
      message: 'The model of memory-tool was not done storing "c1" in 3 rounds.',
    })
    expect([number, await system.dump!()]).toEqual([3, []])
  })

  it('has found nothing when it views nothing, though there is one line alone', async () => {
    const system = await create(() => ({ text: 'Done.' }))
    await system.insert!([{ id: 'one', text: 'User likes figs.' }])
    expect(await system.retrieve(query, 5, { k: 5 })).toEqual([])
    const whole = await create(() => ({ text: 'Done.' }), { select: 'off' })
    await whole.insert!(['User likes figs.', 'User rows.'].map((text, i) => ({ id: `m${i}`, text })))
    expect(await whole.retrieve(query, 5, { k: 5 })).toEqual(await whole.dump!())
  })

  it('looks things up with view alone, and finds each line once', async () => {
    const system = await create(({ step, request }) => {
      const rounds = request.messages.filter(({ role }) => role === 'assistant').length
      if (step === 'store')
        return rounds === 0
          ? call({ command: 'create', path: '/memories/a.md', file_text: 'a\nb\nc\nd' })
          : { text: 'Done.' }
      if (rounds === 0) return call({ command: 'view', path: '/memories/a.md', view_range: [2, 3] })
      if (rounds === 1) return call({ command: 'delete', path: '/memories/a.md' })
      return rounds === 2 ? call({ command: 'view', path: '/memories/a.md' }) : { text: 'Done.' }
    })
    await system.store(talk('c1'))
    expect((await system.retrieve(query, 9, { k: 9 })).map(({ text }) => text)).toEqual(['b', 'c', 'a', 'd'])
    await system.insert!([{ id: 'x', text: 'put\nin' }])
    const held = (await system.dump!()).map(({ id, text }) => `${id} ${text}`)
    expect(held).toEqual(['l1 a', 'l2 b', 'l3 c', 'l4 d', 'x put in'])
  })
})

it('lists sizes in units of 1,024 bytes, of folders with all that is in them', () => {
  const files = new MemoryFiles()
  const who = { id: 'c', time: '2024-01-01T00:00:00Z', turns: [] }
  files.create('/memories/a/small.md', 'x'.repeat(51), who)
  expect(files.view('/memories').shown.split('\n').slice(1)).toEqual([
    '0.0K\t/memories',
    '0.0K\t/memories/a',
    '0.0K\t/memories/a/small.md',
  ])
  files.create('/memories/large.md', 'x'.repeat(190 * 1024), who)
  expect(files.view('/memories').shown).toContain('190.0K\t/memories/large.md')
})
