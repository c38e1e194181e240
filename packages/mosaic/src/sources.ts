import type { Embedder } from 'memscope'
import { type Bm25Index, type EmbeddedLog, type Hit, overlap } from 'memscope/retrieval'
import { factsFrom } from './chain.js'
import type { NoteLinks } from './links.js'
import type { Source } from './merge.js'
import { analyze, type Note } from './note.js'
import { type QuestionKind, readQuestion } from './question.js'
import { best, scale } from './ranking.js'
import { setLikeness } from './set-likeness.js'
import { setClassifier } from './set-question.js'
import type { ThingIndex } from './thing-index.js'
import type { Mark } from './timeline.js'
import { weigh } from './weights.js'

/** What a memory holds, as far as it is searched. */
export interface Held {
  notes: readonly Note[]
  words: Bm25Index
  vectors: EmbeddedLog
  links: NoteLinks
  things: ThingIndex
  markOf(note: number): Mark | undefined
  embed: Embedder
  parts: { links: boolean; chains: boolean; sets: boolean; weights: boolean }
}

/** How much words count against meaning, at most, and how many hits by words are looked at. */
const WORDS = 2
const DEPTH = 256
/** Best notes whose links are followed, and hits by words among which the best to begin a chain is looked for. */
const SEEDS = 4
const STARTS = 8
/** How much of a question a note must take up for a chain to begin there. */
const START = 0.15
/** Notes that are so near to a question, against the best, come before what a chain leads to. */
const NEAR = 0.65
/** How much a note must say to be on a chain: what one says in passing leads nowhere. */
const CHAINED = 0.7

/** What answers a question: notes by words and meaning, and what they lead to, in the order in which they are merged. */
export async function rankedSources(
  question: string,
  k: number,
  held: Held,
): Promise<{ main: Hit[]; sources: Source[] }> {
  const { parts } = held
  const kind = readQuestion(question)
  const query = new Map(analyze(question).map((term) => [term, 1]))
  const vector = await held.vectors.embedQuery(question)
  const wanted = parts.sets ? await wantedKinds(vector, kind, held) : undefined
  const scores = scoresFor({ query, vector, kind, wanted }, held)
  const main = best(scores, k, (note) => !held.notes[note]!.content.isForgotten)
  const isNear = ({ score }: Hit) => score >= NEAR * main[0]!.score
  // Entries of a total stand side by side: none of them leads to another.
  const starts = parts.chains && !kind.wantsTotal ? chainStarts(query, main, held) : []
  const isLinked = parts.links && !kind.wantsTotal
  const sources = [
    ...main.slice(0, SEEDS).flatMap((hit, i): Source[] => [
      { hits: [hit] },
      // What became of the best note comes right after it.
      { hits: [...marksOf(hit, held), ...(isLinked ? linksOf(hit, held) : [])], isAside: i > 0 },
    ]),
    { hits: starts.map((index) => ({ index, score: scores[index]! })) },
    { hits: main.filter(isNear) },
    ...starts.map((start): Source => ({ hits: chainFrom(start, scores[start]!, query, held), isAside: true })),
  ]
  return { main, sources }
}

interface Asked {
  query: ReadonlyMap<string, number>
  vector: Float32Array
  kind: QuestionKind
  /** How likely each kind of thing is asked for, where a set is. */
  wanted: Float64Array | undefined
}

/** Which kinds of things a question asks for; undefined when it wants no set. */
async function wantedKinds(vector: Float32Array, kind: QuestionKind, { embed, things }: Held) {
  if (kind.wantsReply || !(await setClassifier(embed))(vector)) return undefined
  return (await things.settle()).askedKinds(vector)
}

/** Cosine and words of every note together, for as much as it says to a question. */
function scoresFor(
  { query, vector, kind, wanted }: Asked,
  { vectors, words, notes, things, parts }: Held,
): Float64Array {
  const similarities = vectors.index.similarities(vector)
  const scores = wanted ? setLikeness(similarities, things.fit(wanted)) : similarities
  scale(scores)
  const hits = words.search(query, DEPTH)
  for (const { index, score } of hits) {
    const shared = overlap(words, query.keys(), notes[index]!.terms)
    scores[index]! += (WORDS * shared * shared * score) / hits[0]!.score
  }
  if (parts.weights) weigh(scores, notes, kind, wanted !== undefined)
  return scores
}

/** The change and the rule that made of a note what became of it. */
function marksOf({ index, score }: Hit, { markOf }: Held): Hit[] {
  const { rule, by } = markOf(index) ?? {}
  return [rule, by].flatMap((note) => (note === undefined ? [] : [{ index: note, score }]))
}

/** What a note hangs on, and what became of that. */
function linksOf({ index, score }: Hit, { links, words, vectors, notes }: Held): Hit[] {
  const found = links.follow(index, { words, vectors: vectors.index, termsOf: (note) => notes[note]!.terms })
  return found.map((hit) => ({ index: hit.index, score: score * hit.score }))
}

/** Where chains begin: at the best note and at the best by words alone, or else at the two best. */
function chainStarts(query: ReadonlyMap<string, number>, main: readonly Hit[], { words, notes }: Held): number[] {
  const byWords = words.search(query, STARTS).find(({ index }) => notes[index]!.isTelling)
  const [first, second] = main
  return [...new Set([first, byWords, second].flatMap((hit) => hit?.index ?? []))]
    .slice(0, 2)
    .filter((note) => notes[note]!.isTelling && overlap(words, query.keys(), notes[note]!.terms) >= START)
}

/** What a note leads to, fact by fact. */
function chainFrom(
  start: number,
  score: number,
  query: ReadonlyMap<string, number>,
  { words, notes, parts }: Held,
): Hit[] {
  const isFollowed = (note: number) => notes[note]!.isTelling && (!parts.weights || notes[note]!.weight >= CHAINED)
  const found = [...factsFrom(words, query, start, isFollowed)]
  return found.map((hit) => ({ index: hit.index, score: score * hit.score }))
}
