import { type Maker, OutOfBudget } from './maker.js'

/** Most that is asked for at a time: so much is lost when the money is spent, and known before the next is asked for. */
const PORTION = 40
/** Rounds in a row that may bring nothing. */
const IDLE_ROUNDS = 3
/** Least share of what is asked for that is taken to come through. */
const LEAST_ACCEPTED = 0.2

/** How a dataset is filled. */
export interface Filling<S, R> {
  /** What each row is to be, such as its answer or its number of hops: as many as rows are wanted. */
  strata: readonly string[]
  /** What is asked for at a place, for a stratum. Places go on from round to round. */
  spec(place: number, stratum: string): S
  /** Makes rows; those that did not come through are left out. `kept` are those of rounds before, which they must go with. */
  make(specs: S[], kept: readonly R[]): Promise<R[]>
  stratumOf(row: R): string
}

/**
 * Asks for rows, a portion at a time, until every stratum has what it should, or the money is spent, or nothing more comes. What people
 * rejected is dropped once all is there, so that the rest is the same as without.
 */
export async function fill<S, R extends { id: string }>(maker: Maker, filling: Filling<S, R>): Promise<R[]> {
  const { strata, spec, make, stratumOf } = filling
  const { funnel, making } = maker
  let place = 0
  let made = 0
  let idle = 0
  let kept: R[] = []
  let isReviewed = making.rejected.size === 0
  while (idle < IDLE_ROUNDS) {
    let missing = missingOf(strata, kept.map(stratumOf))
    if (missing.length === 0 && !isReviewed) {
      isReviewed = true
      // What stands behind an @ says how it was told, not what it is.
      const rejected = kept.filter(({ id }) => making.rejected.has(id.replace(/@.*$/, '')))
      kept = funnel.drop('reviewed', kept, new Map(rejected.map((row) => [row, 'rejected by people'])))
      missing = missingOf(strata, kept.map(stratumOf))
    }
    if (missing.length === 0) break
    const share = Math.max(LEAST_ACCEPTED, place === 0 ? 1 : made / place)
    const count = Math.min(PORTION, Math.ceil(missing.length / share))
    const specs = Array.from({ length: count }, (_, i) => spec(place + i, missing[i % missing.length]!))
    place += count
    try {
      const rows = await make(specs, kept)
      const before = kept.length
      kept = trimmed([...kept, ...rows], strata, stratumOf)
      made += rows.length
      idle = kept.length > before ? 0 : idle + 1
      funnel.pass('wanted', rows.length, Array(before + rows.length - kept.length).fill('more than wanted'))
    } catch (error) {
      if (!(error instanceof OutOfBudget)) throw error
      making.tell(`${funnel.dataset}: ${kept.length} of ${strata.length}; ${error.message}`)
      break
    }
    const left = strata.length - kept.length
    const more = left === 0 ? '' : `, about ${made === 0 ? '?' : Math.ceil((left * place) / made)} more have to be`
    const accepted = Math.round((100 * made) / place)
    making.tell(
      `${funnel.dataset}: ${kept.length} of ${strata.length}, ${place} asked for (${accepted} % accepted)${more}`,
    )
  }
  return kept
}

/** What is wanted and not there. */
function missingOf(strata: readonly string[], there: readonly string[]): string[] {
  const left = [...there]
  return strata.filter((stratum) => {
    const at = left.indexOf(stratum)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}

/** Without what is more than a stratum should have. */
function trimmed<R>(rows: readonly R[], strata: readonly string[], stratumOf: (row: R) => string): R[] {
  const left = new Map<string, number>()
  for (const stratum of strata) left.set(stratum, (left.get(stratum) ?? 0) + 1)
  return rows.filter((row) => {
    const stratum = stratumOf(row)
    const room = left.get(stratum) ?? 0
    left.set(stratum, room - 1)
    return room > 0
  })
}
