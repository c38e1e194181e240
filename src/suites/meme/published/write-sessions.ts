import { Random } from '../../../base/random.js'
import type { EpisodeRequest } from '../generate/index.js'
import { assemble, type WrittenEpisode } from '../generate/index.js'
import { PARTS, type Part, type Saying } from '../generate/statements.js'
import { NULL_LIKE } from '../skeleton.js'
import type { Released, ReleasedFact } from './released.js'
import { statementsOf } from './statements.js'

/** Facts without bearing that are kept for the session of the change, as in the paper. */
const HELD_BACK = 2

/**
 * Sessions for an episode that has none: its own sentences in talk of ours, in the parts and the order of the paper. Values of a series
 * come one a part, members of an aggregation too; dependencies, rules and exact strings stand together; then change and deletion.
 */
export function writeSessions(released: Released, request: EpisodeRequest): WrittenEpisode {
  const random = new Random(`${request.seed} ${released.skeleton.episode_id} told`)
  const bare = statementsOf(released)
  const asides = released.facts.filter(({ filler }) => filler)
  const late = asides.slice(Math.max(0, asides.length - HELD_BACK))
  const gathered = new Set(released.after.flatMap((q) => (q.task_type === 'Agg' ? q.entity : [])))
  const said = released.facts.map((fact, i) => {
    const forget = fact.kind === 'delete' && { forget: true }
    return { fact, group: groupOf(fact, bare[i]!.id), saying: { ...bare[i]!, text: sentence(fact.seed), ...forget } }
  })
  function groupOf(fact: ReleasedFact, id: string) {
    if (fact.kind === 'change' || fact.kind === 'delete') return fact.kind
    if (late.includes(fact)) return 'late'
    if (id.startsWith('track:')) return 'series'
    if (fact.kind === 'rule' || fact.exact || fact.parent !== undefined) return 'bound'
    return gathered.has(fact.entity) && !fact.filler ? 'member' : 'loose'
  }
  const all = (group: ReturnType<typeof groupOf>) => said.filter((one) => one.group === group)
  const parts = new Map<Part, Saying[]>(PARTS.map((part) => [part, []]))
  const put = (part: Part, { saying }: (typeof said)[number], anywhere = false) => {
    const list = parts.get(part)!
    list.splice(anywhere ? random.below(list.length + 1) : list.length, 0, { ...saying, part })
  }
  for (const [i, one] of random.shuffle(all('member')).entries()) put(PARTS[i % 3]!, one)
  for (const one of all('series')) put(PARTS[(Number(one.saying.id.split(':')[2]) - 1) % 3]!, one)
  for (const [i, one] of random.shuffle(all('loose')).entries()) put(PARTS[i % 3]!, one, true)
  for (const one of random.shuffle(all('bound'))) put('2', one)
  const asidesLeft = all('late')
  for (const kind of ['change', 'delete'] as const) {
    for (const one of [...all(kind), ...asidesLeft.splice(0, 1)]) put('change', one)
  }
  return assemble([...parts.values()].flat(), request, blockedBy(released), random)
}

/** What no filler may say: every value of the episode but those that stand for having none. */
function blockedBy({ facts, skeleton }: Released): string[] {
  const values = [...facts.map(({ value }) => value), skeleton.root_change.before, skeleton.root_change.after]
  return [...new Set(values)].filter((value) => !NULL_LIKE.has(value))
}

function sentence(seed: string): string {
  return /[.!?"”]$/.test(seed) ? seed : `${seed}.`
}
