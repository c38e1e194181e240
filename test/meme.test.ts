import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Gold, Scenario } from '../src/model/index.js'
import type { WrittenCell as Cell, WrittenSummary as Summary } from '../src/report/summary-json.js'
import { meme } from '../src/suites/meme/index.js'
import { memscopeHere, temporaryFolder } from './cli.js'

const SIZE = 2
const cwd = temporaryFolder()
let scenarios: Scenario[]

beforeAll(async () => {
  const options = { size: SIZE, seed: 42, view: 'audited' as const, extra: { filler: 'none', fillers: '' } }
  scenarios = (await meme.load(options)).scenarios
})

/** A run over the same episodes, as cells by task. */
async function run(...args: string[]): Promise<{ summary: Summary; of: (task: string) => Cell }> {
  const fixed = ['run', '--suite', 'meme', '--size', String(SIZE), '--filler', 'none', '--quiet', '--json', '-']
  const { code, out, err } = await memscopeHere([...fixed, ...args], { cwd })
  expect([code, err]).toEqual([0, ''])
  const summary = JSON.parse(out) as Summary
  return { summary, of: (task) => summary.cells.find((cell) => cell.task === task)! }
}

function textsOf(kind: string): string[] {
  return scenarios.flatMap(({ facts }) => facts.flatMap(({ id, text }) => (id.startsWith(`${kind}:`) ? [text] : [])))
}

/** Everything said is kept but some texts; what was to be forgotten is taken out when that is asked, without a note. */
function selective(dropped: readonly string[], forgotten: readonly string[], requests: readonly string[]): string {
  const file = join(cwd, 'selective.mjs')
  writeFileSync(
    file,
    `const [DROPPED, FORGOTTEN, REQUESTS] = ${JSON.stringify([dropped, forgotten, requests])}
const has = (texts, turn) => texts.some((text) => turn.includes(text))
export default {
  create: () => {
    let held = []
    return {
      async store({ id, turns }) {
        for (const [i, { text }] of turns.entries()) {
          if (has(REQUESTS, text)) held = held.filter((one) => !has(FORGOTTEN, one.text))
          else if (!has(DROPPED, text)) held.push({ id: id + '#' + i, text })
        }
      },
      retrieve: async () => held,
      dump: async () => held,
    }
  },
  depth: 'fixed',
}
`,
  )
  return file
}

describe('MEME by evidence', () => {
  it('counts a value that is gone, and holds an announcement without its take-back against the store', async () => {
    const forgotten = scenarios.flatMap(({ facts, timeline }) =>
      timeline.flatMap((event) =>
        event.type === 'probe'
          ? event.probe.questions.flatMap(({ gone = [] }) => gone.map((id) => facts.find((one) => one.id === id)!.text))
          : [],
      ),
    )
    const { of } = await run('--system', selective(textsOf('revoked'), forgotten, textsOf('delete')))
    expect(of('deletion')).toMatchObject({ outcomes: { answerable: SIZE }, scores: { score: 1, removed: 1 } })
    expect(of('control-revoked')).toMatchObject({ outcomes: { stale_memory: SIZE }, evidence: { complete: 0 } })
    for (const task of ['cascade', 'absence', 'tracking', 'control-unchanged', 'control-hypothetical'])
      expect(of(task).evidence?.rate).toBe(1)
  })

  it('says nothing of removal where nothing ever was', async () => {
    const { of } = await run('--system', 'none')
    expect(of('deletion').scores).toMatchObject({ score: 0, removed: 0, still_live: 0 })
  })
})

/** What a reader should answer, and what it would say of a value it knows. */
function answerTo(gold: Gold): string {
  switch (gold.kind) {
    case 'unsure':
      return `It was ${gold.old}, but that may have changed.`
    case 'withheld':
      return 'You asked me to forget that.'
    case 'current':
      return gold.value
    case 'sequence':
      return gold.items.join(', then ')
    case 'list':
      return gold.items.join('; ')
    default:
      return gold.text
  }
}

/** A reader that answers rightly when it is shown all that is needed. */
function ableReader(): string {
  const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
  const rules = scenarios.flatMap(({ facts, timeline }) =>
    timeline.toReversed().flatMap((event) => {
      if (event.type !== 'probe') return []
      return event.probe.questions.flatMap(({ text, needs, gold }) =>
        needs.map((set) => {
          const shown = [text, ...set.map((id) => facts.find((fact) => fact.id === id)!.text)]
          const regex = `^${shown.map((part) => `(?=[\\s\\S]*${escaped(part)})`).join('')}`
          return { when: { regex, role: 'user' }, reply: answerTo(gold) }
        }),
      )
    }),
  )
  const file = join(cwd, 'able.json')
  writeFileSync(file, JSON.stringify({ rules, otherwise: 'I have no information about that.' }))
  return `scripted:${file}`
}

describe('MEME read by a model', () => {
  it('is passed in every task by one that concludes from what it is shown', async () => {
    const { summary } = await run('--system', 'oracle', '--reader', ableReader())
    expect(summary.cells.map(({ answer }) => answer?.accuracy)).toEqual(summary.cells.map(() => 1))
    expect(summary.overall).toMatchObject([{ scores: { macro: 1, micro: 1 } }])
  })

  it('counts nothing for one that never knows anything', async () => {
    const file = join(cwd, 'silent.json')
    writeFileSync(file, JSON.stringify({ rules: [], otherwise: 'I have no information about that.' }))
    const { summary, of } = await run('--system', 'oracle', '--reader', `scripted:${file}`)
    for (const task of ['absence', 'implicit-absence', 'deletion'])
      expect(of(task)).toMatchObject({ answer: { accuracy: 1 }, scores: { score: 0, trivial: 1 } })
    for (const task of ['cascade', 'control-unchanged'])
      expect(of(task).scores).toMatchObject({ score: 0, trivial: 0, never_knew: 1 })
    expect(summary.overall).toMatchObject([{ scores: { macro: 0, micro: 0 } }])
  })

  it('that repeats what it is shown gives values away, and has known them before', async () => {
    const file = join(cwd, 'echo.json')
    const echo = { when: { regex: '<<memories[^>]*>>\\n([\\s\\S]*)<<end', role: 'user' }, reply: '$1' }
    writeFileSync(file, JSON.stringify({ rules: [echo], otherwise: 'Nothing.' }))
    const few = await run('--system', 'oracle,bm25', '--k', '4', '--reader', `scripted:${file}`)
    const cell = (system: string, task: string) =>
      few.summary.cells.find((one) => one.system === system && one.task === task)!
    expect(cell('oracle', 'before').answer?.accuracy).toBe(1)
    expect(cell('oracle', 'exact-recall').scores).toMatchObject({ score: 1, longest_run: 1 })
    expect(cell('oracle', 'tracking').scores.greedy).toBeGreaterThan(0)
    expect(cell('bm25', 'deletion').answer?.accuracy).toBeLessThan(1)
    const all = await run('--system', 'full-context', '--reader', `scripted:${file}`)
    for (const { task, answer } of all.summary.cells) expect(`${task} ${answer?.correct}`).toBe(`${task} 0`)
  })
})
