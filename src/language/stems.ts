const VOWEL = /[aeiouy]/

/** Without the endings of plural, -ing and -ed: `bakes`, `baking` and `baked` meet at `bake`, and `painter` stays apart from them. */
export function inflectionStem(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word
  const singular = withoutPlural(word)
  for (const ending of ['ing', 'ed'] as const) {
    if (!singular.endsWith(ending)) continue
    if (singular.endsWith('ied') && singular.length > 4) return `${singular.slice(0, -3)}y`
    const base = singular.slice(0, -ending.length)
    if (base.length >= 2 && VOWEL.test(base) && !singular.endsWith('eed')) return withoutFinalE(mended(base))
  }
  return withoutFinalE(singular)
}

function withoutPlural(word: string): string {
  if (!word.endsWith('s') || /(?:ss|us|is)$/.test(word)) return word
  if (word.endsWith('ies')) return word.length > 4 ? `${word.slice(0, -3)}y` : word.slice(0, -1)
  if (/(?:ss|x|ch|sh|zz)es$/.test(word)) return word.slice(0, -2)
  return word.slice(0, -1)
}

/** Undoes what the ending did to the word: `runn` → `run`, `bak` → `bake`. */
function mended(base: string): string {
  if (/([^aeiouylsz])\1$/.test(base)) return base.slice(0, -1)
  if (/(?:at|bl|iz)$/.test(base)) return `${base}e`
  if (/^[^aeiou]*[aeiouy][^aeiouwxy]$/.test(base)) return `${base}e`
  return base
}

/** Longer words lose a final e (`organize`, `exercise`), for after -ing it cannot be known whether there was one. */
function withoutFinalE(word: string): string {
  return word.endsWith('e') && measure(word.slice(0, -1)) > 1 ? word.slice(0, -1) : word
}

/** Porter's measure: how many times consonants follow vowels. */
function measure(word: string): number {
  return word.match(/[aeiouy]+[^aeiouy]+/g)?.length ?? 0
}

/** Without nearly every ending, and with no look at what is left: one form for the words of a large store, derived ones too. */
export function indexStem(word: string): string {
  if (word.length < 4) return word
  const stem = word.replace(/(?:ings?|edly|ed|ers?|ies|es|s|ly|e|y)$/, '')
  if (stem.length < 3) return word
  return stem.replace(/([bdfgklmnprtvz])\1$/, '$1')
}

/** Without one common ending: what decides by which sentences of published text a fact is known, so that no other stem would keep its cues. */
export function cueStem(word: string): string {
  return word.length > 4 ? word.replace(/(?:ies|ing|ed|es|s|ly|e|y)$/, '') : word
}

/** The first letters alone: what decides which sentences are the evidence of published lives. */
export function wordStart(word: string): string {
  return word.slice(0, 5)
}

const C = '[^aeiou][^aeiouy]*'
const V = '[aeiouy][aeiou]*'
const MEASURED = new RegExp(`^(?:${C})?${V}${C}`)
const MEASURED_ONCE = new RegExp(`^(?:${C})?${V}${C}(?:${V})?$`)
const MEASURED_TWICE = new RegExp(`^(?:${C})?${V}${C}${V}${C}`)
const VOWEL_AHEAD = new RegExp(`^(?:${C})?[aeiouy]`)
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
  if (/y$/.test(stem) && VOWEL_AHEAD.test(stem.slice(0, -1))) stem = `${stem.slice(0, -1)}i`
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
  if (bare === undefined || !VOWEL_AHEAD.test(bare)) return stem
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
