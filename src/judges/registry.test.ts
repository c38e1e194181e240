import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { fakeLlm } from '../../test/judges/fake-llm.js'
import { judges } from '../builtins.js'
import { preferenceCues } from '../language/derive-cues.js'
import type { Entailment, Fact } from '../model/index.js'
import { hashEmbedder } from '../systems/hash-embedder.js'
import { createJudge, resolveJudge } from './registry.js'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'memscope-judge-file-'))
})

const METHODS = `judgeFacts: async () => [], judgeAnswer: async () => ({ grade: 'wrong', uncertain: false, reason: '' })`
const write = (name: string, rest: string) =>
  writeFileSync(
    join(folder, name),
    `import { defineJudge } from 'memscope'\nexport default defineJudge({ ${rest} create: (context) => ({ ${METHODS}, ...(globalThis.seen = context, {}) }) })`,
  )
const tools = { embed: hashEmbedder(8), llm: (model: string) => fakeLlm(() => '', model) }
const made = async (spec: string) => createJudge(await resolveJudge(spec, folder), tools)

describe('built-in judges', () => {
  it.each([
    ['lexical', []],
    ['lexical:model=no', []],
    ['llm:p:m', ['p:m']],
    ['hybrid:p:m:free', ['p:m:free']],
    ['panel:p:m,lexical,q:n', ['p:m', 'q:n']],
    ['paper:p:m', ['p:m']],
  ])('are found by name, with the models they ask: %s', async (spec, models) => {
    const asked = await resolveJudge(spec, folder)
    expect(asked).toMatchObject({ label: spec, models, content: null })
    expect(asked.definition.name).toBe(spec.split(':')[0])
  })

  it('judge by words alone where their model is switched off, and their verdicts are kept apart', async () => {
    const text = 'I like fencing because it sharpens my reflexes.'
    const fact: Fact = { id: 'f1', text, sources: ['c1'], cues: preferenceCues('fencing', text) }
    const store = [{ id: 'm1', text: 'User enjoys fencing since it makes their reflexes sharper.' }]
    let reads = 0
    const entail: Entailment = {
      id: 'counted',
      read: async (pairs) => {
        reads += pairs.length
        return pairs.map(() => Float32Array.from([9, -9, -9, 9, -9, -9]))
      },
    }
    const judgeAs = async (spec: string) => createJudge(await resolveJudge(spec, folder), { ...tools, entail })
    const [reading, words] = [await judgeAs('lexical'), await judgeAs('lexical:model=no')]
    await words.judgeFacts([fact], store)
    expect(reads).toBe(0)
    await reading.judgeFacts([fact], store)
    expect(reads).toBeGreaterThan(0)
    expect([reading.name, words.name]).toEqual(['lexical', 'lexical:model=no'])
    expect(words.key).not.toBe(reading.key)
    expect((await judgeAs('lexical:model=yes')).key).toBe(reading.key)
    await expect(judgeAs('lexical:model=maybe')).rejects.toThrow('Expected "model" to be one of yes, no, got "maybe".')
    await expect(judgeAs('lexical:modle=no')).rejects.toThrow(/no option of lexical "modle"/)
  })

  it('are called what they are called in the list', async () => {
    for (const { name, load } of judges) expect((await load()).name).toBe(name)
  })

  it.each(['lexicl', 'lexical:p:m', 'llm', 'llm:', 'gpt:p:m'])('are told when %s is none of them', async (spec) => {
    await expect(resolveJudge(spec, folder)).rejects.toMatchObject({
      message: `There is no judge "${spec}".`,
      hint: expect.stringContaining(
        'Known: lexical, llm:provider:model, panel:a,b,c, hybrid:provider:model, paper:provider:model.',
      ),
    })
  })
})

describe('a judge in a file of one’s own', () => {
  it('is named after its file, and judges anew when the file or what it imports changes', async () => {
    write('my-judge.ts', '')
    const first = await made('./my-judge.ts')
    expect(first.name).toBe('my-judge')
    expect(first.key).toMatch(/^my-judge:/)
    expect((await made('./my-judge.ts')).key).toBe(first.key)
    write('my-judge.ts', `about: 'another',`)
    expect((await made('./my-judge.ts')).key).not.toBe(first.key)
    expect((await made(join(folder, 'my-judge.ts'))).name).toBe('my-judge')
    writeFileSync(join(folder, 'part.ts'), 'export const about = 1')
    write('my-judge.ts', `about: String(await import('./part.js')),`)
    const before = (await made('./my-judge.ts')).key
    writeFileSync(join(folder, 'part.ts'), 'export const about = 2')
    expect((await made('./my-judge.ts')).key).not.toBe(before)
  })

  it('has models and options behind its path', async () => {
    write('mine.ts', `needs: { llm: true }, options: { strict: { default: 'no', about: '' } },`)
    const asked = await resolveJudge('./mine.ts:p:m:strict=yes', folder)
    expect(asked).toMatchObject({ label: 'mine:p:m:strict=yes', models: ['p:m'], options: { strict: 'yes' } })
    expect((await resolveJudge('./mine.ts:p:m:strict=no', folder)).label).toBe('mine:p:m')
    const keys = [await made('./mine.ts:p:m'), await made('./mine.ts:p:m:strict=yes'), await made('./mine.ts:p:n')]
    expect(new Set(keys.map(({ key }) => key)).size).toBe(3)
    await expect(resolveJudge('./mine.ts:p:m:strikt=yes', folder)).rejects.toThrow(/no option of mine "strikt"/)
    await expect(resolveJudge('./mine.ts', folder)).rejects.toThrow('"./mine.ts" asks a model, and none is named.')
  })

  it('gets its own prompts, with the sections of a user in their place', async () => {
    write('told.ts', `needs: { llm: true }, prompts: { open: 'Look.', close: 'Say.' },`)
    const asked = await resolveJudge('./told.ts:p:m', folder)
    const usual = await createJudge(asked, tools)
    const own = await createJudge(asked, { ...tools, prompts: { name: 'mine.txt', text: '@@ close\nShout.' } })
    expect((globalThis as { seen?: { prompts: object } }).seen?.prompts).toEqual({ open: 'Look.', close: 'Shout.' })
    expect(own.key).not.toBe(usual.key)
    const strange = { ...tools, prompts: { name: 'mine.txt', text: '@@ facts/system\nx' } }
    await expect(createJudge(asked, strange)).rejects.toThrow(/has a section "facts\/system"/)
  })

  it.each([
    ['names a model, and asks none', '', './it.ts:p:m', '"./it.ts:p:m" names a model, and it asks none.'],
    ['has a name that cannot be one', `name: 'a:b',`, './it.ts', /name: expected a name without spaces/],
  ])('is refused when it %s', async (_, rest, spec, message) => {
    write('it.ts', rest)
    await expect(resolveJudge(spec, folder)).rejects.toThrow(message)
  })

  it.each([
    ['a memory', 'export default { create: () => ({}) }', '"./x.ts" does not define a judge.'],
    [
      'a reader',
      `import { defineReader } from 'memscope'\nexport default defineReader({ create: () => ({}) })`,
      '"./x.ts" is a reader, not a judge.',
    ],
    ['a file without a default', 'export const judge = 1', '"./x.ts" has no default export. It exports judge.'],
    ['a file that breaks', 'throw new Error("no")', '"./x.ts" could not be loaded. Error: no'],
  ])('is refused when it is %s', async (_, text, message) => {
    writeFileSync(join(folder, 'x.ts'), text)
    await expect(resolveJudge('./x.ts', folder)).rejects.toThrow(message)
  })

  it('is asked all it can do, of whole stores as well', async () => {
    const all = ['judgeFacts', 'judgeAnswer', 'judgeAnswers', 'judgeQuestions', 'judgeStore']
    const methods = all.map((name) => `async ${name}() { return '${name}' }`).join(', ')
    writeFileSync(join(folder, 'all.mjs'), `export default { kind: 'judge', create: () => ({ ${methods} }) }`)
    const judge = (await made('./all.mjs')) as unknown as Record<string, () => Promise<string>>
    for (const name of all) expect(await judge[name]!()).toBe(name)
    writeFileSync(
      join(folder, 'bad.mjs'),
      `export default { kind: 'judge', create: () => ({ ${methods}, judgeStore: 1 }) }`,
    )
    await expect(made('./bad.mjs')).rejects.toThrow('judgeStore')
  })

  it('is refused when what it creates is no judge', async () => {
    writeFileSync(join(folder, 'half.mjs'), `export default { kind: 'judge', create: () => ({ judgeFacts() {} }) }`)
    await expect(made('./half.mjs')).rejects.toThrow('The judge that "half" creates lacks judgeAnswer().')
    await expect(resolveJudge('./none.ts', folder)).rejects.toThrow('There is no file "./none.ts"')
  })
})
