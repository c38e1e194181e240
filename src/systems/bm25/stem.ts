const VOWEL = /[aeiouy]/

/** Takes plural, -ing and -ed endings off, so that `bakes`, `baking` and `baked` meet at `bake`; derivation (`painter`) is another fact. */
export function stem(word: string): string {
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
