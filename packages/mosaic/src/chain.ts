import { type Bm25Index, type Hit, overlap } from 'memscope/retrieval'

/** Most facts that one leads to, and of those that take up what one says the two most closely linked. */
const FACTS = 18
const BRANCHES = 2
/** How many are looked at, and how much of what is new in one the next must take up. */
const LOOKED_AT = 16
const LINK = 0.35
/** How closely the last of a chain must be linked to where it began. */
const LEAST = 0.2
/** What is left of a question's words: they still say where a chain should end. */
const ASKED = 0.2

/** A fact that others led to. */
interface Lead {
  note: number
  /** How closely it is linked to where the chain began, 0 to 1. */
  strength: number
  /** Terms of the question and of all facts before it. */
  before: ReadonlySet<string>
}

/**
 * What a fact leads to, most closely linked first: each takes up something that is new in one before it. Several ways are followed at once,
 * since facts that are put alike share words which lead nowhere.
 *
 * @param isFollowed whether a note may be on a chain
 */
export function* factsFrom(
  index: Bm25Index,
  query: ReadonlyMap<string, number>,
  seed: number,
  isFollowed: (note: number) => boolean,
): Generator<Hit> {
  const seen = new Set([seed])
  let leads = leadsOn(index, query, { note: seed, strength: 1, before: new Set(query.keys()) }, isFollowed)
  while (leads.length > 0 && seen.size <= FACTS) {
    const [lead, ...others] = leads.toSorted((a, b) => b.strength - a.strength) as [Lead, ...Lead[]]
    leads = others
    if (seen.has(lead.note)) continue
    seen.add(lead.note)
    yield { index: lead.note, score: lead.strength }
    leads.push(...leadsOn(index, query, lead, (note) => !seen.has(note) && isFollowed(note)))
  }
}

/** Where a fact leads by what is new in it. */
function leadsOn(
  index: Bm25Index,
  query: ReadonlyMap<string, number>,
  { note: from, strength, before }: Lead,
  isFollowed: (note: number) => boolean,
): Lead[] {
  const isNew = (term: string) => !before.has(term)
  const fresh = [...new Set(index.termsOf(from))].filter(isNew)
  const wanted = new Map([
    ...[...query.keys()].map((term) => [term, ASKED] as const),
    ...fresh.map((term) => [term, 1] as const),
  ])
  const known = new Set([...before, ...fresh])
  return index
    .search(wanted, LOOKED_AT)
    .filter(({ index: note }) => note !== from && isFollowed(note))
    .flatMap(({ index: note }): Lead[] => {
      const others = index.termsOf(note).filter(isNew)
      const share = overlap(index, fresh, others)
      const linked = strength * Math.sqrt(share * rarest(index, fresh, others))
      return share < LINK || linked < LEAST ? [] : [{ note, strength: linked, before: known }]
    })
    .toSorted((a, b) => b.strength - a.strength)
    .slice(0, BRANCHES)
}

/** How rare the rarest term is that two have in common, against the rarest of the first. */
function rarest(index: Bm25Index, some: readonly string[], others: readonly string[]): number {
  const rarity = (terms: readonly string[]) => Math.max(0, ...terms.map((term) => index.idf(term)))
  return rarity(some.filter((term) => others.includes(term))) / rarity(some)
}
