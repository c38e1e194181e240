import { fold, sentences, words } from '../../base/text.js'
import { FUNCTION_WORDS, LIGHT_WORDS } from '../../language/function-words.js'
import { anyOf, clausesIn, type LeaningClause, type NoteStance, type StatementCues, stanceOf } from './cues.js'
import { isName } from './forget-value.js'
import { analyze, type SaidNote } from './note.js'
import { PHRASES as phrases } from './phrases.js'

/** Something that is said, by its words. */
export interface Claim {
  terms: ReadonlySet<string>
  /** Those of its terms that name something: what the dictionary does not have, numbers, and what is written as a name. */
  names: ReadonlySet<string>
  /** Those of them that name what somebody has or something is, and names: "our dentist", "the bank is". Of clauses all. */
  owned: ReadonlySet<string>
  /** Terms of the attribute that it is about, where that was given: then it is about nothing else. */
  topic?: ReadonlySet<string>
}

/** What a note says of what holds, and of what that hangs on. */
export interface Claims {
  stance: NoteStance
  /** What it tells, without what that hangs on: of a rule what would come about. */
  told: Claim
  /** Why that is so. */
  grounds: readonly Claim[]
  /** What would have to come about for it. */
  conditions: readonly Claim[]
  /** What it says is another now, a set of terms each: "my new school", "our bank is now …". */
  changed: readonly ReadonlySet<string>[]
  /** Names of what it says is over: "no longer with Finbank". */
  ended: ReadonlySet<string>
}

const ALSO = anyOf(phrases.also)
const ENDED = anyOf(phrases.ended, 'g')
/** Words that say that something changes, and name nothing. */
const CHANGING = new Set(
  analyze(
    'new another different other else change changes changing changed switch switched swap swapped move moved update updated replace replaced ' +
      'become becomes becoming end ends ended old current present one ones ever day moment go case anew today yesterday last next week month year',
  ),
)
const NOUNS = "((?:[\\p{L}\\p{N}'-]+ ?){1,4})"
/** What is another now: "my new school", "we changed our bank", "I changed jobs". */
const CHANGED = [
  new RegExp(`(?:\\b(?:my|our)(?: brand)? (?:new|different)|(?:^|[.:;,] )new) ${NOUNS}`, 'gu'),
  /\ban? (?:brand )?(?:new|different) ([\p{L}\p{N}'-]+(?: [\p{L}\p{N}'-]+){0,2} ?)(?=[,:] )/gu,
  new RegExp(
    `\\b(?:chang(?:ed|ing)|switched|swapped|replaced|moved|migrated|updated?|corrected|upgraded|rerouted|news (?:about|on|of)) (?:my|our|the)(?: old)? ${NOUNS}`,
    'gu',
  ),
  /\b(?:changed|switched|swapped|moved|changing|switching|swapping) (\p{L}+(?<![su'])s)\b/gu,
]
/** What is said to be something, and what: "our bank is Finbank now". */
const SAID_TO_BE = /\b(?:my|our|the) ((?:[\p{L}\p{N}'-]+ ){1,4}?)(?:is|are|has|have)\b([^.;:!?]*)/gu
/** What somebody has: "our dentist", "as our dentist". */
const HAD = new RegExp(`\\b(?:my|our) ${NOUNS}`, 'gu')
const NOW = /\b(?:now|no longer|these days|as of|from now on|changed|moved|replaced|switched|a different)\b/
const NOW_BEFORE = /\b(?:as of|from now on|update|correction)\b[^.;]*$/
/** What leads up to a statement: "One more thing: …". */
const LEAD = /^(?:[\p{L}',-]+ ){0,6}[\p{L}']+: (?=\S)/u
/** Words behind one of ending among which is what is over. */
const BEHIND = 4

/** Reads what a note claims, as it was given with it or by its words. */
export function claimsOf({ memory, cues }: Pick<SaidNote, 'memory' | 'cues'>): Claims {
  return cues.stance ? givenClaims(memory.text, { ...cues, stance: cues.stance }) : toldClaims(memory.text)
}

function givenClaims(
  text: string,
  { stance, leans, about, value = '' }: StatementCues & { stance: NoteStance },
): Claims {
  const names = namesIn([text, value, ...leans].join('. '))
  const claims = leans.map((lean) => {
    const [noun, ...rest] = lean.split(': ')
    return { ...claimOf(rest.join(': '), names), topic: topicOf(noun!) }
  })
  const topic = about === undefined ? undefined : topicOf(about)
  return {
    stance,
    told: { ...claimOf(`${text} ${value}`, names), ...(topic && { topic }) },
    grounds: stance === 'rule' ? [] : claims,
    conditions: stance === 'rule' ? claims : [],
    changed: stance === 'change' && topic ? [topic] : [],
    ended: new Set(),
  }
}

function topicOf(noun: string): Set<string> {
  return new Set(analyze(noun).filter((term) => !CHANGING.has(term)))
}

function toldClaims(text: string): Claims {
  const names = namesIn(text)
  const claim = (part: string) => claimOf(part, names)
  const told = sentences(text).filter((sentence) => !sentence.endsWith('?'))
  const read = told.map((sentence) => {
    const folded = fold(sentence).replace(LEAD, '')
    return { folded, clauses: clausesIn(folded) }
  })
  const stance = stanceOf(read.filter((one) => !pointsBack(one.clauses, claim)).map(({ folded }) => folded))
  const isChange = stance === 'change' && !read.some(({ folded }) => ALSO.test(folded))
  const main = read.map(({ folded, clauses }) => outside(folded, clauses)).join(' . ')
  const claims = read.flatMap(({ clauses }) => clauses).map((clause) => ({ ...clause, ...claim(clause.text) }))
  return {
    stance,
    told: statementOf(claim(main), main),
    grounds: claims.filter(({ isCondition }) => !isCondition),
    conditions: claims.filter(({ isCondition }) => isCondition),
    changed: isChange ? read.flatMap(({ folded }) => changedIn(folded)).filter(({ size }) => size > 0) : [],
    ended: new Set(isChange ? read.flatMap(({ folded }) => endedIn(folded, names)) : []),
  }
}

/** Whether what would have to come about is only pointed at, and not named. */
function pointsBack(clauses: readonly LeaningClause[], claim: (text: string) => Claim): boolean {
  const conditions = clauses.filter(({ isCondition }) => isCondition)
  return conditions.length > 0 && conditions.every(({ text }) => tellingTerms(claim(text)).length === 0)
}

/** Terms of a text that name something and do not only say that something changes. */
export function tellingTerms({ terms }: Claim): string[] {
  return [...terms].filter((term) => !CHANGING.has(term))
}

function claimOf(text: string, names: ReadonlySet<string>): Claim {
  const terms = new Set(words(text).flatMap((word) => (LIGHT_WORDS.has(word) ? [] : analyze(word))))
  const named = new Set([...terms].filter((term) => names.has(term)))
  return { terms, names: named, owned: terms }
}

/** Something that is told: what it speaks of in passing is not what it is about. */
function statementOf(claim: Claim, text: string): Claim {
  const nouns = [...text.matchAll(HAD)].flatMap(([, noun]) => [...nounTerms(noun!)])
  const said = [...text.matchAll(SAID_TO_BE)].flatMap(([, noun]) => [...nounTerms(noun!)])
  return { ...claim, owned: new Set([...nouns, ...said, ...claim.names]) }
}

/** Terms of what is written as a name, or is in no dictionary. */
function namesIn(text: string): Set<string> {
  const names = new Set<string>()
  for (const sentence of sentences(text)) {
    const written = [...sentence.matchAll(/[\p{L}\p{N}]+(?:['\u2019\-.:/][\p{L}\p{N}]+)*/gu)]
    for (const [i, { 0: word, index }] of written.entries()) {
      const isFirst = i === 0 || /[:.]\s*["\u201c]?$/.test(sentence.slice(0, index))
      const isWritten = /^\p{Lu}/u.test(word) && word !== 'I' && !isFirst
      for (const part of word.split('-'))
        if (isWritten || isName(fold(part))) for (const term of analyze(part)) names.add(term)
    }
  }
  return names
}

/** A sentence without its clauses. */
function outside(sentence: string, clauses: readonly { from: number; to: number }[]): string {
  let [rest, at] = ['', 0]
  for (const { from, to } of clauses) {
    if (from < at) continue
    rest += `${sentence.slice(at, from)} `
    at = to
  }
  return rest + sentence.slice(at)
}

function changedIn(sentence: string): Set<string>[] {
  const nouns = CHANGED.flatMap((pattern) => [...sentence.matchAll(pattern)].map(([, noun]) => noun!))
  for (const { 1: noun, 2: value, index } of sentence.matchAll(SAID_TO_BE))
    if (NOW.test(value!) || NOW_BEFORE.test(sentence.slice(0, index))) nouns.push(noun!)
  return nouns.map(nounTerms)
}

/** Terms of the words that a text begins with, as far as none of them only joins others. */
function nounTerms(text: string): Set<string> {
  const told = text.trim().split(' ')
  const end = told.findIndex((word) => FUNCTION_WORDS.has(word))
  const terms = told.slice(0, end < 0 ? undefined : end).flatMap((word) => analyze(word))
  return new Set(terms.filter((term) => !CHANGING.has(term)))
}

function endedIn(sentence: string, names: ReadonlySet<string>): string[] {
  return [...sentence.matchAll(ENDED)].flatMap(({ 0: word, index }) => {
    const behind = sentence
      .slice(index + word.length)
      .trim()
      .split(' ')
      .slice(0, BEHIND)
    return behind.flatMap((one) => analyze(one)).filter((term) => names.has(term))
  })
}
