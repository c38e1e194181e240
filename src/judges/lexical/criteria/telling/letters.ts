/** Short forms of titles and departments that everybody knows. */
const LETTERS: Record<string, string> = {
  ceo: 'chief executive officer',
  cfo: 'chief financial officer',
  cto: 'chief technology officer',
  coo: 'chief operating officer',
  cmo: 'chief marketing officer',
  cio: 'chief information officer',
  cro: 'chief risk officer',
  cpo: 'chief product officer',
  chro: 'chief human resources officer',
  ciso: 'chief information security officer',
  vp: 'vice president',
  svp: 'senior vice president',
  evp: 'executive vice president',
  pi: 'principal investigator',
  hr: 'human resources',
  qa: 'quality assurance',
  sr: 'senior',
  jr: 'junior',
  'r&d': 'research development',
}
const SHORT = new RegExp(String.raw`(?<![\p{L}&])(${Object.keys(LETTERS).join('|')})(?![\p{L}&])\.?`, 'giu')

/**
 * A text with the short forms of titles written out.
 *
 * @example spelled('CFO and Sr. Analyst') // 'chief financial officer and senior Analyst'
 */
export function spelled(text: string): string {
  return text.replace(SHORT, (short) => LETTERS[short.toLowerCase().replace('.', '')] ?? short)
}

/** A text without short forms in parentheses behind the words they stand for. */
export function withoutShortForms(text: string): string {
  return text.replace(/ \((\p{Lu}[\p{Lu}&]{1,5})s?\)/gu, (whole, letters: string, at: number) => {
    const words = text.slice(0, at).match(/[\p{L}\p{N}]+/gu) ?? []
    return words.at(-1)?.[0]?.toUpperCase() === letters.at(-1) ? '' : whole
  })
}
