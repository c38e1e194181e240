const C = '[^aeiou][^aeiouy]*'
const V = '[aeiouy][aeiou]*'
const MEASURED = new RegExp(`^(?:${C})?${V}${C}`)
const MEASURED_ONCE = new RegExp(`^(?:${C})?${V}${C}(?:${V})?$`)
const MEASURED_TWICE = new RegExp(`^(?:${C})?${V}${C}${V}${C}`)
const VOWEL = new RegExp(`^(?:${C})?[aeiouy]`)
const SHORT = new RegExp(`^${C}[aeiouy][^aeiouwxy]$`)

const SECOND: readonly [string, string][] = Object.entries({
  ational: 'ate',
  tional: 'tion',
  enci: 'ence',
  anci: 'ance',
  izer: 'ize',
  bli: 'ble',
  alli: 'al',
  entli: 'ent',
  eli: 'e',
  ousli: 'ous',
  ization: 'ize',
  ation: 'ate',
  ator: 'ate',
  alism: 'al',
  iveness: 'ive',
  fulness: 'ful',
  ousness: 'ous',
  aliti: 'al',
  iviti: 'ive',
  biliti: 'ble',
  logi: 'log',
})
const THIRD: readonly [string, string][] = Object.entries({
  icate: 'ic',
  ative: '',
  alize: 'al',
  iciti: 'ic',
  ical: 'ic',
  ful: '',
  ness: '',
})
const FOURTH = /^(.+?)(?:ement|ment|ance|ence|able|ible|ant|ent|ism|ate|iti|ous|ive|ize|al|er|ic|ou|(?<=[st])ion)$/

/** A word without its ending, by Porter's algorithm of 1980: what the papers compare words by. */
export function porterStem(word: string): string {
  if (word.length < 3) return word
  let stem = word.replace(/^y/, 'Y')
  stem = stem.replace(/(ss|i)es$/, '$1').replace(/([^s])s$/, '$1')
  stem = second(stem)
  if (/y$/.test(stem) && VOWEL.test(stem.slice(0, -1))) stem = `${stem.slice(0, -1)}i`
  stem = replaced(replaced(stem, SECOND), THIRD)
  const [, bare] = FOURTH.exec(stem) ?? []
  if (bare !== undefined && MEASURED_TWICE.test(bare)) stem = bare
  const [, open] = /^(.+?)e$/.exec(stem) ?? []
  if (open !== undefined && (MEASURED_TWICE.test(open) || (MEASURED_ONCE.test(open) && !SHORT.test(open)))) stem = open
  if (/ll$/.test(stem) && MEASURED_TWICE.test(stem)) stem = stem.slice(0, -1)
  return stem.toLowerCase()
}

function second(stem: string): string {
  const [, eed] = /^(.+?)eed$/.exec(stem) ?? []
  if (eed !== undefined) return MEASURED.test(eed) ? stem.slice(0, -1) : stem
  const [, bare] = /^(.+?)(?:ed|ing)$/.exec(stem) ?? []
  if (bare === undefined || !VOWEL.test(bare)) return stem
  if (/(?:at|bl|iz)$/.test(bare)) return `${bare}e`
  if (/([^aeiouylsz])\1$/.test(bare)) return bare.slice(0, -1)
  return SHORT.test(bare) ? `${bare}e` : bare
}

/** The longest ending that fits, replaced where enough is left before it. */
function replaced(stem: string, endings: readonly [string, string][]): string {
  const found = endings.filter(([ending]) => stem.endsWith(ending)).sort(([a], [b]) => b.length - a.length)[0]
  if (!found) return stem
  const bare = stem.slice(0, -found[0].length)
  return MEASURED.test(bare) ? bare + found[1] : stem
}
