import { UserError, unknownName } from '../base/errors.js'
import { subjectKey } from '../model/identity.js'
import { type ComparableRun, type ComparedContestant, NO_READER } from './comparable.js'

/** Who is compared with whom, by their places in the runs; and who has nobody. */
export interface ContestantPairs {
  pairs: [a: number, b: number][]
  /** Each in a sentence. */
  alone: string[]
}

/** A contestant as people read it. */
export function contestantWords(one: ComparedContestant): string {
  return `${subjectKey(one)}${one.reader === NO_READER ? '' : `, read by ${one.reader}`}`
}

/** Pairs the systems that two runs share. If they share none and each has one, these are paired. @throws UserError if nothing can be paired */
export function pairRuns(a: ComparableRun, b: ComparableRun): ContestantPairs {
  const systems = (run: ComparableRun) => [...new Set(run.contestants.map(({ system }) => system))]
  const [first, second] = [systems(a), systems(b)]
  const common = first.filter((system) => second.includes(system))
  if (common.length === 0 && first.length === 1 && second.length === 1)
    return pairSystems([a, first[0]!], [b, second[0]!])
  if (common.length === 0)
    throw new UserError(
      `${a.run} and ${b.run} have no system in common: ${first.join(', ')}; and ${second.join(', ')}.`,
      'Name one of each: --systems a,b',
    )
  const all = common.map((system) => pairSystems([a, system], [b, system]))
  const alone = [
    ...first.filter((system) => !common.includes(system)).map((system) => `${system} is only in ${a.run}.`),
    ...second.filter((system) => !common.includes(system)).map((system) => `${system} is only in ${b.run}.`),
  ]
  return { pairs: all.flatMap(({ pairs }) => pairs), alone: [...all.flatMap((one) => one.alone), ...alone] }
}

/** A system of one run with a system of another, or of the same: by model and reader where there are several. */
export function pairSystems(
  [a, first]: readonly [ComparableRun, string],
  [b, second]: readonly [ComparableRun, string],
): ContestantPairs {
  const theirs = named(b, second)
  const found: ContestantPairs = { pairs: [], alone: [] }
  for (const at of named(a, first)) {
    const one = a.contestants[at]!
    const alike = (of: (who: ComparedContestant) => unknown, places: number[]) => {
      const same = places.filter((place) => of(b.contestants[place]!) === of(one))
      return same.length > 0 ? same : places
    }
    const [other, ...more] = alike(
      ({ model }) => model,
      alike(({ reader }) => reader, theirs),
    )
    if (more.length === 0) found.pairs.push([at, other!])
    else found.alone.push(`${contestantWords(one)} of ${a.run} could be compared with several of ${b.run}.`)
  }
  return found
}

function named(run: ComparableRun, name: string): number[] {
  const places = run.contestants.flatMap((one, at) => (one.system === name || subjectKey(one) === name ? [at] : []))
  if (places.length > 0) return places
  throw unknownName(`system in ${run.run}`, name, [...new Set(run.contestants.map(({ system }) => system))])
}
