import { suggest, UserError } from '../base/errors.js'
import type { Cell, Interval, Summary } from '../model/index.js'
import { depthKey, FAILURES, isGuess, OUTCOMES, scoreName, systemName } from '../model/index.js'
import { count, plural } from './format.js'

/** What a gate decided. `failed` also stands for a run that cannot be judged. */
export interface GateResult {
  ok: boolean
  status: 'passed' | 'failed'
  /** One line. */
  title: string
  /** The cells that fell short, one a line, twenty at most. */
  message: string
}

interface Condition {
  source: string
  selector: { suite?: string; task?: string; place?: string; system?: string; depth?: string }
  metric: string
  bound: Bound | null
  operator: keyof typeof HOLDS
  limit: number
}

/** What a selector goes by; cells of a plan and of a summary alike. */
type Selected = Pick<Cell, 'suite' | 'task' | 'subject' | 'depth'>

/** A cell that a run will have, as far as a gate can speak of it before. */
export interface PlannedCell extends Selected {
  /** Something answers, so that there are answers to be right or wrong. */
  answered: boolean
  /** Names of scores it may have; of a part of the questions as `name[subset]`. */
  scores: readonly string[]
}

const HOLDS = {
  '>=': (value: number, limit: number) => value >= limit,
  '<=': (value: number, limit: number) => value <= limit,
  '>': (value: number, limit: number) => value > limit,
  '<': (value: number, limit: number) => value < limit,
}

/** An end of the 95 % interval, or of what uncertain verdicts allow. */
type Bound = 'low' | 'high' | 'worst' | 'best'

type Reading = { value: number; ci95?: Interval; bounds?: Interval } | null

const share = (part: number, whole: number, bounds?: Interval | null): Reading => {
  if (whole === 0) return null
  return { value: part / whole, ...(bounds && { bounds: [bounds[0] / whole, bounds[1] / whole] }) }
}

/** Questions with an outcome other than `error`. */
function decided({ outcomes }: Cell): number {
  return OUTCOMES.reduce((sum, outcome) => sum + (outcome === 'error' ? 0 : (outcomes[outcome] ?? 0)), 0)
}

const METRICS: Record<string, (cell: Cell) => Reading> = {
  evidence: ({ evidence: e }) => (e && e.n > 0 ? { value: e.rate, ci95: e.ci95, bounds: e.bounds } : null),
  answer: ({ answer: a }) => (a ? { value: a.accuracy, ci95: a.ci95, bounds: a.bounds } : null),
  stored: ({ facts }) => (facts.stored === null ? null : share(facts.stored, facts.n, facts.bounds.stored)),
  faithful: ({ facts }) => (facts.faithful === null ? null : share(facts.faithful, facts.n, facts.bounds.faithful)),
  retrieved: ({ facts }) => share(facts.retrieved, facts.n, facts.bounds.retrieved),
  errors: ({ errors, n }) => share(errors, n),
  lost: ({ conversations: { n, lost } }) => share(lost, n),
  noise: ({ noise }) => (noise ? { value: noise.tokens } : null),
  tempting: ({ tempting }) => (tempting ? share(tempting.retrieved, tempting.n) : null),
  cost: ({ cost }) => (cost === null ? null : { value: cost }),
  ...Object.fromEntries(
    OUTCOMES.filter((outcome) => outcome !== 'error').map((outcome) => [
      outcome,
      (cell: Cell) => share(cell.outcomes[outcome] ?? 0, decided(cell)),
    ]),
  ),
}

/**
 * Decides `--fail-under`. An expression is one or more conditions, separated by `;` or `,`, all of which must hold:
 *
 * ```
 * condition = [ selector "." ] metric [ ".low" | ".high" | ".worst" | ".best" ] ( ">=" | "<=" | ">" | "<" ) number [ "%" ]
 * selector  = [ suite | task | suite "/" task ] [ ":" system ] [ "@" ( k | tokens "t" | "fixed" ) ]
 * metric    = evidence | answer | stored | faithful | retrieved | errors | lost | noise | tempting | cost | an outcome
 *           | score "." name [ "[" subset "]" ]
 * ```
 *
 * A condition speaks of every cell its selector matches (each trial by itself), and all of them must meet it. Guessers are left out
 * unless named (`:guess:always-no`). `.low` and `.high` are the ends of the 95 % interval, `.worst` and `.best` what the number would be if
 * every uncertain verdict went one way. Questions that could not be measured count as failed. What passes or fails only by such verdicts is told. A cell without the number fails, and so does
 * every gate on a run that is invalid or partial.
 *
 * @example evaluateGate(summary, 'suite/task:bm25@5.evidence>=0.4; answer.low>=0.5')
 */
export function evaluateGate(summary: Summary, expression: string): GateResult {
  const scores = [...new Set(summary.cells.flatMap((cell) => cell.scores.map(scoreName)))].sort()
  const conditions = conditionsOf(expression, scores)
  const checks = conditions.map((condition) => check(condition, summary))
  const { status } = summary
  if (status !== 'valid')
    return failed(`Gate failed: the run is ${status}`, `A run that is ${status} cannot pass a gate.`)
  const misses = checks.flatMap((result) => result.misses)
  const cells = checks.reduce((sum, result) => sum + result.cells, 0)
  const open = checks.flatMap((result) => result.hanging)
  const unsure = open.length > 0 ? `; ${plural(open.length, 'check')} could turn by uncertain verdicts` : ''
  if (misses.length > 0)
    return failed(
      `Gate failed: ${count(misses.length)} of ${plural(cells, 'check')}${unsure}`,
      firstLines([...misses, ...open]),
    )
  const message = [conditions.map(({ source }) => source).join('; '), ...(open.length > 0 ? [firstLines(open)] : [])]
  return {
    ok: true,
    status: 'passed',
    title: `Gate passed: ${plural(cells, 'check')}${unsure}`,
    message: message.join('\n'),
  }
}

/**
 * Reads a gate before anything is run, so that a mistake in it does not cost the run: what cannot be read, a bound that no rate can reach,
 * and conditions on what will not be there are refused.
 */
export function requireGate(expression: string, planned: readonly PlannedCell[]): void {
  const scores = [...new Set(planned.flatMap((cell) => cell.scores))].sort()
  for (const condition of conditionsOf(expression, scores)) {
    const { metric, source } = condition
    const cells = matching(condition, planned)
    if ((metric === 'answer' || metric === 'correct') && !cells.some(({ answered }) => answered))
      throw new UserError(
        `"${source}" is about answers, and nothing answers.`,
        'Name what reads the memories with --reader provider:model, or ask for evidence instead.',
      )
    const score = scoreIn(metric)
    if (score !== null && !cells.some((cell) => cell.scores.some((known) => isPartOf(score, known)))) {
      const own = [...new Set(cells.flatMap((cell) => cell.scores))].sort()
      throw new UserError(
        `"${source}" matches no cell that has a score "${score}".`,
        `Scores there: ${own.join(', ') || 'none'}.`,
      )
    }
  }
}

/** What has an interval, and what uncertain verdicts can move. */
const SAMPLED: readonly string[] = ['evidence', 'answer']
const JUDGED: readonly string[] = [...SAMPLED, 'stored', 'faithful', 'retrieved']

function conditionsOf(expression: string, scores: readonly string[]): Condition[] {
  const sources = expression
    .split(/[;,]/)
    .map((source) => source.trim())
    .filter(Boolean)
  if (sources.length === 0) throw new UserError('The gate is empty.', 'Write for example --fail-under "evidence>=0.8".')
  return sources.map((source) => parse(source, scores))
}

function failed(title: string, message: string): GateResult {
  return { ok: false, status: 'failed', title, message }
}

const LINES = 20

/** As many lines as a message has room for, and how many more there are. */
export function firstLines(lines: readonly string[]): string {
  const more = lines.length - LINES
  return [...lines.slice(0, LINES), ...(more > 0 ? [`and ${count(more)} more`] : [])].join('\n')
}

function parse(source: string, scores: readonly string[]): Condition {
  // Options of systems hold "=", so the comparison is the last one.
  const parts = /^(.*[^<>=\s])\s*(>=|<=|>|<)\s*(-?\d*\.?\d+(?:e-?\d+)?)(\s*%)?$/i.exec(source)
  if (!parts)
    throw new UserError(
      `Expected a condition such as "evidence>=0.8", got "${source}".`,
      'A condition is [suite/task:system@k.]metric, one of >= <= > <, and a number: "suite/task@5.evidence.low>=0.3".',
    )
  const [, left, operator, number, percentSign] = parts
  const known = [...Object.keys(METRICS), ...scores.map((name) => `score.${name}`)]
  const bounded = /^(.*)\.(low|high|worst|best)$/.exec(left!)
  const path = bounded ? bounded[1]! : left!
  const metric =
    known.filter((name) => path === name || path.endsWith(`.${name}`)).sort((a, b) => b.length - a.length)[0] ??
    partialScore(path, scores)
  if (!metric) {
    const typed = path.split('.').at(-1)!
    const near = suggest(typed, known)
    throw new UserError(
      `There is no metric "${typed}" in "${source}".`,
      `${near ? `Did you mean "${near}"? ` : ''}Known: ${known.join(', ')}.`,
    )
  }
  // Which score stands for the answer is known with the cells.
  const bound = (bounded?.[2] ?? null) as Bound | null
  const hasBound = bound === 'worst' || bound === 'best' ? JUDGED.includes(metric) : SAMPLED.includes(metric)
  if (bound !== null && scoreIn(metric) === null && !hasBound) throw withoutInterval(metric, source)
  const limit = Number(number) / (percentSign ? 100 : 1)
  refuseBound(metric, limit, percentSign !== undefined, source)
  return {
    source,
    selector: selector(path === metric ? '' : path.slice(0, -metric.length - 1), source),
    metric,
    bound,
    operator: operator as Condition['operator'],
    limit,
  }
}

function withoutInterval(metric: string, source: string): UserError {
  return new UserError(
    `"${metric}" has no interval, so "${source}" has no meaning.`,
    'Only evidence, answer and the score that stands for it have .low and .high; .worst and .best are for what rests on verdicts.',
  )
}

/** A score of a part of the questions: its name begins with that of one of all. */
function partialScore(path: string, scores: readonly string[]): string | undefined {
  const [, name] = /(?:^|\.)score\.([^[]+(?:\[.*\])?)$/.exec(path) ?? []
  return name !== undefined && scores.some((known) => isPartOf(name, known)) ? `score.${name}` : undefined
}

function isPartOf(score: string, known: string): boolean {
  return score === known || score.startsWith(`${known}[`)
}

function scoreIn(metric: string): string | null {
  return metric.startsWith('score.') ? metric.slice('score.'.length) : null
}

/** Refuses a bound that the metric can never lie on both sides of. Suites may have scores of any size. */
function refuseBound(metric: string, limit: number, isShare: boolean, source: string): void {
  if (scoreIn(metric) !== null) return
  // What is counted is not a share of anything.
  const isCount = metric === 'cost'
  if (isCount && (isShare || limit < 0))
    throw new UserError(`"${metric}" is no share, so "${source}" has no meaning.`, 'Write a number from 0 up.')
  if (isCount || (limit >= 0 && limit <= 1)) return
  const near = !isShare && limit > 1 && limit <= 100 ? ` ${limit} % is written ${limit}% or ${limit / 100}.` : ''
  throw new UserError(
    `"${metric}" is a rate from 0 to 1, so "${source}" has no meaning.`,
    `Write a number from 0 to 1, or one from 0 to 100 with %.${near}`,
  )
}

function selector(text: string, source: string): Condition['selector'] {
  const parts = /^([^:@/]*)(?:\/([^:@]+))?(?::(.+?))?(?:@(\d+t?|fixed))?$/.exec(text)
  if (!parts)
    throw new UserError(
      `"${text}" in "${source}" is not a selector.`,
      'Expected suite/task:system@depth, any part of which may be left out; a depth is 5 memories (@5), tokens of context (@1000t) or @fixed.',
    )
  const [, head, task, system, depth] = parts
  return {
    ...(task === undefined ? (head ? { place: head } : {}) : { task, ...(head ? { suite: head } : {}) }),
    ...(system === undefined ? {} : { system }),
    ...(depth === undefined ? {} : { depth: depth === 'fixed' ? depth : depth.replace(/^0+(?=\d)/, '') }),
  }
}

function matches(cell: Selected, { suite, task, place, system, depth }: Condition['selector']): boolean {
  return (
    (suite === undefined || cell.suite === suite) &&
    (task === undefined || cell.task === task) &&
    (place === undefined || cell.suite === place || cell.task === place) &&
    (system === undefined ? !isGuess(cell.subject) : systemName(cell.subject) === system) &&
    (depth === undefined || depthIn(cell) === depth)
  )
}

/** A depth as gates write it. */
function depthIn({ depth }: Selected): string {
  return depth === 'all' ? 'fixed' : depthKey(depth)
}

function matching<C extends Selected>({ selector, source }: Condition, all: readonly C[]): C[] {
  const cells = all.filter((cell) => matches(cell, selector))
  if (cells.length > 0) return cells
  const names = (of: (cell: C) => string) => [...new Set(all.map(of))].join(', ') || 'none'
  throw new UserError(
    `"${source}" matches no cell of this run.`,
    `Tasks: ${names((c) => `${c.suite}/${c.task}`)}. Systems: ${names((c) => systemName(c.subject))}. Depths: ${names(depthIn)}.`,
  )
}

interface Checked {
  cells: number
  misses: string[]
  /** Checks whose result uncertain verdicts could turn. */
  hanging: string[]
}

function check(condition: Condition, summary: Summary): Checked {
  const cells = matching(condition, summary.cells)
  const name = scoreIn(condition.metric)
  const isSampled = condition.bound === 'low' || condition.bound === 'high'
  if (isSampled && name !== null && !cells.some(({ answerScore }) => answerScore?.score === name))
    throw withoutInterval(condition.metric, condition.source)
  return {
    cells: cells.length,
    misses: cells.flatMap((cell) => miss(cell, condition)),
    hanging: cells.flatMap((cell) => hanging(cell, condition)),
  }
}

function readingOf(cell: Cell, metric: string): Reading {
  const named = scoreIn(metric)
  return named !== null ? score(cell, named) : METRICS[metric]!(cell)
}

function endOf(reading: Reading, bound: Bound | null): number | undefined {
  if (!reading || bound === null) return reading?.value
  if (bound === 'low' || bound === 'high') return reading.ci95?.[bound === 'low' ? 0 : 1]
  return reading.bounds?.[bound === 'worst' ? 0 : 1] ?? reading.value
}

function nameOf(cell: Cell): string {
  const trial = cell.trial > 0 ? ` (trial ${cell.trial})` : ''
  return `${cell.suite}/${cell.task}:${systemName(cell.subject)}@${depthIn(cell)}${trial}`
}

function miss(cell: Cell, { metric, bound, operator, limit, source }: Condition): string[] {
  const end = endOf(readingOf(cell, metric), bound)
  // The lower bound counts them already.
  const value = bound === 'worst' ? end : cautious(end, cell, { metric, operator })
  const name = nameOf(cell)
  if (value === undefined || !Number.isFinite(value)) return [`${name}: ${metric} was not measured, wanted ${source}`]
  if (HOLDS[operator](value, limit)) return []
  return [`${name}: ${metric}${bound ? `.${bound}` : ''} is ${Number(value.toFixed(4))}, wanted ${operator} ${limit}`]
}

/**
 * A number as a gate takes it: what could not be measured counts as failed, so that no gate is passed by leaving questions out. What is to stay
 * below a limit is taken as if all of these had gone there.
 */
function cautious(
  value: number | undefined,
  { n, errors }: Cell,
  { metric, operator }: Pick<Condition, 'metric' | 'operator'>,
): number | undefined {
  if (value === undefined || errors === 0 || AS_COUNTED.includes(metric)) return value
  const measured = (n - errors) / n
  if (operator === '>=' || operator === '>') return value > 0 ? value * measured : value
  return FAILURES.some((failure) => failure === metric) ? value * measured + errors / n : value
}

/** What errors leave as it is. */
const AS_COUNTED: readonly string[] = ['errors', 'lost', 'cost', 'noise', 'tempting']

function hanging(cell: Cell, { metric, bound, operator, limit }: Condition): string[] {
  const reading = readingOf(cell, metric)
  if (bound !== null || !reading?.bounds) return []
  const [low, high] = reading.bounds
  const holds = HOLDS[operator](reading.value, limit)
  if (HOLDS[operator](low, limit) === holds && HOLDS[operator](high, limit) === holds) return []
  const ends = [low, high].map((end) => Number(end.toFixed(4))).join(' to ')
  return [`${nameOf(cell)}: ${metric} could be ${ends} by what is uncertain, and ${operator} ${limit} hangs on it`]
}

function score(cell: Cell, name: string): Reading {
  const found = cell.scores.find((one) => scoreName(one) === name)
  const value = found?.value ?? null
  if (value === null) return null
  const bounds = found?.bounds && { bounds: found.bounds }
  return { value, ...bounds, ...(cell.answerScore?.score === name && { ci95: cell.answerScore.ci95 }) }
}
