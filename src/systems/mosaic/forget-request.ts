import { fold, sentences, words } from '../../base/text.js'
import { anyOf } from './cues.js'
import { isName } from './forget-value.js'
import { QUOTED, readForgetWishes } from './forget-wish.js'
import { analyze } from './note.js'
import { PHRASES } from './phrases.js'

/** What a request to forget names. */
export interface ForgetRequest {
  /** Things in quotation marks: they are to go themselves, and not what is said of them. */
  items: readonly string[]
  /** What it says of what is to go, without where it is to be taken from. */
  object: string
  /** The words by which each thing that is meant is looked for. Empty where nothing is named. */
  topics: readonly string[]
  /** What it is about, which may be told of it when it was followed. */
  about: string
}

/** Words that ask. */
const ASKING = anyOf([...PHRASES.forget, ...PHRASES.asked], 'g')
/** Words that speak of remembering, and those that stand for a thing and name none. */
const SPOKEN = new Set(
  analyze(
    'told tell said say mentioned mention talked spoke know gave give notes note noted records record entry fact memory mind privacy reasons ' +
      'hold keep stay bring want wish request anything everything whatever longer good altogether completely entirely ' +
      'kept remember stored store shared share private rather one yes okay actually thanks something information details',
  ),
)
/** Where something is to be taken from: "from my list called …". The last that a part of a sentence speaks of. */
const PLACE =
  /(?<=\S )(?:from|off|under|in) (?:the|my|our|your|this|that|what|\ue000)(?!\p{L})(?:(?! (?:from|off|under) )[^.;,!?])*(?=[.;,!?]|$)/gu
/** So much of a request is read: nobody names anything at greater length. */
const LONGEST = 4000
/** Things that are looked for at most. */
const MOST = 8
/** Only what is taken out is taken from somewhere. */
const TAKEN_OUT = /\b(?:eras|delet|remov|wip|strik|scrub|tak)(?:e|ed|en|ing)?\b/

/** Reads what a request names: in the sentences that ask, or in all of them where those name nothing. */
export function readForgetRequest(request: string): ForgetRequest {
  const said = sentences(request).map(fold)
  const wishes = readForgetWishes(said)
  const asking = readNames([...new Set(wishes.map(({ at }) => said[at]!))].join(' ').slice(0, LONGEST))
  if (asking.items.length > 0) return asking
  const named = wishes.filter(({ object }) => isTelling(object))
  const all = readNames(said.join(' ').slice(0, LONGEST))
  if (named.length > 0 && all.isWithoutQuotes) {
    const about = [...new Set(named.map(({ object, isStatement }) => (isStatement ? '' : object)))].join(' ')
    return { ...all, topics: [...new Set(named.map(({ object }) => object))].slice(0, MOST), about }
  }
  return all.topics.length === 0 && all.isWithoutQuotes ? { ...all, topics: [all.about].filter(Boolean) } : all
}

function readNames(text: string): ForgetRequest & { isWithoutQuotes: boolean } {
  const said = text.replaceAll('\ue000', ' ')
  const quoted: string[] = []
  const masked = said.replace(QUOTED, (_, double?: string, single?: string) => {
    quoted.push((double ?? single)!.replace(/[.,;!?]+$/, ''))
    return `\ue000${quoted.length - 1}\ue000`
  })
  const object = TAKEN_OUT.test(masked) ? masked.replace(PLACE, ' ') : masked
  const items = [...object.matchAll(/\ue000(\d+)\ue000/gu)].map(([, mark]) => quoted[Number(mark)]!)
  const about = tellingWords(said)
  const isWithoutQuotes = quoted.length === 0
  if (items.length > 0) return { items, object, topics: items, about, isWithoutQuotes }
  const named = tellingWords(object)
  // A name says which one is meant; other words may need to be told apart by where they are from.
  const isSettled = named === '' || !isWithoutQuotes || words(named).some(isName)
  return { items, object, topics: [isSettled ? named : about].filter(Boolean), about, isWithoutQuotes }
}

function tellingWords(text: string): string {
  return (text.replace(ASKING, ' ').match(/\S+/g) ?? []).filter(isTelling).join(' ')
}

function isTelling(text: string): boolean {
  return analyze(text).some((term) => !SPOKEN.has(term))
}
