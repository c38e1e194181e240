import { mapGivingWay } from '../../base/give-way.js'
import { groupBy } from '../../base/group-by.js'
import type { Embedder, Entailment, Fact, FactLabel } from '../../model/index.js'
import { tellsAsSaid } from './core.js'
import { type Decision, decide, type FittedDecision, readDecisions } from './decision.js'
import { isFramed } from './doubts.js'
import { type Clues, featuresOf } from './features.js'
import { type Finding, notStored } from './finding.js'
import {
  AS_NEAR,
  type Chunk,
  chunksFor,
  type NearChunk,
  type Nearest,
  nearestChunks,
  statementOf,
  withAlike,
} from './nearest.js'
import { weakestPart } from './parts.js'
import { particularsOf } from './profile.js'
import { createSimilarity } from './similarity.js'
import type { StoreIndex } from './store/store-index.js'

/** What reads beside words: vectors tell what comes near, the entailment model whether it holds the fact. */
export interface ReadingModel {
  embed: Embedder
  entail: Entailment
}

/** Reads facts beside what comes nearest to them in a store: the nearest memory alone, and the nearest ones together. */
export async function cluesOf(facts: readonly Fact[], index: StoreIndex, model?: ReadingModel): Promise<Clues[]> {
  const open = await mapGivingWay(facts, (fact) => ({
    fact,
    statement: statementOf(fact),
    chunks: chunksFor(fact, index, model === undefined),
  }))
  const nearest = await nearestTo(model ? await amongAlike(open, index, model.embed) : open, model?.embed)
  const clues = await mapGivingWay(
    open.entries(),
    ([i, { fact, statement }]): Clues => ({
      fact,
      statement,
      ...nearest[i]!,
      ...(fact.cues.kind === 'profile' && { particulars: particularsOf(fact, index) }),
    }),
  )
  return model ? withLogits(clues, model.entail, false) : clues
}

interface Open {
  fact: Fact
  statement: string
  chunks: readonly Chunk[]
}

/** The same with more to compare, in a large store. */
async function amongAlike(open: readonly Open[], index: StoreIndex, embed: Embedder): Promise<readonly Open[]> {
  if (!index.isLarge) return open
  const near = await createSimilarity(textsOf(open), embed, true)
  return mapGivingWay(open, ({ fact, statement, chunks }) => ({
    fact,
    statement,
    chunks: withAlike(fact, index, chunks, (text) => near(statement, text)),
  }))
}

function textsOf(open: readonly Open[]): string[] {
  return open.flatMap(({ statement, chunks }) => [statement, ...chunks.map(({ text }) => text)])
}

/** What comes nearest to each statement, by vectors as fast as they come; where their error could decide, by exact ones. */
async function nearestTo(open: readonly Open[], embed: Embedder | undefined): Promise<Nearest[]> {
  const fast = await createSimilarity(textsOf(open), embed, true)
  const first = await mapGivingWay(open, ({ statement, chunks }) =>
    nearestChunks(statement, chunks, (text) => fast(statement, text)),
  )
  if (!embed?.embedFast) return first
  const close = open.flatMap(({ statement }, i) => (first[i]!.close.length > 0 ? [statement, ...first[i]!.close] : []))
  const exact = await createSimilarity(close, embed)
  return mapGivingWay(open.entries(), ([i, { statement, chunks }]) => {
    const unclear = new Set(first[i]!.close)
    if (unclear.size === 0) return first[i]!
    return nearestChunks(statement, chunks, (text) => (unclear.has(text) ? exact : fast)(statement, text))
  })
}

/** What the entailment model makes of clues; of a profile nothing, since no memory holds it all. */
async function withLogits(clues: readonly Clues[], entail: Entailment, exactly: boolean): Promise<Clues[]> {
  const read = clues.filter(({ near, particulars }) => near.length > 0 && !particulars)
  const pairs = read.flatMap((clue) => [pairOf(clue, clue.near.slice(0, 1)), pairOf(clue, clue.near)])
  const logits = await readAll(entail, pairs, exactly)
  const byClue = new Map(read.map((clue, i) => [clue, { nearest: logits[2 * i]!, together: logits[2 * i + 1]! }]))
  return clues.map((clue) => ({ ...clue, ...(byClue.has(clue) && { logits: byClue.get(clue)! }) }))
}

/**
 * What clues come to. Where a fast reading is so close to another label or probability that its error could decide, the exact one does: the
 * verdict is the same on every engine.
 */
async function decideAll(
  clues: readonly Clues[],
  fitted: FittedDecision<FactLabel>,
  model: ReadingModel | undefined,
): Promise<Decision<FactLabel>[]> {
  const first = await mapGivingWay(clues, (clue) => decide(featuresOf(clue), fitted))
  if (!model?.entail.readFast && !model?.embed.embedFast) return first
  const close = clues.filter((_, i) => first[i]!.margin < FAST_MARGIN)
  const again = await withLogits(await withNearness(close, model.embed), model.entail, true)
  const exact = new Map(close.map((clue, i) => [clue, decide(featuresOf(again[i]!), fitted)]))
  return clues.map((clue, i) => exact.get(clue) ?? first[i]!)
}

/** Clues with exact nearness. */
async function withNearness(clues: readonly Clues[], embed: Embedder): Promise<Clues[]> {
  const texts = clues.flatMap(({ statement, near }) => [statement, ...near.map(({ text }) => text)])
  const similarity = await createSimilarity(texts, embed)
  return clues.map((clue) => ({
    ...clue,
    near: clue.near.map((one) => ({ ...one, near: similarity(clue.statement, one.text) })),
  }))
}

interface Pair {
  fact: string
  memories: string
}

function pairOf({ statement }: Clues, near: readonly NearChunk[]): Pair {
  return { fact: statement, memories: near.map(({ text }) => text).join(' | ') }
}

/** Every pair is read once, however often it is asked for. */
async function readAll(entail: Entailment, pairs: readonly Pair[], exactly: boolean): Promise<Float32Array[]> {
  const key = ({ fact, memories }: Pair) => `${fact}\0${memories}`
  const distinct = new Map(pairs.map((pair) => [key(pair), pair]))
  const read = await (exactly ? entail.read : (entail.readFast ?? entail.read))([...distinct.values()])
  const found = new Map([...distinct.keys()].map((name, i) => [name, read[i]!]))
  return pairs.map((pair) => found.get(key(pair))!)
}

/**
 * By so much, in log-odds, a verdict must be off every step of its probability, and off every other label, for a fast reading to count. Logits
 * were seen to differ by 2.4e-5; were all of them off by as much, each to the worse, scores would move by 0.00026.
 */
const FAST_MARGIN = 0.0006

/** So much of every part of a fact with a core must be there. */
const WHOLE = 0.8

/**
 * Decides by the fitted decision how the store holds each fact.
 *
 * @param said sentences of facts that stand in the store as they were said, folded
 */
export async function classifyFacts(
  facts: readonly Fact[],
  index: StoreIndex,
  said: readonly string[],
  model?: ReadingModel,
): Promise<Finding[]> {
  const fitted = readDecisions()[model ? 'model' : 'words']
  const clues = await cluesOf(facts, index, model)
  const decided = await decideAll(clues, fitted, model)
  // The nearest memory, and those as near as it, each by itself.
  const alone = clues.flatMap((clue, i) =>
    decided[i]!.label !== 'correct' || clue.particulars
      ? []
      : clue.near
          .filter((one) => one.near >= clue.near[0]!.near - AS_NEAR)
          .map((one): Clues => ({ fact: clue.fact, statement: clue.statement, near: [one], beside: [] })),
  )
  const read = model ? await withLogits(alone, model.entail, false) : alone
  const labels = await decideAll(read, fitted, model)
  const kept = groupBy(
    alone.filter((_, i) => labels[i]!.label === 'correct'),
    ({ fact }) => fact,
  )
  return mapGivingWay(clues.entries(), ([i, clue]) => {
    const own = (kept.get(clue.fact) ?? []).flatMap(({ near }) => near)
    return findingOf(clue, decided[i]!, own, said, index)
  })
}

const READ_AS = { correct: 'keeps it', summary_error: 'has a damaged version of it', not_stored: 'does not hold it' }

/** The memories that carry a fact: each of those that keep it by itself, or else all that come near. */
function findingOf(
  clue: Clues,
  { probability, ...decided }: Decision<FactLabel>,
  kept: readonly NearChunk[],
  said: readonly string[],
  index: StoreIndex,
): Finding {
  const { fact, near, particulars } = clue
  const [first] = near
  if (!first) return notStored('Nothing in the store comes near it.', false)
  // What is known with everything else of its thing is there with all its parts, or damaged.
  const broken = fact.cues.core !== undefined && weakestPart(fact, near.map(({ text }) => text).join(' ')) < WHOLE
  const label = broken && decided.label === 'correct' ? 'summary_error' : decided.label
  if (label === 'summary_error' && tellsAsSaid(fact, first.text, said))
    return notStored(`What comes nearest (${first.memory}) stands there as it was said, and is something else.`, false)
  // Words do not tell of whom a profile speaks, nor what belongs to what in it.
  const doubtful = label === 'correct' && (particulars !== undefined || isFramed(clue, index))
  const uncertain = decided.uncertain || doubtful
  const reason = `What comes nearest (${first.memory}) ${READ_AS[label]}, with a probability of ${probability.toFixed(2)}.`
  if (label === 'not_stored') return { ...notStored(reason, uncertain), probability }
  const carriers = particulars?.memories ?? (kept.length > 0 ? kept : label === 'correct' ? near : [first])
  const together = particulars !== undefined || (label === 'correct' && kept.length === 0)
  const support = together
    ? [carriers.map(({ memory }) => memory)]
    : (carriers as readonly NearChunk[]).flatMap(({ memory, copies }) => [memory, ...copies].map((id) => [id]))
  const quotes = carriers.slice(0, 3).map(({ memory, text }) => ({ memory, text }))
  return { label, uncertain, probability, support, reason, quotes }
}
