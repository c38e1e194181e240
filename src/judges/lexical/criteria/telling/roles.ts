import { relatedWords } from '../../../../language/relations.js'
import { contentTokens, type Token, wordsOf } from '../../../../language/tokens.js'
import type { AnswerText } from '../answer-lines.js'
import { personOf, ROLE } from '../parts.js'

/** What an answer says of a person's role: the one asked for, another, or nothing. */
export type RoleFit = 'same' | 'other' | 'silent'

/** Ranks say how high, not what for; people use one for another. */
const RANKS = new Set(
  'head lead leader director manager officer chief boss executive run charge senior junior principal staff associate specialist department division team dr prof professor project will present join from our their serve act'.split(
    ' ',
  ),
)
const OTHER_PERSON = /(?:,| and| &|;)\s+(?:(?:Dr|Prof|Mr|Mrs|Ms)\.? )?\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}+(?=\s*[(,;.:|-]|$)/u
const REACH = 90

/** Whether the words around a person's name give the role that a part has. */
export function roleFit(
  part: string,
  text: AnswerText,
  { line, at, end }: { line: number; at: number; end: number },
): RoleFit {
  const name = personOf(part)
  const role = part.replace(/^[^,(]*[,(]/, ' ').replace(/[()]/g, ' ')
  const wanted = aims(role)
  if (!name || wanted.length === 0) return 'same'
  const { cased } = text.lines[line]!
  const behind = cased.slice(end, end + REACH)
  const stop = [behind.search(/[;|]|\)(?! ?[,(])|\. /), OTHER_PERSON.exec(behind)?.index ?? -1].filter(
    (place) => place > 0,
  )
  const after = behind.slice(0, Math.min(behind.length, ...stop))
  const before =
    /(?:^|[,;.:|(] ?)([^,;.:|()]{3,60}),? (?:(?:Dr|Prof|Mr|Mrs|Ms)\.? )?$/u.exec(cased.slice(0, at))?.[1] ?? ''
  const fits = [after, before].map((given) => compare(wanted, given))
  return fits.includes('same') ? 'same' : fits.includes('other') ? 'other' : 'silent'
}

function compare(wanted: readonly Token[], given: string): RoleFit {
  const there = contentTokens(given)
  if (wanted.every((one) => there.some((other) => alike(one, other)))) return 'same'
  const short = [...given.matchAll(/(?<!\p{L})\p{Lu}(?:&?\p{Lu}){1,3}(?!\p{L})/gu)].map(([letters]) =>
    letters.replaceAll('&', ''),
  )
  if (short.includes(wanted.map(({ text }) => text[0]!.toUpperCase()).join(''))) return 'same'
  const named = ROLE.test(given)
  const extra = aims(given).filter((one) => !wanted.some((other) => alike(other, one)))
  return named && extra.length > 0 ? 'other' : 'silent'
}

/** What a title is for, in words: "nursing" of "Director of Nursing". */
export function aimOf(title: string): string {
  return aims(title)
    .map(({ text }) => text)
    .join(' ')
}

function aims(role: string): Token[] {
  return contentTokens(role).filter(
    ({ text, lemmas, weight }) => weight >= 0.5 && !RANKS.has(text) && !lemmas.some(({ lemma }) => RANKS.has(lemma)),
  )
}

function alike(a: Token, b: Token): boolean {
  const [mine, its] = [[...wordsOf(a)], [...wordsOf(b)]]
  if (mine.some((word) => its.includes(word))) return true
  if (a.text.length > 5 && b.text.length > 5 && a.text.slice(0, 6) === b.text.slice(0, 6)) return true
  return mine.some((word) =>
    its.some((other) => ['derived', 'synonym'].includes(relatedWords(word).get(other)?.relation ?? '')),
  )
}
