import { join } from 'node:path'
import { root } from './cli.js'

/** A run of a moment, over which the commands below work as `last`. */
export const QUICK = ['--suite', 'memfail/long-hop', '--system', 'bm25', '--size', '6', '--k', '1,5']

const mute = join(root, 'test/fixtures/mute-memory.mjs')

/** Every command, with the exit code it has in a folder where {@link QUICK} was run, whether anybody reads what it writes or not. */
export const COMMANDS: readonly [code: 0 | 1 | 2, ...args: string[]][] = [
  [0, '--help'],
  [0, '--version'],
  [0, 'run', '--help'],
  [0, 'systems'],
  [0, 'systems', '--json'],
  [0, 'suites'],
  [0, 'suites', '--json'],
  [0, 'models'],
  [0, 'runs'],
  [0, 'run', ...QUICK],
  [0, 'run', ...QUICK, '--json', '-'],
  [1, 'run', ...QUICK, '--fail-under', 'evidence>=1'],
  [0, 'run', '--estimate', ...QUICK],
  [0, 'report', 'last'],
  [0, 'report', 'last', '--md', '-'],
  [0, 'report', 'last', '--csv', '-'],
  [0, 'report', 'last', '--json', '-'],
  [0, 'report', 'last', '--junit', '-'],
  [0, 'compare', 'last', 'last'],
  [0, 'compare', 'last', 'last', '--json', '-'],
  [2, 'compare', 'last'],
  [0, 'explain', 'last'],
  [0, 'explain', 'last', '--json', '-'],
  [0, 'rejudge', 'last', '--judge', 'lexical'],
  [2, 'reanswer', 'last'],
  [0, 'check', 'bm25'],
  [1, 'check', mute],
  [0, 'judge', 'bill', '--size', '4'],
  [0, 'judge', 'sample', 'last', '--out', 'unread.jsonl'],
  [0, 'data', 'list'],
  [0, 'data', 'lint', '--suite', 'memfail/long-hop'],
  [0, 'data', 'generate', '--suite', 'memfail/long-hop', '--n', '100000', '--out', '-'],
  [0, 'data', 'export', '--suite', 'memora', '--n', '2', '--out', '-'],
  [0, 'data', 'export', '--for-scoring', '--out', '-'],
  [2, 'data', 'lint', '--data', 'nowhere'],
  [2, 'score', 'nowhere'],
]
