import { columnsOf, wrap } from './columns.js'
import { escapeForTerminal } from './escape.js'

/** How a run is named on the command line: by its id or `last`, in a home of its own where it has one. */
export interface TypedRun {
  run: string
  home?: string | undefined
  /** It is in a store that was named: its address may hold what is secret. */
  shared?: boolean
}

/** A command that shows a run, as it is typed. @example showCommand({ run: 'last' }, ['--failed']) // memscope show last --failed */
export function showCommand({ run, home, shared }: TypedRun, more: readonly string[] = []): string {
  const place = home === undefined ? [] : ['--home', home]
  const typed = ['memscope', 'show', run, ...more, ...place].map(shellWord)
  return [...typed, ...(shared ? ['--store …'] : [])].join(' ')
}

/** A command behind a word, in lines that a shell still takes as one command. */
export function commandLines(before: string, command: string, width: number): string[] {
  if (columnsOf(`${before} ${command}`) <= width) return [`${before} ${command}`]
  const lines = wrap(command, width - 4)
  return [before, ...lines.map((line, at) => `  ${line}${at < lines.length - 1 ? ' \\' : ''}`)]
}

function shellWord(word: string): string {
  const plain = escapeForTerminal(word)
  return /^[\w./:@=,+-]+$/.test(plain) ? plain : `'${plain.replaceAll("'", "'\\''")}'`
}
