import { UserError, unknownName } from '../../../base/errors.js'
import { Random } from '../../../base/random.js'
import { wholeNumber } from '../../../base/whole-number.js'
import { type DataFile, type Fact, questionsOf, type WriteOptions } from '../../../model/index.js'
import { makeCorpus } from '../../generation/corpus.js'
import { fill } from '../../generation/fill.js'
import { guessedQuestions } from '../../generation/guess.js'
import { type Maker, OutOfBudget } from '../../generation/maker.js'
import { parsedJson, readText, requireShape } from '../../read-files.js'
import { compileEpisode } from '../compile.js'
import { BEFORE, type Episode, PAPER_TASKS } from '../episode.js'
import { LEAST, MOST, readFillerFolder } from '../filler/index.js'
import { check } from '../generate/check.js'
import { type EpisodeRequest, episodeFrom, makeEpisode } from '../generate/index.js'
import type { EpisodePlan, Link } from '../generate/plan.js'
import { planEpisode } from '../generate/skeleton.js'
import { sayings } from '../generate/statements.js'
import { DOMAINS, DomainData, type Graph, graphOf, readGraph } from '../graph.js'
import { fillerNames, fillerTokens } from '../load.js'
import { RELEASE_FILES } from '../published/read.js'
import { releasedEpisode } from '../published/write-release.js'
import { validate } from '../validate.js'
import { MOST_REPAIRS, tellParts } from './conversation.js'
import { CANDIDATES, withoutConflicts } from './fillers.js'

/** Episodes of both domains together, as in the paper. */
const TARGET = 100
const CONDITIONALS = ['explicit', 'implicit', 'none'] as const

/** Episodes in the layout of the release: told by models, or, without them, in talk of ours. */
export async function writeEpisodes(
  options: WriteOptions,
): Promise<DataFile[] | { told: string[]; files: DataFile[] }> {
  const { extra, seed, making } = options
  const [name, ...others] = fillerNames(extra.filler ?? (extra.fillers ? '32k' : 'none'), 'paper')
  const file = RELEASE_FILES[name as keyof typeof RELEASE_FILES]
  if (others.length > 0 || file === undefined)
    throw new UserError(
      'Episodes are written with one amount of filler.',
      `Give --filler ${Object.keys(RELEASE_FILES).join(', ')}.`,
    )
  const graphs = extra.graph === undefined ? DOMAINS.map(readGraph) : [ownGraph(extra.graph)]
  const shared = { seed, filler: fillerTokens(name!), fillerName: name! }
  const folder = extra.fillers ? readFillerFolder(extra.fillers) : undefined
  const count = making?.target ?? wholeNumber('n', extra.n ?? String(TARGET), 1, 100_000)
  const releaseOf = (episodes: readonly Episode[]): DataFile => ({
    path: file,
    lines: [`${JSON.stringify({ episodes: episodes.map(releasedEpisode) })}\n`],
    note: `${episodes.length} episodes, without questions of tasks that the paper does not have`,
  })
  if (!making) {
    if (extra.graph !== undefined)
      throw new UserError('A graph of your own is told by models.', 'Name one with --generator.')
    const places = Array.from({ length: count }, (_, at) => ({
      domain: DOMAINS[at % DOMAINS.length]!,
      index: Math.floor(at / DOMAINS.length),
    }))
    return [releaseOf(places.map((place) => makeEpisode({ ...place, ...shared, ...(folder && { pool: folder }) })))]
  }
  const conditionals = conditionalsFrom(extra.conditionals)
  return makeCorpus(options, making, new URL('./prompts/', import.meta.url), async (makerOf) => {
    const made: Episode[] = []
    for (const [at, graph] of graphs.entries()) {
      const maker = makerOf(graph.domain)
      try {
        const pool = folder && shared.filler > 0 ? await withoutConflicts(maker, folder, graph) : folder
        const wanted = Math.ceil((count - at) / graphs.length)
        const request = { ...shared, domain: graph.domain, ...(pool && { pool }) }
        const own = await makeEpisodes(maker, graph, wanted, request, conditionals)
        maker.funnel.pass('kept', own.length)
        made.push(...own)
      } catch (error) {
        // Spent while the fillers were looked through: those that were not may spoil what is asked.
        if (!(error instanceof OutOfBudget)) throw error
        making.tell(`${graph.domain}: ${error.message}`)
      }
    }
    return {
      files: made.length > 0 ? [releaseOf(made)] : [],
      thresholds: {
        conditionals,
        repairs: MOST_REPAIRS,
        filler: name,
        filler_tokens: [LEAST, MOST],
        filler_candidates: CANDIDATES,
      },
    }
  })
}

function conditionalsFrom(given: string = CONDITIONALS[0]): Link['clause'] {
  const known = CONDITIONALS.find((one) => one === given)
  if (!known) throw unknownName('way of telling dependencies', given, CONDITIONALS)
  return known
}

/** A graph of the user's own: of the schema, and with nothing in it that would make episodes wrong. */
function ownGraph(file: string): Graph {
  const given = parsedJson(readText(file), file)
  const data = requireShape(given, DomainData, `The graph ${file}`, 'Its shape is told in docs/meme.md.')
  const [first, ...more] = validate(data, true)
  if (first)
    throw new UserError(
      `The graph ${file}: ${first.path}: ${first.why}${more.length > 0 ? ` And ${more.length} more.` : ''}`,
      'Mend it: its episodes would be wrong or ambiguous.',
    )
  return { ...graphOf(data), isOwn: true }
}

/** Without what the paper does not have: questions of control, rules for one value, changes that do not happen. */
function paperPlan(plan: EpisodePlan, conditionals: Link['clause']): EpisodePlan {
  const isAsked = (task: string) =>
    PAPER_TASKS.some((one) => one === task) && !(conditionals === 'none' && task === 'absence')
  const asks = plan.asks.filter(({ task }) => isAsked(task))
  const below = plan.graph.descendants(plan.root.entity)
  const isPlain = ({ rules }: Link) => rules.every(({ when }) => when === undefined)
  const links = plan.links.filter((link) => below.has(link.edge.target) && isPlain(link) && link.clause === 'explicit')
  return {
    ...plan,
    asks,
    considered: null,
    revoked: null,
    links: links.map((link) => ({ ...link, clause: conditionals })),
  }
}

async function makeEpisodes(
  maker: Maker,
  graph: Graph,
  target: number,
  request: Omit<EpisodeRequest, 'index'>,
  conditionals: Link['clause'],
): Promise<Episode[]> {
  return fill<number, Episode>(maker, {
    strata: Array.from({ length: target }, () => 'episode'),
    stratumOf: () => 'episode',
    spec: (place) => place,
    async make(places) {
      const told = await Promise.all(places.map((index) => makeOne(maker, graph, { ...request, index }, conditionals)))
      maker.funnel.pass(
        'told',
        places.length,
        told.filter((one) => typeof one === 'string'),
      )
      const episodes = told.filter((one) => typeof one !== 'string')
      const wrong = episodes.flatMap((episode): [Episode, string][] => {
        const [finding] = check(episode)
        return finding ? [[episode, finding.kind]] : []
      })
      const valid = maker.funnel.drop('valid', episodes, new Map(wrong))
      return maker.making.rules === 'paper' ? valid : Promise.all(valid.map((episode) => unguessed(maker, episode)))
    },
  })
}

async function makeOne(
  maker: Maker,
  graph: Graph,
  request: EpisodeRequest,
  conditionals: Link['clause'],
): Promise<Episode | string> {
  const { seed, domain, index } = request
  const plan = paperPlan(planEpisode(graph, String(seed), index), conditionals)
  const random = new Random(`${seed} ${domain} ${index} told by a model`)
  const said = sayings(plan, random)
  // As it would be told without a model, to know what must follow from what is said.
  const draft = episodeFrom(plan, said, { ...request, filler: 0 }, new Random(`${seed} ${domain} ${index} draft`))
  if (!draft) return 'plan'
  const claims = compileEpisode(draft).facts.map(({ evidence: _, ...fact }): [string, Fact] => [fact.id, claimOf(fact)])
  const told = await tellParts(maker, { domain, index }, said, new Map(claims))
  if (typeof told === 'string') return told
  return episodeFrom(plan, told.said, request, random, told.turns) ?? 'plan'
}

/** A fact in a few words, so that words of the plan which stand somewhere do not settle it. */
function claimOf(fact: Fact): Fact {
  const { parts, kind } = fact.cues
  return kind === 'state' ? { ...fact, text: parts.map(({ forms }) => forms[0]).join(': ') } : fact
}

/** Without questions that need no memory, and those that they are paired with. */
async function unguessed(maker: Maker, episode: Episode): Promise<Episode> {
  const asked = questionsOf(compileEpisode(episode)).filter(({ task }) => task !== BEFORE)
  const guessed = await guessedQuestions(maker, asked)
  maker.funnel.pass('questions', asked.length, [...guessed.values()])
  const questions = episode.questions.filter(({ id }) => !guessed.has(id))
  const pairs = new Set(questions.map(({ pair }) => pair))
  return { ...episode, questions: questions.filter(({ id, task }) => task !== BEFORE || pairs.has(id)) }
}
