import { UserError } from '../../../base/errors.js'
import { type DataFile, questionsOf, type WriteOptions } from '../../../model/index.js'
import { makeCorpus } from '../../generation/corpus.js'
import { guessedQuestions } from '../../generation/guess.js'
import { type Maker, OutOfBudget } from '../../generation/maker.js'
import { DURATIONS, timesOn } from '../days.js'
import { LIFE_FILE } from '../holds-lives.js'
import { askedAbout, daysFrom, personasFrom } from '../load.js'
import { releasedQuestions, releasedSessions } from '../published/write-release.js'
import { PERSONAS } from '../seed.js'
import { type LifeOptions, simulate } from '../simulate/index.js'
import { diversity, meanSessionSimilarity } from '../talk/diversity.js'
import { conversationId, type SpokenSession } from '../talk/talk.js'
import { type LifeTrace, TASKS } from '../trace.js'
import { lifeLines, scenarioOf, type ToldLife } from './lives.js'
import { MOST_TRIES, tellSession } from './session.js'

const DAYS = '7'
/** Simulations of a persona that are told before it is given up. */
const MOST_LIVES = 3
/** Pairs of conversations over which their variety is measured, as elsewhere, and conversations that are embedded for it: that takes longer. */
const PAIRS = 8000
const MOST_EMBEDDED = 40
/** Share that people look over. */
const HUMAN_CHECK = 0.05

/** Lives told by models, session by session: in our layout, in the authors' under `published/`, and how they came about. */
export async function makeLives(options: WriteOptions) {
  const { making, extra, seed } = options
  if (!making)
    throw new UserError(
      'Lives of memora are simulated when they are run, and told by models here.',
      'Name one with --generator, or take data export.',
    )
  const [days = 0, ...others] = daysFrom(extra.days ?? DAYS)
  if (others.length > 0) throw new UserError('Lives of one duration are made at a time.', 'Give --days one number.')
  if ((making.target ?? 0) > PERSONAS.length)
    throw new UserError(
      `--target ${making.target} asks for more lives than memora has personas.`,
      `There are ${PERSONAS.length}: ${PERSONAS.join(', ')}.`,
    )
  const personas = personasFrom(extra.personas ?? 'all', making.target ?? PERSONAS.length)
  return makeCorpus(options, making, new URL('./prompts/', import.meta.url), async (makerOf) => {
    const files: DataFile[] = []
    for (const persona of personas) {
      const life = await makeLife(makerOf(persona), { persona, days, seed })
      if (life) files.push(...(await filesOf(life, days)))
    }
    return { files, thresholds: { days, tries: MOST_TRIES, lives: MOST_LIVES, human_check: HUMAN_CHECK } }
  })
}

/** A life of which every session was accepted by all; null when there is none, or the money was spent. */
async function makeLife(maker: Maker, first: LifeOptions): Promise<ToldLife | null> {
  const { making } = maker
  const { persona } = first
  let { seed } = first
  try {
    // A life stands or falls as a whole: what people rejected, or models could not tell, is told anew from another simulation.
    for (let told = 0; told < MOST_LIVES; seed++) {
      if ([...making.rejected].some((id) => id.startsWith(`${persona}@${seed}/`))) continue
      const life = await tellLife(maker, { ...first, seed })
      if (life) return life
      told++
    }
  } catch (error) {
    if (!(error instanceof OutOfBudget)) throw error
    making.tell(`${persona}: ${error.message}`)
  }
  return null
}

async function tellLife(maker: Maker, life: LifeOptions): Promise<ToldLife | null> {
  const { making, funnel } = maker
  const { persona, seed } = life
  const trace = simulate(life)
  const told = await Promise.all(trace.sessions.map((session) => tellSession(maker, trace, session, life)))
  const refused = told.filter((one) => typeof one === 'string')
  funnel.pass('sessions', told.length, refused)
  funnel.pass('lives', 1, refused.length > 0 ? ['not all sessions accepted'] : [])
  making.tell(`${persona}: ${told.length - refused.length} of ${told.length} sessions accepted`)
  if (refused.length > 0) return null
  const accepted = told.filter((one) => typeof one !== 'string')
  const times = timesOn(trace.sessions.map(({ day }) => day))
  const talks = accepted.map(({ turns, said }, at): SpokenSession => {
    const { number } = trace.sessions[at]!
    return { id: conversationId(number), time: times[at]!, session: number, turns, said }
  })
  const tries: Record<number, number> = {}
  for (const one of accepted) tries[one.tries] = (tries[one.tries] ?? 0) + 1
  const { cosine } = await meanSessionSimilarity(talks, MOST_EMBEDDED, seed, await making.embedder())
  const rounded = (share: number) => Number(share.toFixed(3))
  const overlap = Object.entries(diversity(talks, PAIRS, seed)).map(([words, share]) => [words, rounded(share)])
  Object.assign(funnel.figures, { tries, overlap: Object.fromEntries(overlap), cosine: rounded(cosine) })
  return { trace, seed, talks, guessed: making.rules === 'paper' ? [] : await guessedIn(maker, trace, talks, seed) }
}

/** Questions that need no memory. */
async function guessedIn(maker: Maker, trace: LifeTrace, talks: SpokenSession[], seed: number): Promise<string[]> {
  const asked = questionsOf(await askedAbout(trace, talks, { seed, tasks: TASKS }))
  const guessed = await guessedQuestions(maker, asked)
  maker.funnel.pass('questions', asked.length, [...guessed.values()])
  return [...guessed.keys()]
}

async function filesOf(life: ToldLife, days: number): Promise<DataFile[]> {
  const { trace, talks } = life
  const { persona } = trace
  const scenario = await scenarioOf(life, TASKS)
  const folder = `published/${DURATIONS[days as keyof typeof DURATIONS] ?? 'weekly'}/${persona}`
  const file = (path: string, data: object): DataFile => ({
    path: `${folder}/${path}`,
    lines: [`${JSON.stringify(data)}\n`],
    companion: true,
  })
  return [
    { path: `${persona}${LIFE_FILE}`, lines: lifeLines(life), note: `${talks.length} sessions` },
    ...releasedSessions(trace, talks).map((session, at) =>
      file(`conversations/session_${conversationId(trace.sessions[at]!.number)}.json`, session),
    ),
    file(`evaluation_questions_${persona}.json`, releasedQuestions(trace, scenario)),
  ]
}
