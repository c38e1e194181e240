import { UserError, unknownName } from '../base/errors.js'

/** Parts of a setting by the word that allows them to differ; others go by their own name. */
const WORDS: readonly [word: string, part: RegExp][] = [
  ['judge', /^(?:fact|answer) judge$/],
  ['reader', /^readers$/],
  ['data', /^data of /],
  ['version', /^version of /],
  ['settings', /^layout$/],
  ['strict', /^lost conversations$/],
]

const PLAIN = ['harness', 'suites', 'view', 'seed', 'size', 'embedder']

/** The word by which a difference in a part of the setting is allowed. */
function partWord(part: string): string {
  return WORDS.find(([, pattern]) => pattern.test(part))?.[0] ?? part
}

/** Parts in which two settings differ, without those that may. */
export function differingParts(
  before: Readonly<Record<string, string>>,
  now: Readonly<Record<string, string>>,
  despite: readonly string[] = [],
): string[] {
  const all = [...new Set([...Object.keys(before), ...Object.keys(now)])]
  return all.filter((part) => before[part] !== now[part] && !despite.includes(partWord(part)))
}

/** Refuses words that allow nothing. */
export function requirePartWords(despite: readonly string[]): void {
  const known = [...PLAIN, ...WORDS.map(([word]) => word)]
  for (const word of despite) if (!known.includes(word)) throw unknownName('part of a setting', word, known)
}

/**
 * Refuses to set numbers of two settings side by side, and says what differs and how to allow it.
 *
 * @throws UserError
 */
export function requireComparable(
  [first, before]: readonly [name: string, setting: Readonly<Record<string, string>>],
  [second, now]: readonly [name: string, setting: Readonly<Record<string, string>>],
  despite: readonly string[],
): void {
  const differing = differingParts(before, now, despite)
  if (differing.length === 0) return
  const lines = differing.map((part) => `  ${part}: ${before[part] ?? 'absent'}, and ${now[part] ?? 'absent'}`)
  throw new UserError(
    `${first} and ${second} were made under different settings:\n${lines.join('\n')}`,
    `What differs between them would be taken for a difference of the memories. If it cannot matter: ${despiteFlag(differing, despite)}`,
  )
}

/** The flag that allows these parts to differ, beside what is allowed already. */
function despiteFlag(parts: readonly string[], despite: readonly string[]): string {
  return `--despite ${[...new Set([...despite, ...parts.map(partWord)])].join(',')}`
}
