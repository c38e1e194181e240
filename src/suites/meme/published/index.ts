import { UserError } from '../../../base/errors.js'
import { mapGivingWay } from '../../../base/give-way.js'
import { fingerprint } from '../../../base/hash.js'
import type { AuditNote, LoadedSuite, SuiteGraph, SuiteOptions, View } from '../../../model/index.js'
import { compileEpisode } from '../compile.js'
import { dependencyGraph } from '../dependency-graph.js'
import type { Episode } from '../episode.js'
import { readFillerFolder } from '../filler/index.js'
import { type EpisodeRequest, suffix } from '../generate/index.js'
import { askOnly, type FillerName, fillerNames, fillerTokens, paperSize, QUICK } from '../load.js'
import { domainOf } from '../skeleton.js'
import { entityWords } from '../solver.js'
import { namesFor } from './names.js'
import { questionsOfRelease } from './questions.js'
import { filesIn, RELEASE_FILES, type ReleasedFiller, type ReleaseFile, readRelease, SKELETON_FILE } from './read.js'
import type { Released, ReleasedFact } from './released.js'
import { publishedSessions } from './told.js'
import { writeSessions } from './write-sessions.js'

/**
 * Published episodes as scenarios. A folder with dialogue gives its files for the amounts of filler asked for; one with skeletons only
 * gets dialogue and fillers of ours.
 */
export async function loadPublished(options: SuiteOptions): Promise<LoadedSuite> {
  const folder = options.data!
  const { full } = filesIn(folder)
  const audit: AuditNote[] = []
  const graphs = new Map<string, SuiteGraph>()
  const read: [FillerName, ReleaseFile][] = []
  const bare = full.length === 0 ? readRelease(folder, SKELETON_FILE) : undefined
  if (bare) for (const name of wanted(options)) read.push([name, bare])
  else for (const name of chosen(full, options)) read.push([name, readRelease(folder, RELEASE_FILES[name])])
  const pool = options.extra.fillers ? readFillerFolder(options.extra.fillers) : undefined
  const all = read.flatMap(([name, { episodes }]) =>
    inTurn(episodes, options.size, bare ? paperSize(name) : episodes.length).map((one) => ({ ...one, name })),
  )
  const scenarios = await mapGivingWay(all, ({ released, index, name }) => {
    const { domain } = released.skeleton
    const request: EpisodeRequest = {
      domain: domainOf({ domain }),
      seed: options.seed,
      index,
      filler: fillerTokens(name),
      fillerName: name,
      ...(pool && { pool }),
    }
    const made = episodeOf(released, request, options.view)
    audit.push(...made.audit)
    const scenario = askOnly(compileEpisode(made.episode), options.tasks)
    graphs.set(scenario.id, dependencyGraph(made.episode, scenario))
    return scenario
  })
  const files = read.map(([name, { hash }]) => [name, hash])
  return { scenarios, datasetHash: fingerprint([files, options.view, scenarios]), audit, graphs }
}

/** One published episode in our shape. */
export function episodeOf(
  released: Released,
  request: EpisodeRequest,
  view: View,
): { episode: Episode; audit: AuditNote[] } {
  const { skeleton } = released
  const { root, root_change } = skeleton
  const isSpurious = ({ kind, entity }: ReleasedFact) => kind === 'rule' && entity === root
  const isMended = view === 'audited' && !released.told
  const spurious = released.facts.filter(isSpurious)
  const sound = isMended ? { ...released, facts: released.facts.filter((fact) => !isSpurious(fact)) } : released
  const told = sound.told ? publishedSessions(sound) : writeSessions(sound, request)
  const { questions, unsaid, audit } = questionsOfRelease(sound, told.statements, view)
  return {
    audit: [
      ...spurious.map(({ seed }) => ({
        task: 'cascade',
        row: `${skeleton.episode_id} ${root}`,
        action: isMended ? ('dropped' as const) : ('flagged' as const),
        why: `A rule gives away what ${entityWords(root)} will be: "${seed}".`,
      })),
      ...audit,
    ],
    episode: {
      id: `${skeleton.episode_id}${suffix(request)}`,
      domain: request.domain,
      root: { entity: root, ...root_change },
      ...told,
      statements: [...told.statements, ...unsaid],
      questions,
      ...namesFor(released, request.domain),
      tags: { filler: request.fillerName },
    },
  }
}

function wanted({ extra, size }: SuiteOptions): FillerName[] {
  return fillerNames(extra.filler ?? 'auto', size)
}

/** Files to be read: those asked for, which must be there; else the usual one, or whatever there is. */
function chosen(full: readonly ReleasedFiller[], options: SuiteOptions): ReleasedFiller[] {
  const names = wanted(options)
  const found = full.filter((name) => names.includes(name))
  const missing = names.filter((name) => !full.some((one) => one === name))
  if (missing.length === 0) return found
  if ((options.extra.filler ?? 'auto') === 'auto') return full.slice(0, 1)
  const fileNames: Partial<Record<FillerName, string>> = RELEASE_FILES
  throw new UserError(
    `${options.data} has no ${missing.map((name) => fileNames[name] ?? `file with ${name} of filler`).join(', ')}.`,
    `Ask for --filler ${full.join(', ')}.`,
  )
}

/** Episodes of both domains in turn, as many as asked for; `index` is the place within the domain. */
function inTurn(episodes: readonly Released[], size: SuiteOptions['size'], most: number) {
  const count = size === 'quick' ? QUICK : size === 'paper' ? most : size
  const places = new Map<string, number>()
  return episodes
    .map((released) => {
      const { domain } = released.skeleton
      const index = places.get(domain) ?? 0
      places.set(domain, index + 1)
      return { released, index }
    })
    .sort((a, b) => a.index - b.index)
    .slice(0, count)
}
