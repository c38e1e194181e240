import { UserError, unknownName } from '../../base/errors.js'
import { part, type SettingFacts, type SettingPart } from './setting.js'
import { REQUEST_SETTINGS } from './table.js'

/** What a fingerprint holds besides what was asked for. */
const HARNESS = part('harness', ({ harness }) => harness)

const PARTS: readonly SettingPart[] = [...REQUEST_SETTINGS.flatMap(([, { parts = [] }]) => parts), HARNESS]

/** The parts of a setting by their names. Runs whose parts are equal can be compared. */
export function settingParts(facts: SettingFacts): Record<string, string> {
  return Object.assign({}, ...PARTS.map((one) => one.of(facts)))
}

/** Parts of a setting for reports, without those that a choice tells. */
export function partsTold(parts: Readonly<Record<string, string>>): { label: string; value: string }[] {
  return Object.entries(parts).flatMap(([name, value]) => {
    const { label = name } = PARTS.find((one) => one.isPart(name)) ?? {}
    return label === null ? [] : [{ label, value }]
  })
}

/** The word by which a difference in a part of the setting is allowed. */
function partWord(name: string): string {
  return PARTS.find((one) => one.isPart(name))?.word ?? name
}

/** Parts in which two settings differ, without those that may. */
function differingParts(
  before: Readonly<Record<string, string>>,
  now: Readonly<Record<string, string>>,
  despite: readonly string[] = [],
): string[] {
  const all = [...new Set([...Object.keys(before), ...Object.keys(now)])]
  return all.filter((name) => before[name] !== now[name] && !despite.includes(partWord(name)))
}

/** Refuses words that allow nothing. */
export function requirePartWords(despite: readonly string[]): void {
  const known = [...new Set(PARTS.map(({ word }) => word))]
  for (const word of despite) if (!known.includes(word)) throw unknownName('part of a setting', word, known)
}

/** Throws when two settings differ, and says in what. */
export function requireSameSetting(before: Record<string, string>, now: Record<string, string>, what: string): void {
  const differing = differingParts(before, now).map(
    (name) => `  ${name}: was ${before[name] ?? 'absent'}, now ${now[name] ?? 'absent'}`,
  )
  if (differing.length === 0) return
  throw new UserError(
    `${what} was made under another setting:\n${differing.join('\n')}`,
    'Start a new run, or put back what changed. Only k, trials and limits may grow.',
  )
}

/**
 * Refuses to set numbers of two settings side by side, and says what differs and how to allow it.
 *
 * @param allowing what is typed to allow parts to differ, by their words
 * @throws UserError
 */
export function requireComparable(
  [first, before]: readonly [name: string, setting: Readonly<Record<string, string>>],
  [second, now]: readonly [name: string, setting: Readonly<Record<string, string>>],
  despite: readonly string[],
  allowing = (words: readonly string[]) => `--despite ${words.join(',')}`,
): void {
  const differing = differingParts(before, now, despite)
  if (differing.length === 0) return
  const lines = differing.map((name) => `  ${name}: ${before[name] ?? 'absent'}, and ${now[name] ?? 'absent'}`)
  const words = [...new Set([...despite, ...differing.map(partWord)])]
  throw new UserError(
    `${first} and ${second} were made under different settings:\n${lines.join('\n')}`,
    `What differs between them would be taken for a difference of the memories. If it cannot matter: ${allowing(words)}`,
  )
}
