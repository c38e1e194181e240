import { fold, sentences } from 'memscope/retrieval'

/** Subordinating conjunctions of condition and reason, and verbs that take one thing to hang on another: a closed class of English. */
const LEANING =
  /\b(?:if|when|whenever|once|until|unless|in case|provided|as soon as|because|because of|since|due to|owing to|thanks to|(?:depend|rel|hing|hang)(?:y|e|ed|s|ies|es)? on)\b/g
/** Words of a clause that are enough to look for it, and clauses of one text that are kept. */
const FEW = 3
const MOST = 8

/**
 * What statements of a text hang on: what would have to come about, or why something is so.
 *
 * @example leaningClauses('If the bridge closes, I will cycle.') // ['the bridge closes']
 */
export function leaningClauses(text: string): string[] {
  const told = sentences(text).map(fold)
  return told
    .filter((sentence) => !sentence.endsWith('?'))
    .flatMap((sentence) =>
      [...sentence.matchAll(LEANING)].map(({ 0: word, index }) => sentence.slice(index + word.length)),
    )
    .map(firstClause)
    .filter((clause) => wordCount(clause) > 1)
    .slice(0, MOST)
}

/** What comes before a comma, or as many parts as make up enough words. */
function firstClause(rest: string): string {
  let clause = ''
  for (const part of rest.split(/[;,:](?=\s)|[.!]+$/)) {
    clause = `${clause} ${part.trim()}`.trim()
    if (wordCount(clause) >= FEW) break
  }
  return clause
}

function wordCount(text: string): number {
  return text.split(/\s+/).filter(Boolean).length
}
