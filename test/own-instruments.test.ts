import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { WrittenSummary as Summary } from '../src/report/summary-json.js'
import { memscopeHere, temporaryFolder } from './cli.js'

const cwd = temporaryFolder()
afterAll(() => rmSync(cwd, { recursive: true }))

const JUDGE = `
import { defineJudge, type Memory } from 'memscope'
export default defineJudge({
  about: 'finds facts word for word',
  create: () => ({
    async judgeFacts(facts, store) {
      return facts.map((fact) => {
        const found = store.filter(({ text }: Memory) => text.includes(fact.text)).map(({ id }) => [id])
        const label = found.length > 0 ? 'correct' as const : 'not_stored' as const
        return { fact: fact.id, label, uncertain: false, support: found, reason: 'by its words', quotes: [] }
      })
    },
    async judgeAnswer(question, answer) {
      return { grade: answer.includes('first') ? 'right' : 'wrong', uncertain: false, reason: 'by the word first' }
    },
  }),
})`
const READER = `
import { defineReader } from 'memscope'
export default defineReader({
  options: { says: { default: 'first', about: 'what it says' } },
  create: ({ options }) => ({
    async read(question, memories) {
      const answer = question.choices ? question.choices[0]!.letter : options.says! + (memories[0]?.text ?? '')
      return { answer, prompt: question.text, tokens: { input: 3, output: 1 }, cost: 0 }
    },
  }),
})`

const write = (name: string, text: string) => writeFileSync(join(cwd, name), text)
beforeEach(() => {
  write('my-judge.ts', JUDGE)
  write('my-reader.ts', READER)
})

const SMALL = ['--suite', 'memfail/persona', '--system', 'bm25,none', '--k', '3', '--size', '3', '--limit', '4']

async function run(...flags: string[]): Promise<Summary> {
  const { code, out, err } = await memscopeHere([...flags, '--quiet', '--json', '-'], { cwd })
  if (code !== 0) throw new Error(`exit ${code}: ${err}`)
  return JSON.parse(out) as Summary
}

describe('a judge and a reader in files of one’s own', () => {
  it('judge and read a run, are told by name, and go on with it', async () => {
    const path = join(cwd, 'my-reader.ts')
    const summary = await run('run', ...SMALL, '--judge', './my-judge.ts', '--reader', `${path}:says=second`)
    expect(summary.status).toBe('valid')
    const cell = summary.cells.find(({ system }) => system === 'bm25')
    expect(cell).toMatchObject({ judge: { facts: 'my-judge', answers: 'my-judge' }, reader: 'my-reader:says=second' })
    expect(cell!.answer).toMatchObject({ correct: 0 })
    expect(cell!.tokens.answer).toBe(4 * cell!.n)
    expect(JSON.stringify(summary)).not.toContain(cwd)
    const more = await run('run', '--resume', 'last', '--k', '5')
    expect(more.cells.map(({ k }) => k)).toEqual(expect.arrayContaining([3, 5]))
    const read = await run('reanswer', 'last', '--reader', './my-reader.ts')
    expect(read.cells[0]).toMatchObject({ reader: 'my-reader', answer: { correct: read.cells[0]!.n } })
    const judged = await run('rejudge', 'last', '--fact-judge', 'lexical')
    expect(judged.cells[0]!.judge).toEqual({ facts: 'lexical', answers: 'my-judge' })
  })

  it('are another setting when their code changes', async () => {
    await run('run', ...SMALL, '--fact-judge', './my-judge.ts')
    write('my-judge.ts', `${JUDGE}\n// changed`)
    const { code, err } = await memscopeHere(['run', '--resume', 'last', '--quiet'], { cwd })
    expect(code).toBe(2)
    expect(err).toMatch(/fact judge: was my-judge:\w+, now my-judge:\w+/)
  })

  it('are errors by name where they return what they should not', async () => {
    write(
      'my-judge.ts',
      JUDGE.replace("'not_stored' as const", "'gone' as never").replace("? 'right' : 'wrong'", '? 1 : 0'),
    )
    write('bad-reader.ts', READER.replace('cost: 0', "cost: 'free' as never"))
    const flags = [...SMALL, '--judge', './my-judge.ts', '--reader', './my-reader.ts,./bad-reader.ts']
    const { code, out, err } = await memscopeHere(['run', ...flags, '--json', '-'], { cwd })
    expect(code, err).toBe(3)
    expect(err).toMatch(/No verdict of my-judge on \S+: my-judge: judgeFacts returned no verdict: label: /)
    const { status, cells } = JSON.parse(out) as Summary
    expect(status).toBe('invalid')
    for (const cell of cells.filter(({ system }) => system === 'bm25')) expect(cell.errors).toBe(cell.n)
    const { out: junit } = await memscopeHere(['report', 'last', '--junit', '-', '--quiet'], { cwd })
    expect(junit).toContain('bad-reader: read returned no answer: cost: ')
    expect(junit).toContain('my-judge: judgeAnswer')
  })

  it('are compared with labels', async () => {
    write(
      'gold.jsonl',
      `${JSON.stringify({
        id: 'c1',
        dataset: 'd',
        style: 's',
        source: ['Rosa sings alto.'],
        memories: ['Rosa sings alto.'],
        facts: [{ id: 'f', text: 'Rosa sings alto.', label: 'correct', support: [0], source_supports: true }],
      })}\n`,
    )
    const { code, out, err } = await memscopeHere(
      ['judge', 'eval', '--gold', 'gold.jsonl', '--judge', './my-judge.ts', '--json', '-'],
      { cwd },
    )
    expect(code, err).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ n: 1, accuracy: 1 })
    write('my-judge.ts', JUDGE.replace("'correct' as const", "'fine' as never"))
    const bad = await memscopeHere(['judge', 'eval', '--gold', 'gold.jsonl', '--judge', './my-judge.ts'], { cwd })
    expect(bad.code).toBe(3)
    expect(bad.err).toMatch(/The judge my-judge cannot be compared\. .*judgeFacts returned no verdict: label/)
  })

  it.each([
    [['--judge', './my-reader.ts'], '"./my-reader.ts" is a reader, not a judge.'],
    [['--reader', './my-judge.ts'], '"./my-judge.ts" is a judge, not a reader.'],
    [['--system', './my-judge.ts'], '"./my-judge.ts" is a judge, not a memory system.'],
    [['--judge', './my-judge.ts', '--judge-prompt', 'my-judge.ts'], 'my-judge would not use it'],
    [['--judge', './my-judge.ts', '--judge-trials', '2'], 'The judge my-judge says the same every time'],
    [['my-judge.ts'], 'my-judge.ts is a judge, not a config file.'],
  ])('are told to go where they belong: %s', async (flags, message) => {
    const { code, err } = await memscopeHere(['run', ...flags], { cwd })
    expect(code).toBe(2)
    expect(err).toContain(message)
  })
})

describe('memscope check', () => {
  it('tells a judge and a reader from a memory, and what they promise and do not keep', async () => {
    const judge = await memscopeHere(['check', './my-judge.ts'], { cwd })
    expect(judge.out).toContain('FAIL  grades an answer in the words of the gold as right, and says why')
    expect(judge.out).toContain('pass  finds what stands word for word, and where')
    expect(judge.out).toMatch(/\nmy-judge: 1 of \d+ checks failed\n$/)
    expect(judge.code).toBe(1)
    const reader = await memscopeHere(['check', './my-reader.ts:says=x', '--json'], { cwd })
    expect(reader.code).toBe(0)
    expect(JSON.parse(reader.out)).toMatchObject({
      reader: 'my-reader:says=x',
      results: [{ status: 'passed' }, {}, {}, {}, {}, {}],
    })
    write('my-reader.ts', READER.replace('answer, prompt', 'answer: (question.gold as { text: string }).text, prompt'))
    const peeking = await memscopeHere(['check', './my-reader.ts'], { cwd })
    expect(peeking.out).toContain('FAIL  does not look at the expected answer')
  })

  it('says what to do with one that asks a model, or cannot be made', async () => {
    write('my-judge.ts', JUDGE.replace('about:', 'needs: { llm: true }, about:'))
    const asking = await memscopeHere(['check', './my-judge.ts:openai:gpt-5'], { cwd })
    expect(asking.code).toBe(2)
    expect(asking.err).toContain('runJudgeConformance of memscope/conformance takes context.llm')
    expect((await memscopeHere(['check', './my-judge.ts'], { cwd })).err).toContain(
      'Write ./my-judge.ts:provider:model.',
    )
    write('my-judge.ts', `export default { kind: 'judge', create: () => ({}) }`)
    const empty = await memscopeHere(['check', './my-judge.ts'], { cwd })
    expect(empty.code).toBe(2)
    expect(empty.err).toContain('lacks judgeFacts() and judgeAnswer().')
  })
})
