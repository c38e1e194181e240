import { fold, sentences } from '../../src/base/text.js'
import { ScriptedModel } from '../../src/gateway/index.js'
import { hasExclusivity, isNegated } from '../../src/language/markers.js'
import { coverage } from '../../src/language/match.js'
import { digitsOf } from '../../src/language/numbers.js'
import { says } from '../../src/language/stance.js'
import { contentTokens, plainWords } from '../../src/language/tokens.js'
import { follow, isWord, synsets } from '../../src/language/wordnet.js'
import { stepIn } from './planter.js'

type History = { speaker: string; text: string }[]
type Row = { row: number }

/**
 * A model that reads over what another wrote, as auditor and as judge, by rules of its own: it compares claims with the words of the text, and
 * looks for what takes them back. It sees what any auditor sees, and nothing of the ledger.
 */
export function readingModel(prompts: URL, onAsk: (step: string) => void): ScriptedModel {
  return new ScriptedModel({
    rules: [],
    otherwise: ({ request }) => {
      const [step, input] = stepIn(request.messages, prompts)
      onAsk(step)
      const read = READERS[step]
      if (!read) throw new Error(`${step} is no step of an auditor`)
      return { json: read(input as never) }
    },
  })
}

const READERS: Readonly<Record<string, (input: never) => unknown>> = {
  audit: ({ rows }: { rows: (Row & { text: string; claims: string[] })[] }) => ({
    rows: rows.map(({ row, text, claims }) => {
      const found = claims.map((claim) => problemOf(text, claim))
      return { row, holds: found.map((why) => why === null), why: found.filter((why) => why !== null).join('; ') }
    }),
  }),
  guess: ({ rows }: { rows: (Row & { question: string })[] }) => ({
    rows: rows.map(({ row, question }) => ({ row, ...guessFrom(question) })),
  }),
  'long-hop-conflicts': ({ chains }: { chains: { id: string; facts: string[] }[] }) => ({ drop: conflictsIn(chains) }),
  'session-audit': ({ history, rows }: { history: History; rows: (Row & { text: string })[] }) => ({
    rows: rows.map(({ row, text }) => ({ row, ...auditOf(history, text.replace(/^It is so of the user: /, '')) })),
  }),
  'filler-conflict': ({ filler, rows }: { filler: string; rows: (Row & { fact: string })[] }) => ({
    rows: rows.map(({ row, fact }) => ({ row, conflict: conflictOf(filler, fact) })),
  }),
  coherence: ({ history, to_remember }: { history: History; to_remember: string }) => {
    const why = incoherence(history, to_remember)
    return { coherent: why === null, why: why ?? '' }
  },
  grounding: ({ turns, rows }: { turns: History; rows: (Row & { question: string })[] }) => ({
    rows: rows.map(({ row, question }) => {
      const why = ungrounded(turns, question)
      return { row, yes: why === null, why: why ?? '' }
    }),
  }),
}

const BACK =
  /\b(?:it|that|this|these|those|none|nothing|all of (?:it|that|this)|no such thing|such things?|the (?:story|tale|habit|rule|thing|matter|truth))\b/
const UNTRUE =
  /\b(?:untrue|false|lies?|made up|made that up|invent\w*|jok(?:e|es|ing)|kidding|myth|legend|mix(?:ed|ing)?[ -](?:\w+ )?up|mistak\w*|mistook|wrong|incorrect|opposite|confus\w*|den(?:y|ies|ied)|nonsense|rubbish|fiction\w*|somebody else|not so|never so|no such|nothing of)\b/
const OVER =
  /\b(?:no longer|any ?more|any longer|over|end(?:ed)?|put an end|stop(?:s|ped)?|quit|dropped|g(?:ave|iven|ive) (?:\w+ )?up|abandon\w*|years? ago|long ago|long since|in the past|used to|once was|once upon|did hold|until|out of date|outdated|has changed|changed since|before everything|scrap|forget|break with|gone|passed|lost all|for ages|a long while|gr(?:ew|own) out|closed|let it go|strike)\b/

/** Names that no dictionary has. */
function namesIn(text: string): string[] {
  const found = [...text.matchAll(/(?<!^|[.!?]\s)\p{Lu}[\p{L}-]{2,}/gu)].map(([name]) => fold(name))
  return found.filter((name) => !isWord(name))
}

/** Whether a sentence looks back at what was said, has little of its own, and says that it is not so, or no longer. */
function takesBack(sentence: string, { besides = '', name }: { besides?: string; name?: string } = {}): boolean {
  const text = fold(sentence)
  const rest = name === undefined ? sentence : sentence.replaceAll(name, 'he')
  const unsaid = (pattern: RegExp) => pattern.test(text) && !pattern.test(fold(besides))
  const own = contentTokens(rest).length
  if (own > MOST_WORDS || namesIn(rest).length > 0 || (!BACK.test(text) && own > 3)) return false
  return unsaid(UNTRUE) || unsaid(OVER) || says('revoked', text, true) || (isNegated(text) && !isNegated(besides))
}

const MOST_WORDS = 7

const UNREAL =
  /\b(?:dream\w*|wish\w*|suppos\w*|imagin\w*|pretend\w*|novel|hero|heroine|character|play|film|song|poem|book|story|boast\w*|give to be|what if|were so|if (?:things|i|it)|maybe|perhaps|one day|would (?:have|tell|say|be able))\b/
const QUOTED =
  /\b(?:he|she|they|him|her|himself|herself|colleague|friend|neighbou?r|sister|brother|cousin|boss|people|somebody|someone)\b[^.:]*\b(?:sa(?:id|ys|ying)|t(?:ell|ells|elling|old)|claims?|keeps)\b[^.:]*:|\bsa(?:id|ys) (?:this )?of (?:him|her)self\b/

/** What is wrong with a claim about a text; null where it follows from it. */
function problemOf(text: string, claim: string): string | null {
  if (claim.startsWith('In the situation')) return null
  const [, thing] = /^The speaker likes (.*)\.$/s.exec(claim) ?? []
  if (thing !== undefined) return unliked(text, thing)
  const [, end] = /^Asked ".*", all of these together lead to this answer alone: (.*)$/s.exec(claim) ?? []
  if (end !== undefined) {
    const denied = text.split('\n').find(isDenied)
    return denied !== undefined ? `denied: ${denied}` : isNamed(end, text) ? null : `not named: ${end}`
  }
  const [, answer] = /^Asked ".*", this is right: (.*)$/s.exec(claim) ?? []
  if (answer !== undefined)
    return isNamed(answer, text) && coverage(answer, text).score >= 0.6 ? null : `not told: ${answer}`
  const [, told] = /^About [^:]*: (.*)$/s.exec(claim) ?? []
  if (told !== undefined && !text.includes(told)) return `not told: ${told}`
  const name = claim.replace(/^About /, '').split(/[ :]/)[0]!
  const back = sentences(text).find(
    (sentence) => sentence !== told && takesBack(sentence, { name }) && !isTie(sentence, name),
  )
  if (back !== undefined) return `taken back: ${back}`
  if (told !== undefined) return null
  const [, behavior, condition] = /^\S+ (.*?) only (.*)\.$/s.exec(claim)!
  return ruleProblem(text, name, behavior!, condition!)
}

/** Every number and every name of a claim stands in a text. */
function isNamed(claim: string, text: string): boolean {
  const there = new Set(plainWords(text).map((word) => digitsOf(word) ?? word))
  const names = [...claim.matchAll(/(?<=\s)\p{Lu}[\p{L}-]+/gu)].flatMap(([name]) => plainWords(name))
  const numbers = plainWords(claim).flatMap((word) => digitsOf(word) ?? [])
  return [...names, ...numbers].every((word) => there.has(word) || there.has(word.replace(/s$/, '')))
}

function isDenied(fact: string): boolean {
  const text = fold(fact)
  return (
    isNegated(text) ||
    UNTRUE.test(text) ||
    /\b(?:used to|no (?:road|way|link)|nothing|not once|stop|end to|out of it|apart|in vain)\b/.test(text)
  )
}

/** Whether a text speaks of the speaker: "I", "me", or something of mine that is nobody else. */
function isMine(text: string): boolean {
  if (/\bI\b|\b(?:for|find|got|suits?|makes?|gives?|pleases?|keeps?|to) me\b/.test(text)) return true
  return [...text.matchAll(/\b[Mm]y ([\p{L}-]+)/gu)].some(([, noun]) =>
    ['choice', 'heart', 'taste', 'favourite', 'weakness'].includes(noun!),
  )
}

function unliked(text: string, thing: string): string | null {
  const plain = text.replace(thing, 'it')
  if (!isMine(plain) || coverage(thing, text).score < 0.8) return `not of the speaker: ${text}`
  // What others think of it stands in a clause of its own.
  const own = plain.split(/(?<=[,;:])/).filter((part) => isMine(part) || /\bit\b/.test(part))
  const said = own
    .filter((part) => !/\b(?:although|which|as|just as)\b|^\s*(?:and|but) (?:the|an?|my)\b/.test(part))
    .join(' ')
  return isNegated(said) ||
    DISLIKED.test(fold(said)) ||
    OVER.test(fold(said)) ||
    /\b(?:say(?:s|ing)?|said) no\b/.test(said)
    ? `not liked: ${said}`
    : null
}

function ruleProblem(text: string, name: string, behavior: string, condition: string): string | null {
  const told = sentences(text)
  const whole = told.filter((one) => coverage(behavior, one).score >= 0.7 && coverage(condition, one).score >= 0.6)
  for (const one of whole) {
    if (!isNamed(condition, one)) return `another number or name: ${one}`
    if (!hasExclusivity(one)) return `other times will do, too: ${one}`
    const isPlain = fold(one).includes(fold(`${behavior} only ${condition}`))
    if (!isPlain && INVERTED.test(fold(one))) return `turned round: ${one}`
    if (!isActor(one, name, behavior)) return `of somebody else: ${one}`
  }
  if (whole.length > 0) return null
  const nearest = (part: string) =>
    told.reduce((best, one) => (coverage(part, one).score > coverage(part, best).score ? one : best), told[0]!)
  const [does, when] = [nearest(behavior), nearest(condition)]
  if (coverage(behavior, does).score < 0.5) return 'nobody does it'
  if (coverage(condition, when).score < 0.4 || !isNamed(condition, text)) return 'the condition is not told'
  return told.some((one) => one !== does && one !== when && isLink(one, name)) ? null : 'nothing ties the two'
}

/** At all times but one, where it should be at one alone. */
const INVERTED =
  /\b(?:at all times|all other|any (?:time|moment)|otherwise|whenever one likes|leaves? it|only not|but never|not do it|refuses?|save (?:when|after|before|while|during|in|on|at|with)|stops|unless it is)\b/
const DISLIKED =
  /\b(?:hat(?:e|es|ed)|dislik\w*|detest\w*|cannot stand|avoid|got rid|tired of|puts? me off|cold|dreary|bor(?:e|es|ing)|overrated|not for me|without|away from|done away|fail to see|loath\w*|sworn off|bargepole|never saw|do not miss|relieved|handed)\b/

/** Whether a word names a person or an animal, in its first sense. */
function isSomebody(word: string): boolean {
  let [sense] = synsets(word, 'n')
  for (let level = 0; sense && level < 8; level++) {
    if (sense.words.some((one) => one === 'person' || one === 'animal')) return true
    const up = sense.pointers.find(({ symbol }) => symbol === '@')
    sense = up && follow(up)
  }
  return false
}

/** Nobody stands between a name and what is done. */
function isActor(sentence: string, name: string, behavior: string): boolean {
  const verb = behavior.split(' ')[0]!
  const at =
    [verb, verb.slice(0, -1), verb.slice(0, -2)]
      .map((form) => sentence.search(new RegExp(`\\b${form}\\b`, 'i')))
      .find((place) => place >= 0) ?? -1
  const from = sentence.lastIndexOf(name, at < 0 ? sentence.length : at)
  if (at < 0 || from < 0) return at < 0
  const between = plainWords(sentence.slice(from + name.length, at))
  return !between.some((word) => isSomebody(word)) && !/\bof $/.test(sentence.slice(0, from))
}

/** A sentence that says of what it points back to when somebody acts, and when not. */
function isTie(sentence: string, name: string): boolean {
  return isLink(sentence, name) && plainWords(sentence).length > 16 && /[,;:] /.test(sentence)
}

/** A sentence that has somebody at a time or a place that it points back to. */
function isLink(sentence: string, name: string): boolean {
  const text = fold(sentence)
  const points =
    /\b(?:then|(?:in|at|on|by|with|to|under|after|during|of|into|before|from) (?:an? \w+ (?:like|of) )?(?:that|those|these|this|such)|like (?:that|this)|as that|while that|that often|so (?:little|much|many)|marked so|with (?:the \w+ kept|any (?:other|lower|higher))|one goes with the other|belong together|in time of)\b/
  return points.test(text) && sentence.includes(name) && !UNTIED.test(text)
}

const UNTIED =
  /\b(?:chance|random|apart|whether|no (?:rule|order|pattern|connection|link|bearing)|have found none|may be)\b/

const DOING =
  /\b(?:do|does|doing|did|done) (?:it|that|so|this)\b|\b(?:it|that) (?:is|was)\b|^it\b|\bsa(?:id|ys) (?:no|yes)\b|\b(?:rules?|ruled) it (?:out|in)\b|\bthe plan\b/

const NO = /\b(?:no|out of the question|unlikely|ruled it out|the last thing)\b/

/** A statement that comes back to what is asked of somebody tells the answer. */
function guessFrom(question: string): { answer: string; sure: boolean } {
  const told = sentences(question)
  const asked = told.filter((one) => one.trim().endsWith('?')).join(' ')
  const names = [...asked.matchAll(/\p{Lu}[\p{L}-]+/gu)].map(([name]) => name).filter((name) => !isWord(fold(name)))
  const telling = told.find((one) => {
    const name = names.find((each) => one.includes(each))
    if (one.trim().endsWith('?') || name === undefined) return false
    return (
      DOING.test(fold(one)) &&
      namesIn(one.replaceAll(name, 'he')).length === 0 &&
      contentTokens(one.replaceAll(name, ' ')).length <= 5
    )
  })
  if (telling === undefined) return { answer: 'cannot be known', sure: false }
  const no = isNegated(telling.replace(/\b(?:cannot|can't) resist\b/, 'likes')) || NO.test(fold(telling))
  return { answer: no ? 'No.' : 'Yes.', sure: true }
}

/** Chains that have a made-up name in common: the later one goes. */
function conflictsIn(chains: readonly { id: string; facts: string[] }[]) {
  const owner = new Map<string, string>()
  return chains.flatMap(({ id, facts }) => {
    const names = facts.flatMap(namesIn)
    const other = names.map((name) => owner.get(name)).find((one) => one !== undefined)
    if (other === undefined) for (const name of names) owner.set(name, id)
    return other === undefined ? [] : [{ id, because_of: other, why: 'a name in common' }]
  })
}

/** The user's turn that comes nearest to something. */
function turnFor(history: History, told: string): string {
  const turns = history.filter(({ speaker }) => speaker === 'user').map(({ text }) => text)
  const verbatim = turns.find((text) => text.includes(told))
  if (verbatim !== undefined) return verbatim
  return turns.reduce(
    (best, text) => (coverage(told, text).score > coverage(told, best).score ? text : best),
    turns[0] ?? '',
  )
}

/** What a turn says besides what it should. */
function restOf(turn: string, told: string): string[] {
  const known = sentences(told)
  return sentences(turn.replace(told, ' ')).filter((one) => one.trim() !== '' && !known.includes(one))
}

function auditOf(history: History, fact: string) {
  const turn = turnFor(history, fact)
  const rest = restOf(turn, fact)
  const framed = fold(rest.join(' '))
  const added = rest.find((one) => LIFE.test(fold(one)) || (!one.trim().endsWith('?') && isOwn(one, fact)))
  const checks = {
    said: coverage(fact, turn).score >= 0.6,
    exact: isNamed(fact, turn),
    as_fact: !UNREAL.test(framed) && !QUOTED.test(framed) && !/:\s*$/.test(framed.trim()),
    alone: !rest.some((one) => takesBack(one, { besides: fact })),
    nothing_added: added === undefined,
  }
  const wrong = Object.entries(checks).flatMap(([name, is]) => (is ? [] : name))
  return { ...checks, why: wrong.join(', ') }
}

/** Something about the speaker that is not in what was to be told. */
function isOwn(sentence: string, told: string): boolean {
  return /\b(?:I|I'm|I've|my|we|our)\b/i.test(sentence) && coverage(sentence, told).score < 0.5
}

function conflictOf(filler: string, fact: string): string {
  const [, subject] = /^(?:my|our|the) (.*?) is /i.exec(fact) ?? []
  if (subject === undefined) return 'none'
  const told = sentences(filler).find(
    (one) => new RegExp(`\\b(?:my|our) ${subject}\\b`, 'i').test(one) && coverage(fact, one).score < 0.9,
  )
  return told === undefined ? 'none' : 'contradiction'
}

/** What people learn of each other: kin, health, home, work, what is owned and what is given up. */
const LIFE =
  /\b(?:(?:my|our) (?:wife|husband|partner|daughters?|sons?|kids?|children|baby|brother|sister|mother|father|parents|dog|cat|rent|job|boss|car|flat|house|home|birthday|knees?|back|health|diet|salary|school)|allerg\w*|diabet\w*|pregnan\w*|vegetarian|vegan|asthma\w*|divorced|retired|unemployed|(?:i|we) (?:have |just |recently )?(?:moved|took|gave up|quit|bought|sold|own|adopted|married|play|live|work|have (?:a|two|three) bad)|expecting|(?:new|old) job|get(?:ting)? married|lives? with (?:us|me))\b/

function incoherence(history: History, toRemember: string): string | null {
  for (const { speaker, text } of history) {
    if (speaker !== 'user') continue
    const foreign = restOf(text, toRemember).find((one) => LIFE.test(fold(one)))
    if (foreign !== undefined) return `This would have to be remembered, too: ${foreign}`
    const isTold = sentences(toRemember).some(
      (one) => contentTokens(one).length > 1 && coverage(one, text).score >= 0.6,
    )
    const why = isTold ? unmeant(text, toRemember) : null
    if (why !== null) return why
  }
  return null
}

/** What is wrong with how a turn says something. */
function unmeant(turn: string, told: string): string | null {
  const rest = restOf(turn, told)
  const frame = fold(rest.join(' '))
  if (UNREAL.test(frame) || QUOTED.test(frame) || /:\s*$/.test(frame.trim())) return `It is not said as a fact: ${turn}`
  return rest.some((one) => takesBack(one, { besides: told })) ? `It is taken back: ${turn}` : null
}

function ungrounded(turns: History, question: string): string | null {
  const [, told] = /what these words say: "(.*)"\?$/s.exec(question) ?? []
  if (told === undefined) return null
  return unmeant(turnFor(turns, told), told)
}
