import { fold, sentences } from '../../src/base/text.js'
import { contentTokens, wordsOf } from '../../src/language/tokens.js'
import { isWord } from '../../src/language/wordnet.js'
import type { Meaning } from './meaning.js'

type Conflict = 'none' | 'contradiction' | 'alternative' | 'confusion'

/** Names of more than one word, or of a word that no dictionary has. */
function properNames(text: string): string[] {
  const found = text.match(/\p{Lu}[\p{L}\p{N}'-]+(?: \p{Lu}[\p{L}\p{N}'-]+)*/gu) ?? []
  return found.filter((name) => name.includes(' ') || !isWord(fold(name)))
}

/** How a conversation of somebody else would spoil facts, one by one. */
export async function conflictsOf(filler: string, facts: readonly string[], meaning: Meaning): Promise<Conflict[]> {
  const said = filler.split('\n').flatMap((turn) => sentences(turn.replace(/^(?:user|assistant): /, '')))
  const own = said.filter((one) => /\b(?:I|my|we|our|us)\b/i.test(one) && !one.trim().endsWith('?'))
  const names = said.flatMap(properNames)
  const verdicts = new Map<string, Conflict>()
  const found: Conflict[] = []
  for (const fact of facts) {
    const like = properNames(fact).some((name) => names.some((other) => isConfusing(name, other)))
    found.push(like ? 'confusion' : await ownConflict(fact, own, meaning, verdicts))
  }
  return found
}

/** Two names that are not the same but have a name in common, or differ in a letter or two. */
function isConfusing(one: string, other: string): boolean {
  const [a, b] = [fold(one).split(' '), fold(other).split(' ')]
  if (fold(one) === fold(other)) return false
  if (a.length > 1 && b.length > 1) return a.some((word) => word.length > 3 && !isWord(word) && b.includes(word))
  return a.length === 1 && b.length === 1 && one.length > 5 && distance(fold(one), fold(other)) <= 2
}

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (const [i, letter] of [...a].entries())
    row = [...b].reduce(
      (next, other, j) => {
        next.push(Math.min(row[j]! + (letter === other ? 0 : 1), row[j + 1]! + 1, next[j]! + 1))
        return next
      },
      [i + 1],
    )
  return row[b.length]!
}

/** What a fact is about: what stands before its verb, or all of it but for names where that says nothing. */
function subjectOf(fact: string): string {
  const [subject] = fact.split(/\b(?:is|are|am)\b/) as [string]
  if (contentTokens(subject).some(({ weight }) => weight === 1)) return subject
  return properNames(fact.slice(1)).reduce((rest, name) => rest.replace(name, ' '), fact)
}

/** What speakers say of themselves beside a fact that speaks of the same thing; facts that share the same words with it are judged once. */
async function ownConflict(
  fact: string,
  own: readonly string[],
  meaning: Meaning,
  verdicts: Map<string, Conflict>,
): Promise<Conflict> {
  if (fact.includes('"')) return 'none'
  const mine = new Set(
    contentTokens(subjectOf(fact))
      .filter(({ weight }) => weight === 1)
      .flatMap((token) => [...wordsOf(token)]),
  )
  for (const sentence of own) {
    const shared = contentTokens(sentence).filter(
      (token) => token.weight === 1 && [...wordsOf(token)].some((word) => isWord(word) && mine.has(word)),
    )
    if (shared.length === 0) continue
    const key = `${sentence} ${shared.map(({ text }) => text).join(' ')}`
    const known = verdicts.get(key) ?? (await conflictWith(sentence, fact, meaning))
    verdicts.set(key, known)
    if (known !== 'none') return known
  }
  return 'none'
}

async function conflictWith(sentence: string, fact: string, meaning: Meaning): Promise<Conflict> {
  const [stand] = await meaning.of(sentence, fact)
  if (stand!.contradicted < 0.3) return 'none'
  return properNames(sentence.slice(1)).length > 0 ? 'alternative' : 'contradiction'
}
