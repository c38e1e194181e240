import { mapGivingWay } from '../../base/give-way.js'
import type { Embedder, Entailment, Fact, FactLabel } from '../../model/index.js'
import { tellsAsSaid } from './core.js'
import { type Decision, decide, readDecisions } from './decision.js'
import { isFramed } from './doubts.js'
import { type Clues, featuresOf } from './features.js'
import { type Finding, notStored } from './finding.js'
import { chunksFor, type NearChunk, nearestChunks, statementOf } from './nearest.js'
import { weakestPart } from './parts.js'
import { particularsOf } from './profile.js'
import { readingOf } from './similarity.js'
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
  const texts = open.flatMap(({ statement, chunks }) => [statement, ...chunks.map(({ text }) => text)])
  const similarity = await readingOf(texts, model?.embed)
  const clues = await mapGivingWay(open, ({ fact, statement, chunks }): Clues => {
    const near = nearestChunks(chunks, (text) => similarity(statement, text))
    return { fact, statement, near, ...(fact.cues.kind === 'profile' && { particulars: particularsOf(fact, index) }) }
  })
  if (!model) return clues
  const read = clues.filter(({ near, particulars }) => near.length > 0 && !particulars)
  const logits = await readAll(
    model,
    read.flatMap((clue) => [pairOf(clue, clue.near.slice(0, 1)), pairOf(clue, clue.near)]),
  )
  const byClue = new Map(read.map((clue, i) => [clue, { nearest: logits[2 * i]!, together: logits[2 * i + 1]! }]))
  return clues.map((clue) => ({ ...clue, ...(byClue.has(clue) && { logits: byClue.get(clue)! }) }))
}

interface Pair {
  fact: string
  memories: string
}

function pairOf({ statement }: Clues, near: readonly NearChunk[]): Pair {
  return { fact: statement, memories: near.map(({ text }) => text).join(' | ') }
}

/** Every pair is read once, however often it is asked for. */
async function readAll({ entail }: ReadingModel, pairs: readonly Pair[]): Promise<Float32Array[]> {
  const key = ({ fact, memories }: Pair) => `${fact}\0${memories}`
  const distinct = new Map(pairs.map((pair) => [key(pair), pair]))
  const read = await entail.read([...distinct.values()])
  const found = new Map([...distinct.keys()].map((name, i) => [name, read[i]!]))
  return pairs.map((pair) => found.get(key(pair))!)
}

/** So much of every part of a fact with a core must be there. */
const WHOLE = 0.8
/** Memories that come this near to the nearest one may be versions of their own. */
const AS_NEAR = 0.08

/**
 * What facts come to when all clues are weighed.
 *
 * @param said sentences of facts that stand in the store as they were said, folded
 */
export async function weighed(
  facts: readonly Fact[],
  index: StoreIndex,
  said: readonly string[],
  model?: ReadingModel,
): Promise<Finding[]> {
  const fitted = readDecisions()[model ? 'model' : 'words']
  const clues = await cluesOf(facts, index, model)
  const decided = await mapGivingWay(clues, (clue) => decide(featuresOf(clue), fitted))
  // The nearest memory, and those as near as it, each by itself.
  const alone = clues.map((clue, i) =>
    decided[i]!.label !== 'correct' || clue.particulars
      ? []
      : clue.near.filter((one) => one.near >= clue.near[0]!.near - AS_NEAR).map((one) => ({ ...clue, near: [one] })),
  )
  const logits =
    model &&
    (
      await readAll(
        model,
        alone.flat().map((clue) => pairOf(clue, clue.near)),
      )
    ).values()
  return mapGivingWay(clues.entries(), ([i, clue]) => {
    const kept = alone[i]!.filter((one) => {
      const own = logits?.next().value
      const features = featuresOf(own ? { ...one, logits: { nearest: own, together: own } } : one)
      return decide(features, fitted).label === 'correct'
    })
    return findingOf(
      clue,
      decided[i]!,
      kept.flatMap(({ near }) => near),
      said,
      index,
    )
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
  const doubtful = label === 'correct' && (particulars !== undefined || isFramed(fact, clue.statement, near, index))
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
