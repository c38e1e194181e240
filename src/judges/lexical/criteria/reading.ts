import { fold } from '../../../base/text.js'
import { coverage } from '../../../language/match.js'
import { numbersInDigits } from '../../../language/numbers.js'
import type { Criterion, Embedder } from '../../../model/index.js'
import type { ReadingModel } from '../reading.js'
import { createSimilarity } from '../similarity.js'
import { plainText, unitsOf } from '../store/units.js'
import type { RuledFinding } from './finding.js'

/** All that the decision on a criterion in free words rests on. */
export interface CriterionClues {
  criterion: Criterion
  /** The lines of the answer, each with the heading above it. */
  lines: readonly string[]
  /** What the entailment model makes of the question beside the lines that come nearest to it, and beside the whole answer. */
  logits: { near: ArrayLike<number>; whole: ArrayLike<number> }
  /** What rules found; absent where nothing says what it asks for. */
  finding?: RuledFinding | undefined
}

/** Lines of an answer that are read together. */
const TOGETHER = 2

/** Runs the entailment model on each criterion: against the nearest lines of the answer, and against all of it. */
export async function criterionClues(
  criteria: readonly Criterion[],
  answer: string,
  { embed, entail }: ReadingModel,
): Promise<CriterionClues[]> {
  const { lines, pairs } = await criterionPairs(criteria, answer, embed)
  const whole = criteria.map(({ text }) => ({ fact: text, memories: answer }))
  const logits = await entail.read([...pairs, ...whole])
  return criteria.map((criterion, i) => ({
    criterion,
    lines,
    logits: { near: logits[i]!, whole: logits[criteria.length + i]! },
  }))
}

/** What is read of an answer for each criterion: the question, and the lines that come nearest to it. */
export async function criterionPairs(
  criteria: readonly Criterion[],
  answer: string,
  embed: Embedder,
): Promise<{ lines: string[]; pairs: { fact: string; memories: string }[] }> {
  const lines = unitsOf({ id: '', text: answer }).map(({ heading, text }) =>
    heading === '' ? text : `${heading}: ${text}`,
  )
  const similarity = await createSimilarity([...lines, ...criteria.map(({ text }) => text)], embed)
  const nearestTo = (text: string) => nearest(lines, (line) => similarity(text, line))
  return { lines, pairs: criteria.map(({ text }) => ({ fact: text, memories: nearestTo(text) })) }
}

/** The nearest lines, in the order of the answer. */
function nearest(lines: readonly string[], nearness: (line: string) => number): string {
  return lines
    .map((line, at) => ({ line, at, near: nearness(line) }))
    .sort((a, b) => b.near - a.near || a.at - b.at)
    .slice(0, TOGETHER)
    .sort((a, b) => a.at - b.at)
    .map(({ line }) => line)
    .join(' ')
}

const HEADS = ['entailed', 'neutral', 'contradicted', 'correct', 'damaged', 'absent'] as const
/** Words by which an answer names a thing only to set it aside: left out, taken out, over, disliked. */
const ASIDE =
  /\b(?:no|not|never|nor|without|avoid\w*|skip\w*|left (?:out|off)|leav\w+ (?:out|off|aside)|exclud\w+|omit\w*|instead of|rather than|except|remov\w+|delet\w+|dropp?\w*|cancel\w*|completed?|finished|done|ticked|crossed|struck|past|over|expired|used to|until|previously|formerly|earlier|already|dislikes?|hates?|cannot stand|off the (?:list|table)|\w+n't)\b|~~/
const AVOIDING = /\b(?:avoid|refrain|leave out|exclude|keep(?:ing)? (?:away )?from|stay away|steer clear|spare)\b/i
const QUESTION = /^(?:does|is|are|has|did) the (?:response|answer) (?:still )?(?:\w+ )?/i

/** The features by which the fitted decision says whether an answer meets a criterion. */
export function criterionFeatures({
  criterion: { text, type },
  lines,
  logits,
  finding,
}: CriterionClues): Record<string, number> {
  const asked = text.replace(QUESTION, '')
  const best = lines
    .map((line) => ({ line, held: coverage(asked, line).core }))
    .reduce((most, one) => (one.held > most.held ? one : most), { line: '', held: 0 })
  const avoid = Number(AVOIDING.test(text))
  const aside = Number(ASIDE.test(plainText(best.line)))
  const [wanted, there] = [numbersIn(text), numbersIn(lines.join('\n'))]
  const lost = [...wanted].filter((one) => !there.has(one)).length
  return {
    ...named('near', logits.near),
    ...named('whole', logits.whole),
    ...named('avoid: near', logits.near, avoid),
    ...named('avoid: whole', logits.whole, avoid),
    avoid,
    forgetting: Number(type === 'forgetting'),
    'words kept': best.held,
    'set aside': aside,
    'avoid: words kept': avoid * best.held,
    'avoid: set aside': avoid * aside,
    'numbers kept': Number(wanted.size > 0 && lost === 0),
    'numbers lost': Number(lost > 0),
    ...ruledFeatures(finding),
  }
}

/** What rules found, in all and by what is asked for. */
function ruledFeatures(finding: RuledFinding | undefined): Record<string, number> {
  if (!finding) return {}
  const { kind, yes, sure, as } = finding
  const word = `${sure ? 'surely ' : ''}${yes ? 'yes' : 'no'}`
  return {
    [`rules: ${word}`]: 1,
    [`${kind}: ${word}`]: 1,
    ...(as !== undefined && { [`${kind}: ${as}`]: 1 }),
  }
}

function named(of: string, logits: ArrayLike<number>, scale = 1): Record<string, number> {
  return Object.fromEntries(HEADS.map((name, i) => [`${of}: ${name}`, scale * logits[i]!]))
}

function numbersIn(text: string): Set<string> {
  const digits = numbersInDigits(fold(text)).replace(/(?<=\d),(?=\d{3})/g, '')
  return new Set(digits.match(/\d+(?:[.:]\d+)?/g) ?? [])
}
