import { IRREGULAR } from './irregular.js'
import { isWord, type PartOfSpeech, senseCount } from './wordnet.js'

const ENDINGS: readonly [PartOfSpeech, string, string][] = [
  ['n', 'ies', 'y'],
  ['n', 'ves', 'f'],
  ['n', 'es', ''],
  ['n', 's', ''],
  ['v', 'ies', 'y'],
  ['v', 'ied', 'y'],
  ['v', 'es', 'e'],
  ['v', 'es', ''],
  ['v', 's', ''],
  ['v', 'ed', 'e'],
  ['v', 'ed', ''],
  ['v', 'ing', 'e'],
  ['v', 'ing', ''],
  ['a', 'iest', 'y'],
  ['a', 'ier', 'y'],
  ['a', 'er', ''],
  ['a', 'est', ''],
  ['a', 'er', 'e'],
  ['a', 'est', 'e'],
]
const DOUBLED = /([bdfgklmnprstvz])\1$/

/** A base form with the parts of speech it can have come from. */
export interface Lemma {
  lemma: string
  /** Letters of `PartOfSpeech`. */
  pos: string
}

const ANY = 'nvar'
const known = new Map<string, readonly Lemma[]>()

/**
 * Base forms a word can come from, itself first when the dictionary has it. British spellings come out as American ones. A word that
 * is nowhere in the dictionary stands for itself.
 *
 * @example lemmas('rolling') // [{ lemma: 'rolling', pos: 'nvar' }, { lemma: 'roll', pos: 'v' }]
 */
export function lemmas(word: string): readonly Lemma[] {
  let found = known.get(word)
  if (!found) {
    const forms = new Map<string, string>()
    for (const spelling of spellings(word)) {
      for (const { lemma, pos } of baseForms(spelling)) forms.set(lemma, (forms.get(lemma) ?? '') + pos)
    }
    found = forms.size > 0 ? [...forms].map(([lemma, pos]) => ({ lemma, pos })) : [{ lemma: word, pos: ANY }]
    known.set(word, found)
  }
  return found
}

function baseForms(word: string): Lemma[] {
  const found: Lemma[] = []
  if (isWord(word)) found.push({ lemma: word, pos: ANY })
  for (const base of IRREGULAR.get(word) ?? []) found.push({ lemma: base, pos: ANY })
  for (const [pos, ending, replacement] of ENDINGS) {
    if (!word.endsWith(ending) || word.length - ending.length < 2) continue
    const stem = word.slice(0, -ending.length) + replacement
    if (senseCount(stem, pos) > 0) found.push({ lemma: stem, pos })
    else if (replacement === '' && DOUBLED.test(stem) && senseCount(stem.slice(0, -1), pos) > 0) {
      found.push({ lemma: stem.slice(0, -1), pos })
    }
  }
  return found
}

/** British spellings beside the American ones, which the dictionary lists more fully. */
function spellings(word: string): string[] {
  const american = word
    .replace(/our(?=s$|ed$|ing$|ful$|ite$|ites$|able$|$)/, 'or')
    .replace(/is(?=e$|es$|ed$|ing$|ation$|ations$)/, 'iz')
    .replace(/tre(?=s$|$)/, 'ter')
    .replace(/ll(?=ed$|ing$|er$)/, 'l')
    .replace(/yse(?=s$|d$|$)/, 'yze')
    .replace(/ogue(?=s$|$)/, 'og')
    .replace(/grey/, 'gray')
    .replace(/jewellery/, 'jewelry')
  return american === word || !baseForms(american).length ? [word] : [word, american]
}
