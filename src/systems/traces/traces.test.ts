import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fingerprint, sha256 } from '../../base/hash.js'
import { systemTestContext } from '../conformance/fixtures.js'
import { bringsAnswers, momentIdOf, tracesSystem } from './index.js'
import { quoted, readTraces } from './read.js'

const SETTING = { hash: 'h', suite: ['memfail'], size: 'quick', seed: 0, view: 'audited', settings: {}, local: [] }
const HEADER = { form: 1, setting: SETTING, system: 'mine', version: '3' }
const folder = mkdtempSync(join(tmpdir(), 'memscope-traces-'))
let files = 0

function read(...lines: (object | string | Buffer)[]) {
  const file = join(folder, `traces-${++files}.jsonl`)
  const [first] = lines
  if (Buffer.isBuffer(first)) writeFileSync(file, first)
  else writeFileSync(file, lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'))
  return readTraces(file)
}

const query = (id: string, memories: unknown[] = [], more = {}) => ({ query: id, memories, ...more })
const dump = (moment: string, ...memories: unknown[]) => ({ moment, memories })

describe('traces', () => {
  it('are read line by line, with what is null left out', async () => {
    const { header, questions, dumps } = await read(
      { ...HEADER, system: ' my own:memory ' },
      '',
      query('q1', ['a', { text: 'b', id: 7, score: 0.5, time: '', sources: ['c'], status: 'live' }], {
        answer: { text: 'x' },
      }),
      query('q2', [{ text: 'a', id: null, score: null, time: null, sources: null, status: null }], { answer: null }),
      query('q3', [], { answer: '' }),
      dump('s-1', { text: 'a', id: 'm' }, { text: 'a', id: 'm' }, 'b'),
    )
    expect(header.system).toBe('my-own-memory')
    const short = await read({ ...HEADER, system: 'm' })
    expect([short.header.system, short.content]).toEqual([
      'm',
      sha256(JSON.stringify({ ...HEADER, system: 'm' })).slice(0, 16),
    ])
    expect(quoted('x'.repeat(300))).toBe(`${'x'.repeat(200)}… [100 more characters]`)
    expect([...questions.entries()]).toEqual([
      [
        'q1',
        {
          line: 3,
          memories: [{ text: 'a' }, { text: 'b', id: '7', score: 0.5, time: '', sources: ['c'], status: 'live' }],
          answer: 'x',
        },
      ],
      ['q2', { line: 4, memories: [{ text: 'a' }] }],
      ['q3', { line: 5, memories: [], answer: '' }],
    ])
    expect(dumps.get('s-1')).toEqual({
      line: 6,
      memories: [{ text: 'a', id: 'm' }, { text: 'a', id: 'm' }, { text: 'b' }],
    })
  })

  it.each([
    ['nothing', [''], / is empty\.$/],
    ['no object', ['7'], /, line 1: expected an object in JSON\.$/],
    ['nothing in JSON', ['null'], /, line 1: expected an object in JSON\.$/],
    ['no JSON', [HEADER, '{'], /, line 2: expected an object in JSON\.$/],
    ['another form', [{ ...HEADER, form: 2 }], /, line 1: form: /],
    ['no suite', [{ ...HEADER, setting: { ...SETTING, suite: [] } }], /line 1: setting\.suite: /],
    ['a name of no signs', [{ ...HEADER, system: ' ' }], /line 1: system: expected a name/],
    ['a long name', [{ ...HEADER, system: 'n'.repeat(81) }], /line 1: system: /],
    ['a long version', [{ ...HEADER, version: 'n'.repeat(81) }], /line 1: version: /],
    ['a question twice', [HEADER, query('q'), query('q')], /line 3: "q" was brought before, in line 2/],
    ['a moment twice', [HEADER, dump('s'), dump('s')], /line 3: "s" was brought before, in line 2/],
    [
      'an id of two',
      [HEADER, dump('s', { text: 'a', id: 'm' }, { text: 'b', id: 'm' })],
      /line 2: two memories .* id "m"/,
    ],
    ['an id of no signs', [HEADER, query('q', [{ text: 'a', id: '' }])], /line 2: memories\.0/],
    ['a long id', [HEADER, query('q', [{ text: 'a', id: 'i'.repeat(1001) }])], /line 2: memories\.0/],
    ['a long text', [HEADER, query('q', ['t'.repeat(1_000_001)])], /line 2: memories\.0\.text/],
    ['an odd answer', [HEADER, query('q', [], { answer: 7 })], /line 2: answer: expected a text, or \{ text \}/],
    ['no text', [Buffer.from([0x7b, 0xff])], / is no UTF-8\.$/],
  ] as const)('are refused with the line: %s', async (_, lines, message) => {
    await expect(read(...lines)).rejects.toThrow(message)
  })

  it('may be as long as is allowed, and are missed where there are none', async () => {
    const name = 'n'.repeat(80)
    const long = query('q', [{ text: 't'.repeat(1_000_000), id: 'i'.repeat(1000) }])
    expect((await read({ ...HEADER, system: name, version: name }, long)).questions.size).toBe(1)
    await expect(readTraces(join(folder, 'nowhere'))).rejects.toThrow(/nowhere cannot be read \(ENOENT\)/)
  })
})

describe('a system of traces', () => {
  const talk = { id: 'c', time: '', turns: [] }
  const ask = (id: string) => ({ id, text: '', time: '' })

  it('gives what was brought, k at most, with the ids of the store', async () => {
    const traces = await read(
      HEADER,
      query('q1', [
        'a',
        'a',
        'a',
        { text: 'b', id: 'm2' },
        { text: 'b', id: 'm2' },
        { text: 'z', id: 'm1' },
        { text: 'y', id: 'own' },
        { text: 'y', id: 'own' },
      ]),
      query('q2', [{ text: 'a', id: 'm2' }, 'c'], { answer: 'yes' }),
      dump('s-1', { text: 'a', id: 'm1' }, { text: 'b', id: 'm2' }, { text: 'a', id: 'm1' }, 'a', 'c', 'c'),
    )
    const definition = tracesSystem(traces, ['a remark'])
    expect(definition).toMatchObject({
      name: 'mine',
      answers: true,
      atomic: true,
      playback: true,
      remarks: ['a remark'],
    })
    expect(definition.version).toBe(`3+${traces.content}`)
    expect(bringsAnswers(traces)).toBe(true)
    const system = await definition.create({ ...systemTestContext(), scenario: 's' }, {})
    await expect(system.dump!()).rejects.toThrow('no dump was brought of this moment')
    await system.store(talk)
    const ids = (memories: readonly { id: string }[]) => memories.map(({ id }) => id.replace(/text:\w+/, 'text'))
    expect(ids(await system.dump!())).toEqual(['m1', 'm2', 'text', 'text', 'text~2'])
    const found = await system.retrieve(ask('q1'), 8, { k: 8 })
    // The third "a" has no like in the store, nor has "z", whose id is another's; of two alike the second gets an id of its own.
    expect(ids(found)).toEqual(['m1', 'text', 'text~2', 'm2', 'text', 'text', 'own', 'text'])
    expect(new Set(found.map(({ id }) => id)).size).toBe(8)
    expect(await system.retrieve(ask('q1'), 2, { k: 2 })).toHaveLength(2)
    expect(ids(await system.retrieve(ask('q2'), 2, { k: 2 }))).toEqual(['m1', 'text'])
    expect(await system.answer!(ask('q2'))).toEqual({ text: 'yes' })
    await expect(system.answer!(ask('q1'))).rejects.toThrow('no answer to it was brought')
    await expect(system.retrieve(ask('q9'), 1, { k: 1 })).rejects.toThrow('no trace of it was brought')
  })

  it('link by text what goes by another id, and take no id that is another’s', async () => {
    const own = `text:${fingerprint('z')}`
    const traces = await read(
      HEADER,
      query('q', [{ text: 'a', id: 'other' }, 'z', { text: 'b', id: 'new' }]),
      dump('s-1', { text: 'a', id: 'm' }, { text: 'not z', id: own }),
    )
    const system = await tracesSystem(traces, []).create({ ...systemTestContext(), scenario: 's' }, {})
    await system.store(talk)
    const found = await system.retrieve(ask('q'), 3, { k: 3 })
    expect(found.map(({ id }) => id)).toEqual(['m', `${own}~2`, 'new'])
  })

  it('cannot be looked into without dumps, and knows no version but its content', async () => {
    const traces = await read({ ...HEADER, version: null, depth: 'fixed' }, query('q', [{ text: 'a', id: 'x' }]))
    const definition = tracesSystem(traces, [])
    expect([definition.version, definition.depth, definition.answers]).toEqual([traces.content, 'fixed', false])
    const system = await definition.create(systemTestContext(), {})
    expect(system.dump).toBeUndefined()
    expect(await system.retrieve(ask('q'), 1, { k: 1 })).toEqual([{ text: 'a', id: 'x' }])
    expect(momentIdOf('s', 2)).toBe('s-2')
  })
})
