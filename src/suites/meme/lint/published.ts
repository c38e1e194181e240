import { groupBy } from '../../../base/group-by.js'
import { fold } from '../../../base/text.js'
import { inWords, type LintReport, ofWhole, RuleBook, type Ruled, reportOf, tally } from '../../lint-report.js'
import { readGraph } from '../graph.js'
import { filesIn, RELEASE_FILES, readRelease, SKELETON_FILE } from '../published/read.js'
import type { Released } from '../published/released.js'
import { publishedSessions } from '../published/told.js'
import { domainOf } from '../skeleton.js'
import { findEpisodeDefects, SKELETON_RULES } from '../skeleton-findings.js'
import { differences } from '../skeleton-gold.js'
import { entityWords } from '../solver.js'
import { standsIn } from '../validate-text.js'

/** Above this share of all series or aggregations one and the same is too many. */
const MOST_ALIKE = 0.5
/** An exact string that comes back more often than this is learnt, not remembered. */
const MOST_REPEATS = 4

/** Checks every file of a release in a folder. */
export function lintPublished(folder: string): LintReport[] {
  const { full, skeletons } = filesIn(folder)
  const names = [...(skeletons ? [SKELETON_FILE] : []), ...full.map((name) => RELEASE_FILES[name])]
  return names.map((name) => lintRelease(name, readRelease(folder, name).episodes))
}

/** Checks the episodes of a file. */
export function lintRelease(name: string, episodes: readonly Released[]): LintReport {
  const noticed = episodes.flatMap(findEpisodeDefects)
  const flagged = new Set(noticed.filter(({ code }) => code !== 'TR_NEVER_STATED').map(({ episode }) => episode))
  const rules = new RuleBook(SKELETON_RULES)
  for (const { code, episode, entity, why } of noticed) rules.add(code, `${episode} ${entity}`, why)
  return reportOf(
    name,
    episodes.length,
    [
      {
        name: 'gold',
        about: 'gold is what follows from what is said',
        found: episodes
          .flatMap(differences)
          .map(({ episode, entity, why }) => ({ row: `${episode} ${entity}`, message: why })),
      },
      ...rules.all(),
      { name: 'value-collision', about: 'no gold value stands in another value', found: episodes.flatMap(collisions) },
      {
        name: 'spurious-rule',
        about: 'no rule gives the new value of the root away',
        found: episodes.flatMap(spurious),
      },
      { name: 'conveyed', about: 'every gold fact is said in its session', found: episodes.flatMap(unconveyed) },
      ...variety(episodes),
    ],
    {
      flagged: `${flagged.size} of ${episodes.length} episodes`,
      roots: inWords(tally(episodes.map(({ skeleton }) => skeleton.root))),
      'deleted entities': inWords(tally(episodes.flatMap(deletedRoles))),
    },
  )
}

/** Gold values of an episode, before and after, that stand as whole words in a value of another entity. */
function collisions({ skeleton, facts, before, after }: Released): Ruled['found'] {
  const gold = new Map<string, [entity: string, value: string]>()
  for (const { entity, entity_values, task_type } of [...before, ...after]) {
    if (task_type === 'ER') continue
    for (const id of entity)
      for (const value of [entity_values[id] ?? []].flat()) gold.set(`${id}\n${value}`, [id, value])
  }
  const others = new Map(facts.map(({ entity, value }) => [`${entity}\n${value}`, { entity, value }]))
  return [...gold.values()].flatMap(([entity, value]) =>
    [...others.values()].flatMap((other) => {
      if (other.entity === entity || !standsIn(fold(value), fold(other.value))) return []
      const message = `"${value}" stands in the ${entityWords(other.entity)} "${short(other.value)}"`
      return [{ row: `${skeleton.episode_id} ${entity}`, message }]
    }),
  )
}

function spurious({ skeleton, facts }: Released): Ruled['found'] {
  return facts
    .filter(({ kind, entity }) => kind === 'rule' && entity === skeleton.root)
    .map(({ entity, seed }) => ({ row: `${skeleton.episode_id} ${entity}`, message: `"${seed}"` }))
}

function unconveyed(released: Released): Ruled['found'] {
  if (!released.told) return []
  return publishedSessions(released).statements.flatMap(({ entity, unsupported }) =>
    unsupported === undefined ? [] : [{ row: `${released.skeleton.episode_id} ${entity}`, message: unsupported }],
  )
}

/** What comes again and again: triples, exact strings, and series that always stand in one order. */
function variety(episodes: readonly Released[]): Ruled[] {
  const asked = (task: string, of = episodes) => of.flatMap(({ after }) => after.filter((q) => q.task_type === task))
  const domains = [...groupBy(episodes, ({ skeleton }) => skeleton.domain)]
  const triples = domains.flatMap(([domain, own]) => {
    const all = asked('Agg', own)
    const counts = tally(all.map(({ entity }) => entity.map(entityWords).join(' + ')))
    const [[first, count] = ['', 0]] = counts
    const words = `${count} of ${all.length} in ${entityWords(domain)} ask for ${first} (${counts.length} triples in use)`
    return ofWhole(all.length > 1 && count > MOST_ALIKE * all.length && words)
  })
  const strings = tally(asked('ER').flatMap(({ entity, entity_values }) => [entity_values[entity[0]!] ?? ''].flat()))
  const most = strings[0]?.[1] ?? 0
  const repeated = `${strings.length} strings for ${asked('ER').length} questions, one of them ${most} times`
  const pairs = tally(
    asked('Tr').flatMap(({ entity, entity_values }) => {
      const series = [entity_values[entity[0]!] ?? []].flat()
      return series.flatMap((a, i) => series.slice(i + 1).map((b) => `${entity[0]}\n${a}\n${b}`))
    }),
  )
  const keys = new Set(pairs.map(([key]) => key))
  const isTurned = pairs.some(([key]) => {
    const [entity, a, b] = key.split('\n')
    return keys.has(`${entity}\n${b}\n${a}`)
  })
  const again = pairs.filter(([, count]) => count > 1).length
  const ordered = `all ${again} pairs of values that occur more than once come in the same order`
  return [
    {
      name: 'triples',
      about: 'no aggregation is asked in more than half of the episodes of a domain',
      found: triples,
    },
    {
      name: 'exact-strings',
      about: `no exact string comes more than ${MOST_REPEATS} times`,
      found: ofWhole(most > MOST_REPEATS && repeated),
    },
    {
      name: 'tracking-order',
      about: 'values of series come in one order and in the other',
      found: ofWhole(again >= 10 && !isTurned && ordered),
    },
  ]
}

/** The roles of what is deleted; by the paper all are orphans. */
function deletedRoles({ skeleton, after }: Released): string[] {
  const known = new Map(readGraph(domainOf(skeleton)).data.entities.map(({ id, role }) => [id, role as string]))
  return after.flatMap(({ task_type, entity }) => (task_type === 'Del' ? [known.get(entity[0]!) ?? 'unknown'] : []))
}

function short(text: string): string {
  return text.length > 60 ? `${text.slice(0, 59)}…` : text
}
