import { Random } from '../../src/base/random.js'
import {
  type Cell,
  emptyCell,
  type FactLabel,
  type Interval,
  type Outcome,
  type ReaderRef,
  sameJudgePair,
} from '../../src/model/index.js'
import type {
  Breakdown,
  FactTrace,
  QuestionResult,
  QuestionTrace,
  ReportData,
  RetrievedMemory,
} from '../../src/report/report-data.js'

/** How a made-up system treats facts: chances of keeping one, of keeping it whole, and how far down its search puts it. */
interface Habit {
  system: string
  stored: number
  faithful: number
  spread: number
  fixed?: boolean
  tokens: number
}

const HABITS: Habit[] = [
  { system: 'bm25', stored: 1, faithful: 1, spread: 14, tokens: 62 },
  { system: 'dense:minilm', stored: 1, faithful: 1, spread: 7, tokens: 62 },
  { system: 'extract', stored: 0.68, faithful: 0.86, spread: 6, tokens: 19 },
  { system: 'notes', stored: 0.97, faithful: 0.55, spread: 4, tokens: 140 },
  { system: 'full-context', stored: 1, faithful: 1, spread: 0.001, fixed: true, tokens: 62 },
  { system: 'oracle', stored: 1, faithful: 1, spread: 0.12, tokens: 48 },
]

const TASKS = [
  {
    name: 'conditional-easy',
    hard: 0.4,
    facts: 1,
    about: 'One rule with its condition, asked directly',
    tags: ['condition type'],
  },
  {
    name: 'conditional-hard',
    hard: 0.9,
    facts: 1,
    about: 'Rules with thresholds and exceptions, hidden in essays',
    tags: ['condition type', 'K'],
  },
  { name: 'coexisting', hard: 1.1, facts: 4, about: 'Several preferences of one kind that all hold', tags: ['N'] },
  { name: 'persona', hard: 0.5, facts: 1, about: 'One detail of one person among many', tags: ['kind'] },
  { name: 'long-hop', hard: 1.9, facts: 5, about: 'A chain of links, asked by its ends', tags: ['K'] },
]

const KS = [1, 3, 5, 10, 15, 20, 50]
const WORDS =
  'garden walks rain never below ten degrees unless Marta brings the red umbrella to harbour market after noon while her brother keeps bees near Lisbon and counts jars of honey each Sunday'.split(
    ' ',
  )

/** Options of a made-up run. `hostile` puts markup, escape sequences and control characters into every text. */
export interface FixtureOptions {
  questions?: number
  seed?: number
  hostile?: boolean
  /** Gives every system a reader, so that there are answers. */
  reader?: boolean
  trials?: number
}

/** A made-up run with everything a report can show. Only for tests and measurements. */
export function fixture(
  options: FixtureOptions = {},
): ReportData & { questions: QuestionTrace[]; results: QuestionResult[] } {
  const { questions = 200, seed = 7, trials = 1 } = options
  const cells: Cell[] = []
  const breakdowns: Breakdown[] = []
  const traces: QuestionTrace[] = []
  const results: QuestionResult[] = []
  for (const task of TASKS) {
    for (const habit of HABITS) {
      for (let trial = 0; trial < trials; trial++) {
        const random = new Random(`${seed}/${task.name}/${habit.system}/${trial}`)
        const own = Array.from({ length: Math.ceil(questions / TASKS.length) }, (_, i) =>
          ask(random, task, habit, trial, i, options),
        )
        for (const [at, k] of (habit.fixed ? [null] : KS).entries()) {
          cells.push(cellOf(own, at, k, task.name, habit, trial, options))
          if (trial === 0) breakdowns.push(...breakdownsOf(own, at, k, task, habit.system))
        }
        for (const { trace, tags: _ } of own) {
          for (const { depth, outcome } of trace.byDepth) {
            const { suite, task, subject, id, text } = trace
            results.push({
              suite,
              task,
              subject,
              depth,
              id,
              text,
              outcome,
              message: trace.error ?? trace.facts[0]?.reason ?? '',
            })
          }
          const shown = trace.byDepth[habit.fixed ? 0 : 2]!.outcome
          if (!PASSED.has(shown) || trace.facts.some((fact) => fact.uncertain)) traces.push(trace)
        }
      }
    }
    cells.push(guesser(task.name, 'always-no', 0.5, Math.ceil(questions / TASKS.length)))
    cells.push(guesser(task.name, 'rarest-option', 0.31, Math.ceil(questions / TASKS.length)))
  }
  const errors = traces.filter((trace) => trace.byDepth.some(({ outcome }) => outcome === 'error')).length
  const asked = Math.ceil(questions / TASKS.length) * TASKS.length * HABITS.length * trials
  return {
    title: options.hostile ? EVIL : 'MemFail, keyless systems',
    summary: {
      run: { id: '2026-05-30-quiet-harbour', created: '2026-05-30T10:00:00.000Z' },
      fingerprint: {
        setting: '3f9a0c71be22d410',
        subjects: Object.fromEntries(HABITS.map((h, i) => [h.system, `a1b2c3d4e5f60${i}77`])),
      },
      status: 'valid',
      errors,
      cells,
      timing: { ingest: 4.2, probe: 11.9, judge: 3.1 },
    },
    headline: { errors, questions: asked },
    tasks: TASKS.map(({ name, about, tags }) => ({ suite: 'memfail', name, about, breakdowns: tags, defaultK: 5 })),
    audit: auditNotes(),
    ceilings: TASKS.flatMap(({ name, facts }) =>
      KS.map((k) => ({
        suite: 'memfail',
        task: name,
        depth: { k },
        rate: k >= facts ? 1 : facts === 4 ? [0, 0, 0.26, 0.57][k]! : 0,
      })),
    ),
    references: references(),
    suites: [],
    yardsticks: ['oracle', 'full-context'],
    breakdowns,
    questions: traces,
    results,
    settings: [
      { label: 'seed', value: String(seed) },
      { label: 'view', value: 'audited' },
      { label: 'dataset', value: 'sha256:77c0a9d41e55' },
      { label: 'judge', value: 'lexical 1' },
      { label: 'reader', value: options.reader ? 'openai:gpt-4.1-mini' : 'none' },
      { label: 'embedder', value: 'minilm-l6-v2 fp16' },
    ],
  }
}

const PASSED = new Set<Outcome>(['correct', 'answerable'])

/** Text that would run, restyle or break a page, a terminal or an XML file if it were let through. */
export const EVIL =
  '</script><img src=x onerror=alert(1)>"\'<style>*{display:none}</style>&amp;\u0000\u001b[31m]]>\uD800 |`*'

function ask(
  random: Random,
  task: (typeof TASKS)[number],
  habit: Habit,
  trial: number,
  index: number,
  options: FixtureOptions,
) {
  const failed = random.random() < 0.004
  const n = task.facts === 1 ? 1 : Math.max(2, task.facts - random.below(3))
  const wild = options.hostile ? ` ${EVIL}` : ''
  const facts = Array.from({ length: n }, (_, i): FactTrace & { rank: number } => {
    const stored = random.random() < 1 - (1 - habit.stored) * Math.min(1.3, task.hard + 0.3)
    const whole = stored && random.random() < 1 - (1 - habit.faithful) * Math.min(1.6, task.hard)
    const label: FactLabel = !stored ? 'not_stored' : whole ? 'correct' : 'summary_error'
    const rank = Math.ceil(-Math.log(1 - random.random()) * habit.spread * task.hard * (1 + i / 2)) + i
    const said = `${phrase(random, 14)}${wild}`
    const quote = said.split(' ').slice(2, 8).join(' ')
    return {
      id: `${task.name}-${index}-f${i}`,
      text: said,
      label,
      uncertain: random.random() < 0.03,
      reason: REASONS[label],
      quotes: stored ? [{ memory: `m${index}.${i}`, text: quote }] : [],
      evidence: stored
        ? [
            {
              id: `m${index}.${i}`,
              text: `${phrase(random, 9)}. ${said}. ${phrase(random, 16)}`,
              rank: rank <= 50 ? rank : null,
            },
          ]
        : [],
      retrievedAt: (habit.fixed ? [null] : KS).map((k) => (label !== 'correct' ? false : k === null || rank <= k)),
      rank,
    }
  })
  const byK = (habit.fixed ? [null] : KS).map((k, at) => ({
    k,
    outcome: outcomeOf(facts, at, failed, random, options.reader === true),
  }))
  const tags: Record<string, string> = {
    N: String(n),
    K: String(n),
    'condition type': ['time', 'weather', 'number', 'person'][index % 4]!,
    kind: index % 3 ? 'direct' : 'two details',
  }
  const trace: QuestionTrace = {
    suite: 'memfail',
    task: task.name,
    subject: { system: habit.system, model: null },
    reader: readerIn(options),
    trial,
    id: `${task.name}-${index}`,
    text: `What does ${phrase(random, 9)}?${wild}`,
    gold: phrase(random, 4) + wild,
    flags: index % 37 === 0 ? ['the released gold is not entailed by its essay'] : [],
    byDepth: byK.map(({ k, outcome }) => ({ depth: k === null ? 'all' : { k }, outcome })),
    facts: facts.map(({ rank: _, ...fact }) => fact),
    retrieved: Array.from({ length: 5 }, (_, i): RetrievedMemory => {
      const carried = facts.filter((fact) => fact.rank === i + 1 && fact.label === 'correct')
      return {
        id: carried[0]?.evidence[0]?.id ?? `m${random.below(900)}.0`,
        text: carried[0]?.evidence[0]?.text ?? phrase(random, 24) + wild,
        score: 9.4 - i * 0.81,
        rank: i + 1,
        carries: carried.map((fact) => fact.id),
      }
    }),
    retrievedTotal: 50,
    ...(task.name === 'long-hop'
      ? { choices: ['A', 'B', 'C', 'D'].map((letter) => ({ letter, text: phrase(random, 5) })) }
      : {}),
    ...(options.reader ? { answer: phrase(random, 6) + wild, answerReason: 'The answer names another thing.' } : {}),
    ...(failed ? { error: 'The provider answered 503 five times.' } : {}),
  }
  return { trace, tags }
}

const REASONS: Record<FactLabel, string> = {
  not_stored: 'No memory names both the person and the habit.',
  summary_error: 'A memory names the habit, but its condition (“below 10 °C”) is gone.',
  correct: 'One memory carries who, what and condition together.',
}

function outcomeOf(facts: readonly FactTrace[], at: number, failed: boolean, random: Random, reader: boolean): Outcome {
  if (failed) return 'error'
  if (facts.some((fact) => fact.label === 'not_stored')) return 'not_stored'
  if (facts.some((fact) => fact.label === 'summary_error')) return 'summary_error'
  if (facts.some((fact) => !fact.retrievedAt[at])) return 'not_retrieved'
  if (random.random() < 0.02) return 'stale_memory'
  if (!reader) return 'answerable'
  return random.random() < 0.08 ? 'reasoning_error' : 'correct'
}

function cellOf(
  own: ReturnType<typeof ask>[],
  at: number,
  k: number | null,
  task: string,
  habit: Habit,
  trial: number,
  options: FixtureOptions,
): Cell {
  const outcomes: Cell['outcomes'] = {}
  for (const { trace } of own) outcomes[trace.byDepth[at]!.outcome] = (outcomes[trace.byDepth[at]!.outcome] ?? 0) + 1
  const facts = own.filter(({ trace }) => !trace.error).flatMap(({ trace }) => trace.facts)
  const errors = outcomes.error ?? 0
  const n = own.length - errors
  const complete = (outcomes.answerable ?? 0) + (outcomes.correct ?? 0) + (outcomes.reasoning_error ?? 0)
  const correct = outcomes.correct ?? 0
  return {
    suite: 'memfail',
    task,
    subject: { system: habit.system, model: null },
    reader: readerIn(options),
    judge: sameJudgePair({ name: 'lexical', trial: 0 }),
    depth: k === null ? 'all' : { k },
    trial,
    n: own.length,
    errors,
    answer: options.reader ? { n, correct, accuracy: correct / n, ...spreadOf(correct, n) } : null,
    evidence: { n, complete, rate: complete / n, ...spreadOf(complete, n) },
    outcomes,
    facts: {
      n: facts.length,
      stored: facts.filter((fact) => fact.label !== 'not_stored').length,
      faithful: facts.filter((fact) => fact.label === 'correct').length,
      retrieved: facts.filter((fact) => fact.retrievedAt[at]).length,
      uncertain: facts.filter((fact) => fact.uncertain).length,
      bounds: { stored: [0, 0], faithful: [0, 0], retrieved: [0, 0] },
    },
    conversations: { n: 412, lost: 0 },
    noise: { memories: 0.8, tokens: 0.75 },
    tempting: null,
    scores: [{ name: 'success', value: complete / n }],
    tokens: { context: (k ?? 400) * habit.tokens * n },
    cost: 0,
    memory: { entries: 412, tokens: 412 * habit.tokens, tokensPerEntry: habit.tokens },
  }
}

function readerIn(options: { reader?: boolean }): ReaderRef | null {
  return options.reader ? { name: 'openai:gpt-4.1-mini', trial: 0 } : null
}

function breakdownsOf(
  own: ReturnType<typeof ask>[],
  at: number,
  k: number | null,
  task: (typeof TASKS)[number],
  system: string,
): Breakdown[] {
  return task.tags.flatMap((tag) =>
    [...new Set(own.map(({ tags }) => tags[tag]!))].sort().map((value): Breakdown => {
      const some = own.filter(({ trace, tags }) => tags[tag] === value && !trace.error)
      const complete = some.filter(({ trace }) =>
        ['answerable', 'correct', 'reasoning_error'].includes(trace.byDepth[at]!.outcome),
      ).length
      return {
        suite: 'memfail',
        task: task.name,
        tag,
        value,
        subject: { system, model: null },
        depth: k === null ? 'all' : { k },
        n: some.length,
        complete,
        ci95: wilson(complete, some.length),
      }
    }),
  )
}

function guesser(task: string, name: string, rate: number, n: number): Cell {
  const correct = Math.round(rate * n)
  const cell = emptyCell({
    suite: 'memfail',
    task,
    subject: { guesser: name },
    reader: null,
    judge: sameJudgePair({ name: 'lexical', trial: 0 }),
    depth: 'all',
    trial: 0,
  })
  return { ...cell, n, answer: { n, correct, accuracy: correct / n, ...spreadOf(correct, n) } }
}

function auditNotes(): ReportData['audit'] {
  const why = [
    'The essay does not state the rule that is asked for.',
    'Two people share this name; the row was renamed.',
    'The right option is not among the choices.',
  ]
  return Array.from({ length: 46 }, (_, i) => ({
    suite: 'memfail',
    task: ['conditional-hard', 'persona', 'long-hop'][i % 3]!,
    row: String(i * 7 + 2),
    action: (['flagged', 'repaired', 'dropped'] as const)[i % 3]!,
    why: why[i % 3]!,
  }))
}

function references(): ReportData['references'] {
  const series: [string, string, number[]][] = [
    ['long-hop', 'Mem0', [0.02, 0.1, 0.19, 0.27]],
    ['long-hop', 'A-MEM', [0.01, 0.09, 0.24, 0.35]],
    ['coexisting', 'Mem0', [0.31, 0.55, 0.62, 0.63]],
    ['coexisting', 'SimpleMem', [0.07, 0.2, 0.34, 0.42]],
    ['coexisting', 'StructMem', [0.25, 0.49, 0.54, 0.6]],
    ['conditional-hard', 'A-MEM', [0.33, 0.35, 0.34, 0.35]],
  ]
  return series.map(([task, system, rates]) => ({
    suite: 'memfail',
    source: 'MemFail, 2026',
    model: 'gpt-4.1-mini',
    system,
    task,
    points: rates.map((rate, i) => ({ k: [5, 10, 15, 20][i]!, n: 100, correct: Math.round(rate * 100), counts: {} })),
  }))
}

function phrase(random: Random, length: number): string {
  return Array.from({ length }, () => random.pick(WORDS)).join(' ')
}

/** Nothing is uncertain here. */
function spreadOf(passed: number, n: number): { ci95: Interval; bounds: Interval } {
  return { ci95: wilson(passed, n), bounds: [passed / n, passed / n] }
}

function wilson(passed: number, n: number): Interval {
  if (n === 0) return [0, 1]
  const z = 1.96
  const rate = passed / n
  const middle = (rate + (z * z) / (2 * n)) / (1 + (z * z) / n)
  const half = (z * Math.sqrt((rate * (1 - rate)) / n + (z * z) / (4 * n * n))) / (1 + (z * z) / n)
  return [Math.max(0, middle - half), Math.min(1, middle + half)]
}
