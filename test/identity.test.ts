import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  answersKey,
  depthKey,
  instrumentKey,
  placeKey,
  readDepth,
  readerKey,
  readReader,
  subjectKey,
  systemName,
} from '../src/model/index.js'
import { root } from './cli.js'

/** Where identities are written and read. */
const HERE = ['model/identity.ts', 'model/depth.ts']

/** Folders in which a depth, a reader, a subject, a guesser or a trial may be met. */
const CORE = ['model', 'engine', 'store', 'analysis', 'report', 'library', 'cli', 'readers']

/** Identities as strings and sentinels, with an example of each that must be found. */
const STRINGS: [what: string, pattern: RegExp, example: string][] = [
  ['a reader compared as a string', /[!=]== ['"](?:none|self)['"]/, "if (reader !== 'none') return"],
  ['a guesser as a system', /['"`]guess:/, "cell.system.startsWith('guess:')"],
  ['a trial built as a string', /\}#\$\{/, 'const key = `\x24{name}#\x24{trial + 1}`'],
  ['a trial read from a string', /\.split\('#'\)|#\(\[1-9\]/, "const [name, time] = reader.split('#')"],
  ['a subject built as a string', /\} @ \$\{/, 'const name = `\x24{label} @ \x24{model}`'],
  ['a subject read from a string', /(?:split|indexOf|includes)\(' @ '\)/, "const [system, model] = name.split(' @ ')"],
  ['a depth as a negative number', /\b(?:k|depth|FIXED_DEPTH)\)? (?:[!=]==|[<>]=?) -?[01]\b/, 'if (k < -1) return'],
  ['a budget as a negative number', /=> -(?:size|tokens|budget)\b|return -wholeNumber/, 'tokens.map((size) => -size)'],
  ['a question at a depth as a string', /\$\{(?:\w+\.)?(?:k|depth)\} \$\{/, 'done.has(`\x24{k} \x24{question.id}`)'],
  ['a word that has another name', /\b(?:ProbeRecord|getProbes|putProbe|life\.life)\b/, 'await store.getProbes(key)'],
]

describe('identity', () => {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !HERE.includes(file))
    .filter((file) => CORE.includes(file.split('/')[0]!))
  const lines = files.flatMap((file) =>
    readFileSync(join(root, 'src', file), 'utf8')
      .split('\n')
      .filter((line) => !/^\s*(?:\*|\/\/|\/\*\*)/.test(line))
      .map((line) => ({ file, line })),
  )

  it.each(STRINGS)('is a type, never %s', (_, pattern, example) => {
    expect(example).toMatch(pattern)
    expect(lines.length).toBeGreaterThan(5000)
    expect(lines.filter(({ line }) => pattern.test(line)).map(({ file, line }) => `${file}: ${line.trim()}`)).toEqual(
      [],
    )
  })

  it('is read back from how it is written', () => {
    const size = fc.integer({ min: 1, max: 100_000 })
    const depth = fc.oneof(
      size.map((k) => ({ k })),
      size.map((tokens) => ({ tokens })),
      fc.constant('all' as const),
    )
    fc.assert(fc.property(depth, (one) => isDeepStrictEqual(readDepth(depthKey(one)), one)))
    expect(() => readDepth('-1')).toThrow('Expected a depth, got "-1"')
    const name = fc.stringMatching(/^[a-z]+:[a-z0-9.-]+$/)
    const instrument = fc.record({ name, trial: fc.integer({ min: 0, max: 20 }) }, { noNullPrototype: true })
    const reader = fc.oneof(instrument, fc.constant('self' as const), fc.constant(null))
    fc.assert(fc.property(reader, (one) => isDeepStrictEqual(readReader(readerKey(one)), one)))
  })

  it('is written as it always was', () => {
    expect([{ k: 5 }, { tokens: 1000 }, 'all' as const].map(depthKey)).toEqual(['5', '1000t', 'all'])
    expect(instrumentKey({ name: 'openai:gpt-5', trial: 2 })).toBe('openai:gpt-5#3')
    expect([null, 'self' as const, { name: 'r', trial: 0 }].map(readerKey)).toEqual(['none', 'self', 'r'])
    const inside = { system: 'mem0', model: 'openai:gpt-5' }
    expect([systemName(inside), subjectKey(inside)]).toEqual(['mem0', 'mem0 @ openai:gpt-5'])
    expect([systemName({ guesser: 'always-no' }), subjectKey({ guesser: 'always-no' })]).toEqual([
      'guess:always-no',
      'guess:always-no',
    ])
  })

  it('tells apart what differs in one part, and takes answers from the reader that was made', () => {
    const subject = { system: 'a', model: null }
    const place = { suite: 's', task: 't', subject, reader: null, depth: { k: 5 }, trial: 0 }
    const others = [
      { suite: 'x' },
      { task: 'x' },
      { subject: { ...subject, model: 'm' } },
      { subject: { guesser: 'a' } },
      { reader: 'self' as const },
      { depth: { tokens: 5 } },
      { trial: 1 },
    ]
    expect(new Set([place, ...others.map((part) => ({ ...place, ...part }))].map(placeKey)).size).toBe(8)
    const made = new Map([['r#2', { key: 'r@1#2' }]])
    expect([{ name: 'r', trial: 1 }, 'self' as const, null].map((one) => answersKey(one, made))).toEqual([
      'r@1#2',
      'self',
      'none',
    ])
  })
})
