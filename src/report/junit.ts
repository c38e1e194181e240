import { entryOf } from '../base/group-by.js'
import { depthKey, type Outcome, subjectKey } from '../model/index.js'
import type { BaselineCheck } from './baseline-gate.js'
import { escapeXml } from './escape.js'
import { clipText, outcomeWords } from './format.js'
import type { QuestionResult } from './report-data.js'
import type { Sink } from './sink.js'

interface TestSuite {
  name: string
  cases: string[]
  failures: number
  errors: number
  skipped?: number
}

const PASSED: ReadonlySet<Outcome> = new Set(['correct', 'answerable'])

/**
 * Writes questions, in any order, as JUnit XML: a test suite for every task × system × k, a test case for every question. A failed question
 * is a `<failure>` whose type is its outcome, and so is a right answer that its suite does not count; one that could not be measured is an
 * `<error>`. Tasks that were held against a baseline are cases of a suite of their own; what cannot be told there is skipped.
 */
export async function writeJunit(
  questions: Iterable<QuestionResult>,
  write: Sink,
  baseline: readonly BaselineCheck[] = [],
): Promise<void> {
  const suites = new Map<string, TestSuite>()
  for (const question of questions) {
    const name = `${question.suite}/${question.task}:${subjectKey(question.subject)}${question.depth === 'all' ? '' : `@${depthKey(question.depth)}`}`
    const suite = entryOf(suites, name, () => ({ name, cases: [], failures: 0, errors: 0 }))
    suite.cases.push(testcase(question, name))
    if (question.outcome === 'error') suite.errors++
    else if (!PASSED.has(question.outcome) || question.uncounted) suite.failures++
  }
  const all = [...suites.values(), ...(baseline.length > 0 ? [baselineSuite(baseline)] : [])]
  const total = (of: (suite: TestSuite) => number) => all.reduce((sum, suite) => sum + of(suite), 0)
  await write('<?xml version="1.0" encoding="UTF-8"?>\n')
  const counts = `tests="${total((s) => s.cases.length)}" failures="${total((s) => s.failures)}" errors="${total((s) => s.errors)}"`
  await write(`<testsuites name="memscope" ${counts} time="0.000">\n`)
  for (const suite of all) {
    const { name, cases, failures, errors, skipped = 0 } = suite
    const counts = `tests="${cases.length}" failures="${failures}" errors="${errors}" skipped="${skipped}" time="0.000"`
    await write(`<testsuite name="${escapeXml(name)}" ${counts}>\n${cases.join('')}</testsuite>\n`)
  }
  await write('</testsuites>\n')
}

function baselineSuite(checks: readonly BaselineCheck[]): TestSuite {
  const cases = checks.map(({ name, state, failed, message }) => {
    const open = `<testcase classname="baseline" name="${escapeXml(name)}" time="0.000"`
    const words = escapeXml(message)
    if (state === 'held') return `${open}/>\n`
    if (!failed) return `${open}><skipped message="${words}"/></testcase>\n`
    return `${open}><failure type="${state}" message="${words}">${words}</failure></testcase>\n`
  })
  const failures = checks.filter(({ failed }) => failed).length
  const skipped = checks.filter(({ state, failed }) => state !== 'held' && !failed).length
  return { name: 'baseline', cases, failures, errors: 0, skipped }
}

function testcase(question: QuestionResult, suite: string): string {
  const { scenario, id, text, outcome, uncounted } = question
  const name = `${scenario === undefined ? '' : `${scenario} `}${id} ${clipText(text.replace(/\s+/g, ' '), 120)}`
  const open = `<testcase classname="${escapeXml(suite)}" name="${escapeXml(name)}" time="0.000"`
  if (PASSED.has(outcome) && !uncounted) return `${open}/>\n`
  const tag = outcome === 'error' ? 'error' : 'failure'
  const message = uncounted?.why ?? question.message
  const type = escapeXml(uncounted?.name ?? outcome)
  const short = escapeXml(clipText(message || outcomeWords(outcome), 300))
  return `${open}><${tag} type="${type}" message="${short}">${escapeXml(message)}</${tag}></testcase>\n`
}
