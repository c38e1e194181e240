import { COMMON, type Command, type Flag, type Flags } from './args.js'

/** Columns of help: those of the smallest terminal that is common. */
const WIDTH = 80

/** Most columns of the flags beside which their words stand; longer flags get a line of their own. */
const MOST_BESIDE = 26

/** The help of a command, as text. */
export function helpOf(command: Command, word = ''): string {
  const { about, usage, flags, groups = {}, examples = [] } = command.partOf?.(word) ?? command
  const grouped = Object.values(groups).flatMap((group) => Object.keys(group))
  const all = Object.entries({ ...flags, ...COMMON })
  const others = Object.fromEntries(all.filter(([name]) => !grouped.includes(name)))
  const sections: [string, Flags][] = [
    ...Object.entries(groups),
    [grouped.length > 0 ? 'Besides' : 'Flags', others] as [string, Flags],
  ]
  const lines = [
    ...wrapped(about, 0),
    '',
    ...wrapped(`Usage: memscope ${usage}`, 0, 2),
    ...sections.flatMap(([heading, section]) => ['', `${heading}:`, ...flagLines(section)]),
  ]
  if (examples.length > 0) lines.push('', 'Examples:', ...examples.flatMap((example) => exampleLines(example)))
  return `${lines.join('\n')}\n`
}

/** Rows of two columns, the second wrapped. */
export function twoColumns(rows: readonly (readonly [left: string, right: string])[], most = MOST_BESIDE): string[] {
  const width = Math.min(most, Math.max(...rows.map(([left]) => left.length)))
  return rows.flatMap(([left, right]) => {
    const beside = wrapped(right, width + 4)
    if (left.length > width) return [`  ${left}`, ...beside]
    return [`  ${left.padEnd(width)}  ${beside[0]!.trimStart()}`, ...beside.slice(1)]
  })
}

function flagLines(flags: Flags): string[] {
  return twoColumns(
    Object.entries(flags).map(([name, flag]) => [`--${name}${flag.value ? ` ${flag.value}` : ''}`, wordsOf(flag)]),
  )
}

function wordsOf({ about, usual }: Flag): string {
  return usual === undefined ? about : `${about} (default ${usual})`
}

/** Lines of at most 80 columns, indented; a word that is longer alone keeps its line. */
export function wrapped(text: string, indent: number, next = indent, width = WIDTH): string[] {
  const lines: string[] = []
  let line = ' '.repeat(indent)
  let isEmpty = true
  for (const word of text.split(' ')) {
    if (!isEmpty && line.length + 1 + word.length > width) {
      lines.push(line)
      line = ' '.repeat(next)
      isEmpty = true
    }
    line += isEmpty ? word : ` ${word}`
    isEmpty = false
  }
  return [...lines, line]
}

/** A command that is too long goes on in the next line, as a shell reads it. */
function exampleLines(example: string): string[] {
  const lines = wrapped(example, 2, 6, WIDTH - 2)
  return lines.map((line, at) => (at < lines.length - 1 ? `${line} \\` : line))
}
