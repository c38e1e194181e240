import { fold, sentences, words } from '../../base/text.js'
import { isRequestToForget, QUOTED, withoutRequest } from './cues.js'
import { isName } from './forget-value.js'
import { analyze } from './note.js'

/** What a request to forget names. */
export interface ForgetRequest {
  /** Things in quotation marks: they are to go themselves, and not what is said of them. */
  items: readonly string[]
  /** What it says of what is to go, without where it is to be taken from. */
  object: string
  /** The words by which what is meant is looked for. Empty where nothing is named. */
  topic: string
  /** All its words, but for those that ask and those that speak of remembering. */
  about: string
}

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
/** Only what is taken out is taken from somewhere. */
const TAKEN_OUT = /\b(?:eras|delet|remov|wip|strik|scrub|tak)(?:e|ed|en|ing)?\b/

/** Reads what a request names: in the sentences that ask, or in all of them where those name nothing. */
export function readForgetRequest(request: string): ForgetRequest {
  const asking = sentences(request).map(fold).filter(isRequestToForget)
  const named = readNames(asking.map(withoutLead).join(' '))
  if (named.topic !== '') return named
  const all = readNames(request)
  return all.topic === '' && all.isWithoutQuotes ? { ...all, topic: all.about } : all
}

/** A sentence from the part on that asks: "One more thing: forget …". */
function withoutLead(sentence: string): string {
  const last = sentence.split(/:\s/).at(-1)!
  return isRequestToForget(last) ? last : sentence
}

function readNames(text: string): ForgetRequest & { isWithoutQuotes: boolean } {
  const said = fold(text.slice(0, LONGEST)).replaceAll('\ue000', ' ')
  const quoted: string[] = []
  const masked = said.replace(QUOTED, (_, double?: string, single?: string) => {
    quoted.push((double ?? single)!.replace(/[.,;!?]+$/, ''))
    return `\ue000${quoted.length - 1}\ue000`
  })
  const object = TAKEN_OUT.test(masked) ? masked.replace(PLACE, ' ') : masked
  const items = [...object.matchAll(/\ue000(\d+)\ue000/gu)].map(([, mark]) => quoted[Number(mark)]!)
  const about = tellingWords(said)
  const isWithoutQuotes = quoted.length === 0
  if (items.length > 0) return { items, object, topic: items.join(' '), about, isWithoutQuotes }
  const named = tellingWords(object)
  // A name says which one is meant; other words may need to be told apart by where they are from.
  const isSettled = named === '' || !isWithoutQuotes || words(named).some(isName)
  return { items, object, topic: isSettled ? named : about, about, isWithoutQuotes }
}

function tellingWords(text: string): string {
  const said = withoutRequest(text).match(/\S+/g) ?? []
  return said.filter((word) => analyze(word).some((term) => !SPOKEN.has(term))).join(' ')
}
