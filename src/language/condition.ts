import { fold } from '../base/text.js'
import { opposes } from './opposites.js'

const UNIVERSAL = String.raw`\b(?:any|anybody|anyone|anything|anywhere|every|everybody|everyone|everything|everywhere|all|each|always|whenever|whatever|wherever|most)\b`
const EXCEPTION = String.raw`(?:apart from|aside from|other than|except(?:ing|ed)?|excluding|save(?: for)?|outside|bar(?:ring)?|but(?! (?:only|also|not|never|then|he|she|it|they|is|has|does|will))|besides|minus|without)\b`
const ALL_BUT = new RegExp(`${UNIVERSAL}[^.;]*?\\b${EXCEPTION}`)
/** An exception that no denial goes before. */
const EXCEPTING = /\b(?:apart from|aside from|other than|except(?:ing)?|excluding|barring|with the exception of)\b/
const DENIAL =
  /\b(?:no|not|never|nothing|nobody|none|nowhere|neither|cannot|hardly|rarely|seldom|refuses?|avoids?|won't|doesn't|don't|isn't|n't)\b/
const OTHERWISE =
  /\b(?:free (?:of|from)|short of|instead of|rather than|more than (?:just |only )?(?:a|an|the|one|his|her)\b|refus(?:es|ed|al)|in the absence of|absent|any \p{L}+ that (?:does|is|has) not)\b/u

/**
 * Whether a text makes a rule hold everywhere but under its condition, or with its condition undone, in words the source does not use.
 *
 * @param said everything the source says of the rule
 * @param condition the condition alone
 */
export function isInverted(text: string, said: string, condition: string): boolean {
  const [folded, was, when] = [fold(text), fold(said), fold(condition)]
  if (ALL_BUT.test(folded) && !ALL_BUT.test(was) && !deniedBefore(folded, EXCEPTING)) return true
  if (EXCEPTING.test(folded) && !EXCEPTING.test(was) && !deniedBefore(folded, EXCEPTING)) return true
  const other = OTHERWISE.exec(folded)?.[0]
  if (other !== undefined && !was.includes(other)) return true
  if (/\benough to\b/.test(folded) && !/\btoo\b/.test(folded) && /\btoo\b/.test(when)) return true
  return (
    OPPOSITES.some(([a, b]) => swaps(a!, b!, folded, when, was) || swaps(b!, a!, folded, when, was)) ||
    opposes(folded, when)
  )
}

/** Words that turn a condition round although they carry no content. */
const OPPOSITES = [
  ['before', 'after'],
  ['above', 'below'],
  ['inside', 'outside'],
  ['indoors', 'outdoors'],
  ['on', 'off'],
  ['with', 'without'],
  ['first', 'last'],
  ['earlier', 'later'],
  ['open', 'shut'],
  ['everything', 'nothing'],
  ['somebody', 'nobody'],
  ['someone', 'no one'],
]

function swaps(said: string, instead: string, text: string, condition: string, was: string): boolean {
  return hasWord(condition, said) && !hasWord(was, instead) && hasWord(text, instead) && !hasWord(text, said)
}

function hasWord(text: string, word: string): boolean {
  return ` ${text.replace(/[^\p{L}']+/gu, ' ')} `.includes(` ${word} `)
}

function deniedBefore(text: string, pattern: RegExp): boolean {
  const at = pattern.exec(text)?.index ?? text.length
  return DENIAL.test(text.slice(0, at))
}

const HEDGE =
  /\b(?:sometimes|occasionally|at times|now and then|now and again|from time to time|once in a while|every so often|often|usually|frequently|generally|mostly|mainly|typically|tends? to|may|might|can|perhaps|maybe|possibly|likely|especially|particularly|mostly|in general|as a rule)\b/

/** Whether a text weakens what is said without any reserve. */
export function isHedged(text: string, said: string): boolean {
  const found = HEDGE.exec(fold(text))?.[0]
  return found !== undefined && !HEDGE.test(fold(said))
}
