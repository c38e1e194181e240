import { UserError } from '../../base/errors.js'
import { readOptionsOf, valuesOf } from '../../base/spec-options.js'
import { TASK_EXAMPLE } from '../../builtins.js'
import type { Sink } from '../../report/sink.js'
import type { Several } from '../types.js'
import { ofCall } from './setting.js'
import { listOf } from './values.js'

/** Where results go. */
export const RESULTS = {
  /** The summary. */
  json: ofCall<string | Sink>()({
    type: 'text',
    value: '<file|->',
    about: 'write the summary as JSON',
    read: (given) => given,
  }),
  /** A file; with `true` one in the home. */
  html: ofCall<string | true>()({
    type: 'text',
    value: '<file>',
    about: 'write the report as one HTML page',
    read: (given) => given,
  }),
  /** The tables. */
  md: ofCall<string | Sink>()({
    type: 'text',
    value: '<file|->',
    about: 'write the tables as Markdown',
    read: (given) => given,
  }),
  /** One line a cell. */
  csv: ofCall<string | Sink>()({
    type: 'text',
    value: '<file|->',
    about: 'write one line a cell as CSV',
    read: (given) => given,
  }),
  /** Every question as a JUnit test case. */
  junit: ofCall<string | Sink>()({
    type: 'text',
    value: '<file|->',
    about: 'write every question as a JUnit test case',
    read: (given) => given,
  }),
} as const

/** What only a run that is there already is written as. */
export const KEPT_RESULTS = {
  /** A badge: SVG in a file that ends so, else JSON for the endpoint of shields.io. */
  badge: ofCall<string | Sink>()({
    type: 'text',
    value: '<file|->',
    about: 'write a badge: SVG, or JSON for shields.io unless the file ends in .svg',
    read: (given) => given,
  }),
  /** A folder for the viewer with the run inside, which opens from a disk and from any static host. */
  bundle: ofCall<string>()({
    type: 'text',
    value: '<folder>',
    about: 'write the viewer with this run inside, for a disk or any static host',
    read: (given) => given,
  }),
  /** A name or file under which this run is kept as a baseline. */
  saveBaseline: ofCall<string>()({
    type: 'text',
    value: '<name|file>',
    about: 'keep this run as a baseline',
    read: (given) => given,
  }),
} as const

/** What fails a run that was measured. */
export const GATES = {
  /** A gate, such as `evidence>=0.8`; `gate` of the result says whether it holds. */
  failUnder: ofCall<string>()({
    type: 'text',
    value: '<expr>',
    about: `exit 1 below a bound: "evidence>=0.8; ${TASK_EXAMPLE}:bm25@5.evidence.low>=0.3"`,
    read: (given) => given,
  }),
  /** A run, the name of a baseline that was kept, or the file of one; `baseline` of the result says whether this run stands. */
  baseline: ofCall<string | BaselineSpec>()({
    type: 'text',
    value: '<run|name|file>',
    about:
      'exit 1 when a task is worse than in this run, by test or by more than :max-loss=5 points; :undecided=fail when that is neither found nor ruled out; :despite=harness+judge compares although these parts of the setting differ',
    read: baselineFrom,
  }),
} as const

/** A run that others are held against. */
export interface BaselineSpec {
  run: string
  /** Points that a task may lose at most, whether by chance or not; 5 unless given. */
  maxLoss?: number
  /** What becomes of it when a loss can be neither found nor ruled out: `pass` unless given. */
  undecided?: 'pass' | 'fail'
  /** Parts of the setting that may differ: `harness`, `judge`, … */
  despite?: Several<string>
}

/** Points that a task may lose unless told otherwise. */
const MAX_LOSS = 5

/** A baseline as it is asked for, checked; `maxLoss` as a share. */
function baselineFrom(given: string | BaselineSpec) {
  const { run, maxLoss = MAX_LOSS, undecided = 'pass', despite } = typeof given === 'string' ? optionsIn(given) : given
  const loss = Number(maxLoss)
  if (String(maxLoss).trim() === '' || !(loss >= 0 && loss <= 100))
    throw new UserError(`Expected max-loss of --baseline to be points from 0 to 100, got "${maxLoss}".`)
  if (undecided !== 'pass' && undecided !== 'fail')
    throw new UserError(`Expected undecided of --baseline to be pass or fail, got "${undecided}".`)
  return { run, maxLoss: loss / 100, undecided, despite: listOf<string>(despite) ?? [] } as const
}

function optionsIn(typed: string): { run: string; maxLoss?: string; undecided?: string; despite?: string[] } {
  const { name, options } = readOptionsOf('a baseline', typed, ['max-loss', 'undecided', 'despite'])
  const { 'max-loss': maxLoss, undecided, despite } = options
  return {
    run: name,
    ...(maxLoss !== undefined && { maxLoss }),
    ...(undecided !== undefined && { undecided }),
    ...(despite !== undefined && { despite: valuesOf(despite) }),
  }
}
