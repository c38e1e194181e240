import { describe, expect, it } from 'vitest'
import { EVIL, fixture } from '../../bench/report/fixture.js'
import { systemName } from '../model/index.js'
import { columnsOf, wrap } from './columns.js'
import { wayOf } from './fact-way.js'
import { failuresIn, renderFailures } from './failures.js'
import { matrixOf } from './matrix.js'
import type { QuestionTrace } from './report-data.js'
import { renderScreen } from './screen.js'
import { commandLines, showCommand } from './show-command.js'
import { taskViews } from './task-view.js'

const data = fixture({ questions: 100 })

function widest(text: string): number {
  return Math.max(...text.split('\n').map(columnsOf))
}

/** A run whose systems have other names. */
function renamed(name: (system: string, at: number) => string, options: Parameters<typeof fixture>[0] = {}) {
  const made = fixture({ questions: 50, ...options })
  const systems = [...new Set(made.questions.map(({ subject }) => subject.system))]
  const rename = (system: string) => name(system, systems.indexOf(system))
  for (const cell of made.summary.cells)
    if ('system' in cell.subject) cell.subject = { system: rename(systemName(cell.subject)), model: null }
  for (const trace of made.questions) trace.subject = { ...trace.subject, system: rename(trace.subject.system) }
  return made
}

describe('the first screen', () => {
  it.each([
    [60, false],
    [60, true],
    [80, false],
    [80, true],
    [100, false],
  ])('fits %i columns, with a reader: %s', (width, reader) => {
    const text = renderScreen(fixture({ questions: 100, reader }), { width, color: false })
    expect(widest(text)).toBeLessThanOrEqual(width)
    expect(text.split('\n').length).toBeLessThanOrEqual(40)
  })

  it('has the number of every task and system, what stands beside tasks, and what stands under systems', () => {
    const text = renderScreen(data, { width: 100, color: false })
    const { suites, systems } = matrixOf(data)
    for (const { view, cells, n } of suites.flatMap(({ tasks }) => tasks)) {
      const line = text.split('\n').find((one) => one.startsWith(view.name))!
      const numbers = line.slice(view.name.length).match(/\d+|–/g)!.map(Number)
      expect(numbers[0]).toBe(n)
      expect(numbers.slice(-cells.length)).toEqual(cells.map((cell) => Math.round(100 * cell!.rate)))
    }
    expect(systems.map(({ label }) => label)).toEqual(expect.arrayContaining(['bm25', 'oracle']))
    for (const head of ['n ceil guess', 'all questions', '95 % interval', 'tokens']) expect(text).toContain(head)
  })

  it('says which number stands in the cells, at which depth, and what the letters are', () => {
    expect(renderScreen(data, { color: false })).toMatch(/\nevidence %; lost as S not stored/)
    expect(renderScreen(data, { color: false })).toMatch(/\n\w+, k = 5 +n /)
    expect(renderScreen(fixture({ questions: 100, reader: true }), { color: false })).toMatch(/\nanswer %/)
  })

  it('puts more systems than fit side by side into blocks, each with every task', () => {
    const many = fixture({ questions: 50 })
    const extra = many.summary.cells.flatMap((cell) =>
      'system' in cell.subject
        ? ['two', 'three'].map((more) => ({
            ...cell,
            subject: { system: `${systemName(cell.subject)}-${more}`, model: null },
          }))
        : [],
    )
    many.summary.cells.push(...extra)
    const text = renderScreen(many, { width: 80, color: false })
    expect(widest(text)).toBeLessThanOrEqual(80)
    expect(text.match(/^coexisting/gm)!.length).toBeGreaterThan(1)
    expect(text.match(/^95 % interval/gm)!.length).toBe(text.match(/^coexisting/gm)!.length)
  })

  it.each([60, 80])('lets no name or text break its lines or the terminal at %i columns', (width) => {
    const names = ['\u001b[31mred', '记忆系统'.repeat(9), '\u202Eturned', 'x'.repeat(500), 'two\nlines', 'plain']
    const hostile = renamed((_, at) => names[at]!, { hostile: true })
    for (const trace of hostile.questions) trace.text = `${EVIL}${'long'.repeat(250_000)}`
    const failed = failuresIn(hostile, taskViews(hostile))
    const texts = [
      renderScreen(hostile, { width, color: false }),
      renderFailures(failed, { width, color: false, most: 6, typed: { run: 'last' }, more: ['--failed'] }),
    ]
    for (const text of texts) {
      expect(widest(text)).toBeLessThanOrEqual(width)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is being looked for
      expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202a-\u202e]/)
    }
  })

  it('has colour where it is wanted, and the same words without', () => {
    const coloured = renderScreen(data, { color: true })
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is being looked for
    expect(coloured.replace(/\u001b\[\d+m/g, '')).toBe(renderScreen(data, { color: false }))
    expect(coloured).toContain('\u001b[')
  })

  it('calls ahead whom a paired test finds ahead, says of whom it cannot tell, and where another is better', () => {
    expect(renderScreen(data, { color: false })).toMatch(/No system is significantly ahead: notes \(43 %\)/)
    const who = (system: string) => ({ system, model: null, reader: 'none' })
    const others = ['bm25', 'dense:minilm'].map((system) => ({ contestant: who(system), isBehind: system === 'bm25' }))
    const beaten = [{ suite: 'memfail', task: 'persona', contestant: who('dense:minilm') }]
    const text = renderScreen({ ...data, lead: { leader: who('notes'), others, beaten } }, { width: 120, color: false })
    const said = text.replace(/\n/g, ' ')
    expect(said).toMatch(/notes leads \(43 %\), significantly ahead of bm25 \(\d+ %\)/)
    expect(said).toMatch(/; of [^;]*dense:minilm[^;]* paired tests cannot tell; on memfail\/persona dense:minilm wins/)
  })

  it('ends in a failure of the system that leads, lost where most is, and the command that shows its task', () => {
    const text = renderScreen(data, { color: false, typed: { run: 'last' } })
    const [, task] = /For example (\S+), notes/.exec(text)!
    expect(text).toMatch(/stored, damaged/)
    expect(text).toContain(`Next: memscope show last ${task} --failed`)
  })

  it('stands with an empty run', () => {
    const empty = { ...fixture({ questions: 5 }), tasks: [], questions: [] }
    expect(renderScreen(empty, { color: false })).toMatch(/Nothing was measured/)
  })
})

describe('failed questions in the terminal', () => {
  const found = failuresIn(data, taskViews(data))

  it('come from all systems by turns, are counted, and name the command that shows more', () => {
    const text = renderFailures(found, { color: false, most: 3, typed: { run: 'r1' }, more: ['--failed'] })
    expect(new Set(found.list.slice(0, 3).map(({ label }) => label)).size).toBe(3)
    expect(text).toContain(`${found.all} failed questions, 3 of them below`)
    expect(text.match(/^\d+\. /gm)).toHaveLength(3)
    expect(text).toMatch(/said ✓ → (?:not stored ✗|stored ✓)/)
    expect(text).toContain('More: memscope show r1 --failed --n 12')
  })

  it('never call said what nobody said', () => {
    const trace = { byDepth: [{ depth: { k: 5 }, outcome: 'not_retrieved' }] } as QuestionTrace
    const fact = { ...data.questions[0]!.facts[0]!, label: 'not_stored' as const, retrievedAt: [false] }
    expect(wayOf(fact, trace, 0)[0]).toEqual(['said', 'ok'])
    const derived = wayOf({ ...fact, derived: true }, trace, 0)
    expect(derived).toEqual([
      ['not said', 'off'],
      ['not drawn', 'off'],
    ])
  })
})

describe('lines of a terminal', () => {
  it('are cut by columns, whatever the script', () => {
    expect(columnsOf('记忆 a\u0301')).toBe(6)
    expect(wrap('word '.repeat(9), 20).every((line) => columnsOf(line) <= 20)).toBe(true)
    expect(wrap('记'.repeat(30), 20).map(columnsOf)).toEqual([20, 20, 20])
  })

  it('leave a command one command', () => {
    const command = showCommand({ run: 'last', home: "it's here" }, ['suite/task', '--failed'])
    expect(command).toBe("memscope show last suite/task --failed --home 'it'\\''s here'")
    expect(
      commandLines('Next:', command, 40)
        .slice(1, -1)
        .every((line) => line.endsWith(' \\')),
    ).toBe(true)
  })
})
