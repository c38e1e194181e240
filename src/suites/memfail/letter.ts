import { LETTERS } from './material.js'

/**
 * The letter an answer chooses, or null when it chooses none.
 *
 * JSON is read first, whole or embedded; then a phrase such as "the answer is B"; then a letter that stands alone or is marked as an option
 * ("B.", "(b)", "**C**"). An answer that lists several chooses none. The article "A" and the pronoun "I" are no letters: in "The answer is B. A calm mind…" the choice is B.
 */
export function chosenLetter(answer: string, letters: readonly string[] = LETTERS): string | null {
  const isLetter = (text: unknown): string | null => {
    const letter =
      typeof text === 'string'
        ? text
            .trim()
            .replace(/[().:*\s]/g, '')
            .toUpperCase()
        : ''
    return letters.includes(letter) ? letter : null
  }
  const json = fromJson(answer)
  if (json !== undefined) {
    if (typeof json === 'string') return isLetter(json) ?? chosenLetterInText(json, letters)
    if (json !== null && typeof json === 'object') {
      const named = Object.entries(json).filter(([key]) => /answer|choice|letter|option/i.test(key))
      for (const [, value] of named.length > 0 ? named : Object.entries(json)) {
        const letter = isLetter(value) ?? (typeof value === 'string' ? leadingLetter(value, letters) : null)
        if (letter) return letter
      }
    }
  }
  return isLetter(answer) ?? chosenLetterInText(answer, letters)
}

function chosenLetterInText(answer: string, letters: readonly string[]): string | null {
  const set = `[${letters.join('')}${letters.join('').toLowerCase()}]`
  const text = answer.replace(/[*_`]/g, '')
  const announced = [
    ...text.matchAll(
      new RegExp(
        `\\b(?:answer|choice|option|letter|choose|pick|select(?:ed)?|go with)\\b(?:\\s+(?:is|would be|should be|must be|was))?\\s*[:=-]?\\s*(?:option\\s+)?[("']?(${set})(?![\\p{L}\\p{N}'’])`,
        'giu',
      ),
    ),
  ].filter((match) => !isArticle(text, match.index + match[0].length - 1, match[1]!))
  const last = announced.at(-1)
  if (last && isListed(text, last.index + last[0].length, set)) return null
  if (last) return last[1]!.toUpperCase()
  const leading = leadingLetter(text, letters)
  if (leading) return leading
  const alone = [...text.matchAll(new RegExp(`(?<![\\p{L}\\p{N}'’])(${set})(?=[).:\\]]|\\s*$)`, 'gmu'))].filter(
    (match) => !isArticle(text, match.index, match[1]!),
  )
  const distinct = new Set(alone.map((match) => match[1]!.toUpperCase()))
  return distinct.size === 1 ? [...distinct][0]! : null
}

/** "B. finish journaling", "(b) …", "C) …", "D: …", or a line that is only the letter. */
function leadingLetter(text: string, letters: readonly string[]): string | null {
  const set = `[${letters.join('')}${letters.join('').toLowerCase()}]`
  const match = text.match(new RegExp(`^\\s*\\(?(${set})(?:[).:\\]]|\\s*$|\\s*\\n|\\s+[-–—])`, 'u'))
  return match && !isListed(text, match[0].trimEnd().length, set) ? match[1]!.toUpperCase() : null
}

/** Whether another letter follows, as in "A, B or C" and "A. B. C.": who names several chooses none. */
function isListed(text: string, at: number, set: string): boolean {
  return new RegExp(
    `^[).:\\]]?\\s*(?:[,/&]|\\b(?:or|and)\\b)?\\s*(?:(?:or|and)\\s+)?\\(?${set}(?:[).:\\],]|\\s*$|\\s+(?:or|and)\\b)`,
    'u',
  ).test(text.slice(at))
}

/** "a" or "A" followed by a word on the same line is the article, unless punctuation marks it as an option. */
function isArticle(text: string, at: number, letter: string): boolean {
  return /^a$/i.test(letter) && /^\s+\p{L}/u.test(text.slice(at + 1))
}

/** The first JSON value that is the whole text, stands in a code fence, or is an embedded object. */
function fromJson(text: string): unknown {
  const fenced = text.match(/```(?:json)?\s*([\s\S]*?)```/i)?.[1]
  const embedded = text.match(/\{[^{}]*\}/g) ?? []
  for (const candidate of [text, fenced, ...embedded.reverse()]) {
    if (candidate === undefined) continue
    const trimmed = candidate.trim()
    if (!/^[{"]/.test(trimmed)) continue
    try {
      return JSON.parse(trimmed)
    } catch {
      // not JSON: the next candidate, or plain text, decides
    }
  }
  return undefined
}
