import { isOf } from './forget-words.js'

/** In quotation marks: a title or a saying, which asks for nothing itself. */
export const QUOTED = /"([^"]+)"|(?<![\p{L}\p{N}])'((?:(?!\s').)+)'(?![\p{L}\p{N}])/gu
/** Stands for a thing in quotation marks. */
const QUOTE = '\ue000'

/** What somebody wants forgotten. */
export interface ForgetWish {
  /** Where the sentence that asks stands among those of a turn. */
  at: number
  /** What is to go, as it is put, without whose it is: "dentist", "where we keep our passwords". Empty where nothing is named. */
  object: string
  /** It may as well take back what was said: "scrap that". */
  isRetraction: boolean
  /** It repeats what was said: "forget that I sing". */
  isStatement: boolean
}

/** Words of a sentence that are read: nobody asks at greater length. */
const LONGEST = 160
/** How far before a verb a word stands that turns it around. */
const NEAR = 6
/** How far behind a verb the word stands at the latest that says whose something is, and the second word of a verb of two. */
const WHOSE = 9
const PARTED = 10

/** Classes of the words that a request has one of. */
const ASKING = [
  'remove',
  'parted',
  'removing',
  'keep',
  'keeping',
  'kept',
  'removed',
  'moved',
  'leaving',
  'of',
  'pretend',
] as const

/** Reads those of the folded sentences of a turn that want something forgotten. Things in quotation marks are one sign each. */
export function readForgetWishes(turn: readonly string[]): ForgetWish[] {
  const read = turn.map((sentence) => wordsOf(sentence.replace(QUOTED, ` ${QUOTE} `)))
  const ofMemory = read.map((words) => words.some((_, i) => isMemoryAt(words, i) || isToldAt(words, i)))
  let [isNamedBefore, named] = [false, -1]
  return read.flatMap((words, at): ForgetWish[] => {
    const wishes = wishesIn(words, at)
    if (words.some((word) => isOf(word, 'whose'))) named = at
    isNamedBefore ||= named === at || ofMemory[at]!
    return wishes
  })

  function wishesIn(words: readonly string[], at: number): ForgetWish[] {
    // In a long turn it is another matter what was told or is on file somewhere.
    const isOfMemory = [at - 1, at, at + 1].some((near) => ofMemory[near])
    const isNamed = isNamedBefore || ofMemory[at]! || (ofMemory[at + 1] ?? false)
    for (let i = 0; i < words.length; i++) {
      if (!isOf(words[i], ...ASKING) || isReportedAt(words, i)) continue
      const region = wishedAt(new Clause(words, i, { isOfMemory, isInMemory: ofMemory[at]!, isNamedBefore: isNamed }))
      if (!region) continue
      const names = namesIn(region)
      const before = names.length > 0 ? '' : nameAhead(words.slice(0, i)) || (named < 0 ? '' : nameIn(read[named]!))
      const isStatement = region[0] === 'that' || isOf(region[0], 'speaker')
      const isRetraction = isOf(words[i], 'retracts')
      return (names.length > 0 ? names : [before]).map((object) => ({ at, object, isRetraction, isStatement }))
    }
    return []
  }
}

function wordsOf(sentence: string): string[] {
  const said = sentence.replace(/\b(mrs?|ms|dr|prof|st)\. /g, '$1 ')
  const words = said.match(/[\p{L}\p{N}\ue000](?:(?:[\p{L}\p{N}'_/@.:+&-]|,(?=\d{3}))*[\p{L}\p{N}])?|[.,;:!?-]/gu) ?? []
  return words.slice(0, LONGEST).map((word) => word.replace(/^un-/, 'un'))
}

/** Whether words speak of what an assistant keeps: "your notes", "on file", "what you know". */
function isMemoryAt(words: readonly string[], i: number): boolean {
  const [word, ...next] = words.slice(i, i + 5)
  if (isOf(word, 'your')) {
    const isWithin = isOf(words[i - 1], 'of', 'inside')
    return next.slice(0, 2).some((one) => isOf(one, 'kind') || (isWithin && isOf(one, 'memory')))
  }
  if (isOf(word, 'of'))
    return (word === 'of' && next[0] === 'there') || isOf(isOf(next[0], 'determiner') ? next[1] : next[0], 'kind')
  return (
    isOf(word, 'whatever') && /^(?:you|u)\b/.test(next[0] ?? '') && next.some((one) => isOf(one, 'keep', 'kept', 'got'))
  )
}

/** Whether a word is in what somebody said to somebody else: "my doctor said: …". */
function isReportedAt(words: readonly string[], at: number): boolean {
  const before = words.slice(0, words.slice(0, at).lastIndexOf(':') + 1)
  if (isOf(before[0], 'about', 'clause')) return false
  return before.some((word) => isOf(word, 'reporting')) && !before.some((word) => isOf(word, 'you'))
}

/** Whether they speak of what it was told, or of what is nobody else's affair. */
function isToldAt(words: readonly string[], i: number): boolean {
  if (isOf(words[i], 'private')) return true
  if (!isOf(words[i], 'telling') || isOf(words[i + 1], 'other', 'whose')) return false
  return isOf(words[i + 1], 'you') || words.slice(Math.max(0, i - 3), i).some((one) => isOf(one, 'speaker'))
}

/** A word in a sentence, with what is known around it. */
class Clause {
  readonly word: string
  readonly behind: readonly string[]
  /** Words before it, as far as the last sign. */
  readonly ahead: readonly string[]
  /** The sentence or one beside it speaks of what an assistant keeps. */
  readonly isOfMemory: boolean
  /** The sentence itself does. */
  readonly isInMemory: boolean
  /** Something was named before that "it" may mean. */
  readonly isNamedBefore: boolean

  constructor(
    readonly words: readonly string[],
    readonly at: number,
    known: Pick<Clause, 'isOfMemory' | 'isInMemory' | 'isNamedBefore'>,
  ) {
    this.isOfMemory = known.isOfMemory
    this.isInMemory = known.isInMemory
    this.isNamedBefore = known.isNamedBefore
    this.word = words[at]!
    this.behind = words.slice(at + 1)
    this.ahead = words.slice(words.slice(0, at).findLastIndex(isSign) + 1, at)
  }

  /** Where the last word before it stands that turns it around; -1 where none does. */
  get negation(): number {
    const from = Math.max(0, this.ahead.length - 2 * NEAR)
    const found = this.ahead.slice(from).findLastIndex((word) => isOf(word, 'not'))
    return found < 0 ? -1 : from + found
  }

  /** Whether it is said for somebody to do it: an order, a question, a wish. */
  get isAsked(): boolean {
    const ahead = this.ahead.slice()
    let isJoined = false
    while (isOf(ahead.at(-1), 'between')) isJoined = isOf(ahead.pop(), 'joins') || isJoined
    const [last, one, ...others] = ahead.toReversed()
    if (last === undefined || (isJoined && !isOf(ahead[0], 'subject'))) return !this.isOfTeller
    if (isOf(last, 'you')) return isOf(one, 'want') || (isOf(one, 'modal') && !isOf(others.at(-1), 'clause'))
    if (isOf(last, 'modal')) return isOf(one, 'you') && others.length === 0
    if (last === 'to') return isOf(one, 'you', 'favour') || (this.isOfMemory && isOf(one, 'want'))
    return isOf(last, 'asking')
  }

  /** Whether it only goes on with what somebody does: "I read there and forget the time". */
  private get isOfTeller(): boolean {
    const before = this.words.slice(0, this.at)
    const isDoing = before.some((word, i) => isOf(word, 'subject') && isOf(before[i + 1], 'modal'))
    const isJoined = this.ahead.includes('and') && before.some((word) => isOf(word, 'subject'))
    return (isDoing || isJoined) && !this.isOfMemory && !this.words.some((word) => isOf(word, 'polite'))
  }

  /** Whether what is behind is of the speaker. */
  get isOwn(): boolean {
    return this.behind.slice(0, WHOSE).some((word) => isOf(word, 'whose', 'speaker'))
  }

  /** Whether words only point at something: "it", "that one", "that entry". */
  isPointing([first, ...next]: readonly string[]): boolean {
    if (first === undefined || isSign(first) || isOf(first, 'pronoun')) return true
    const second = isOf(next[0], 'part') ? next[1] : next[0]
    if (!isOf(first, 'pointing') || isOf(second, 'speaker', 'you') || (first === 'everything' && second === 'with'))
      return false
    return second === undefined || isSign(second) || isOf(second, 'end', 'between', 'polite')
  }

  /** Whether something was named before it, in a sentence or in front of a sign: "the padlock numbers, lose them". */
  get isNamedAhead(): boolean {
    const before = this.words.slice(0, this.at - this.ahead.length)
    if (before.at(-1) === ':' && before.length > 1) return true
    const isFragment = isOf(before[0], 'fragment') && before.filter(isSign).length === 1
    return this.isNamedBefore || isFragment || this.words.slice(0, this.at).some((word) => isOf(word, 'whose'))
  }
}

/** The words among which what is to go is named, where a word says that something is; empty where it is only pointed at. */
function wishedAt(clause: Clause): readonly string[] | null {
  return ordered(clause) ?? unkept(clause) ?? toGo(clause) ?? outOfMemory(clause) ?? pretended(clause)
}

/** "Forget my …", "could you take my … out of your notes". */
function ordered(clause: Clause): readonly string[] | null {
  const { word, ahead, behind, isOfMemory } = clause
  const particle = behind.slice(0, PARTED).findIndex((one) => isOf(one, 'particle'))
  const said = behind.slice(particle === 0 ? 1 : 0)
  const region = said.slice(Math.max(0, said.slice(0, 2).lastIndexOf(':') + 1))
  const isPart = isOf(region[0], 'determiner') && isOf(region[1], 'part')
  const isBehindColon = clause.words[clause.at - clause.ahead.length - 1] === ':'
  const isClear = isOfMemory || isPart || (isBehindColon && isOf(region[0], 'pronoun', 'pointing'))
  const isParted = isOf(word, 'parted') && particle >= 0 && isClear
  const isDoing = isOf(word, 'removing') && isOf(ahead.at(-1), 'doing')
  if (!isOf(word, 'remove') && !isParted && !isDoing) return null
  if (clause.negation >= ahead.length - NEAR && clause.negation >= 0) return null
  if (!isDoing && !clause.isAsked) return null
  if (isOf(region[0], 'person') || region[0] === 'nothing') return null
  if (isOf(behind[0], 'some') && !behind.includes(':') && !behind.includes('namely')) return null
  const isWritten = isOf(word, 'ofMemory', 'strong')
  if (clause.isPointing(isOf(region[0], 'of') ? region.slice(1) : region))
    return clause.isNamedAhead && (isWritten || isOfMemory || isBehindColon) ? [] : null
  const isPolite = clause.words.some((one) => isOf(one, 'polite'))
  const isMeant =
    isOf(word, 'ofMemory') ||
    isOfMemory ||
    (isWritten && (clause.isOwn || isPolite) && !namedIn(region).some((one) => isOf(one, 'edited'))) ||
    isOf(behind[0], 'asked') ||
    (isPart && isOf(region[2], 'about'))
  const isIdle = word === 'forget' && behind[0] === 'about' && /ing$/.test(behind[1] ?? '')
  const isTalk = word === 'forget' && ahead.at(-1) === "let's" && !isOfMemory
  const isElsewhere = !isOfMemory && !isOf(word, 'ofMemory') && region[0] !== 'that' && isPlaced(region)
  return isMeant && !isIdle && !isTalk && !isElsewhere ? region : null
}

/** The words that name something, without what is said of it: "the fact that we …", but not "the part that has …". */
function namedIn(region: readonly string[]): readonly string[] {
  const clause = region.findIndex((word, i) => i > 0 && word === 'that' && isOf(region[i + 1], 'whose', 'speaker'))
  return region.slice(0, clause < 0 ? WHOSE : Math.min(clause, WHOSE))
}

/** Whether words name a place that keeps no memories: "from the letter". */
function isPlaced(region: readonly string[]): boolean {
  return region.some(
    (word, i) =>
      isOf(word, 'from', 'inside') && /^(?:the|this|that)$/.test(region[i + 1] ?? '') && !isOf(region[i + 2], 'memory'),
  )
}

/** "Don't keep my …", "I'd rather you didn't know …", "I don't want … stored". */
function unkept(clause: Clause): readonly string[] | null {
  const { word, ahead, behind, isOwn, isOfMemory, negation } = clause
  if (!isOf(word, 'keep', 'keeping', 'kept') || negation < 0) return null
  const [before, between] = [ahead.slice(0, negation), ahead.slice(negation + 1)]
  const who = before.findLast((one) => !isOf(one, 'between', 'auxiliary'))
  const isWanted = between.some((one) => isOf(one, 'wish'))
  const isMinding = isOf(word, 'minding')
  if (isOf(word, 'kept')) {
    const isLast = behind[0] === undefined || isSign(behind[0]) || isOf(behind[0], 'nowhere')
    if (!isOfMemory && !isMinding && !(isLast && ahead.at(-1) === 'be')) return null
    const isTold = isWanted || [...before, ...between].some((one) => isOf(one, 'wish', 'should'))
    const isNamed = ahead.some((one) => isOf(one, 'whose'))
    if (isTold && isOf(ahead[0], 'clause')) return before
    return isTold && (isOfMemory || isNamed || clause.isNamedBefore) ? (isNamed ? ahead : []) : null
  }
  if (!isOfMemory && !isOwn && !isOf(behind[0], 'pointing', 'pronoun', 'clause')) return null
  // Others may know something, and people keep things at home.
  const isOfYou = [...before.slice(-2), ...between].some((one) => isOf(one, 'you'))
  // Who asks whether somebody knows, or says where something is to be kept, means no memory.
  const isQuestion = isOf(between[0], 'you') && clause.words.at(-1) === '?'
  const isElsewhere = isPlaced(behind) || behind.some((one) => isOf(one, 'outdoors'))
  const isBare = !isWanted && !isOfYou && !isOf(behind[0], 'clause')
  if (!isOfMemory && (isQuestion || (isBare && isElsewhere))) return null
  const isOrdered =
    who === undefined &&
    ((word === 'keep' && (isOwn || clause.isPointing(behind)) && !isOf(behind[0], 'person')) || isMinding)
  if (!isOfMemory && !isOfYou && !isOrdered && !(isMinding && ahead[negation] === 'no')) return null
  const isNeedless = ahead[negation] === 'no' && isOf(between[0], 'need')
  const isOrder =
    (who === undefined && isOf(ahead[negation], 'order')) ||
    (isOf(who, 'asking', 'polite') && !isOf(who, 'you')) ||
    (ahead[negation] === 'stop' && isOf(who, 'modal', 'you'))
  const isWished = before.some((one) => isOf(one, 'wish'))
  const isBanned = isOf(ahead[negation], 'ban') || (ahead[negation] === 'not' && isOf(ahead[negation - 1], 'modal'))
  const isForbidden = isOf(who, 'you') ? isBanned || isWished : who === 'to' && isWished
  if (isOf(word, 'having') && !isOfMemory && !isWished) return null
  if (!isWanted && !isNeedless && !isOrder && !isForbidden) return null
  return clause.isPointing(behind) ? [] : behind
}

/** "I want my … gone", "… needs to be deleted", "… has to go from your notes". */
function toGo({ word, ahead, behind, isInMemory: isOfMemory, isNamedBefore }: Clause): readonly string[] | null {
  const isLeaving = isOf(word, 'leaving') && behind.slice(0, 3).some((one) => isOf(one, 'from', 'your'))
  const isGone =
    isOf(word, 'removed') ||
    (isOf(word, 'moved') && isOf(behind[0], 'particle', 'back')) ||
    (isOf(word, 'removing') && isOf(ahead.at(-1), 'should'))
  if ((!isGone && !(isLeaving && isOfMemory)) || ahead.some((one) => isOf(one, 'not'))) return null
  const should = ahead.findLastIndex((one) => isOf(one, 'should', 'wish'))
  // Who has removed something tells of it.
  if (should < 0 || isOf(ahead.at(-1), 'past')) return null
  const isWish = isOf(ahead[should], 'wish')
  if (!isOfMemory && !(isOf(word, 'data') && (word === 'forgotten' || isOf(ahead[0], 'wisher')))) return null
  const region = isWish ? ahead.slice(should + 1) : ahead.slice(0, should)
  const isNamed = region.some((one) => isOf(one, 'whose'))
  const isOfSpeaker = isWish && region.length > 0 && isOf(ahead[0], 'wisher')
  if (!isOfMemory && !isNamed && !isOfSpeaker) return null
  if (region.some((one) => !isOf(one, 'pointing', 'pronoun', 'between', 'lead'))) return region
  return isNamedBefore ? [] : null
}

/** "My … out of your notes", "I'd feel better if my … weren't in your memory". */
function outOfMemory({ word, ahead, words, at, negation, isNamedBefore }: Clause): readonly string[] | null {
  if (!isOf(word, 'of') || !isMemoryAt(words, word === 'out' ? at + 2 : at + 1)) {
    if (!isOf(word, 'of') || !isMemoryAt(words, at)) return null
  }
  const own = ahead.findIndex((one) => isOf(one, 'whose'))
  const isOut = isOf(word, 'from') && negation < 0
  if (isOut && own < 0 && isNamedBefore && ahead.some((one) => isOf(one, 'wish'))) return []
  const isNotIn = isOf(word, 'inside') && negation > Math.max(0, own) && (own >= 0 || isOf(ahead[0], 'fragment'))
  if (isNotIn) return ahead.slice(Math.max(0, own), negation)
  return isOut && own >= 0 ? ahead.slice(own) : null
}

/** "Pretend I never mentioned my …", "consider my … retracted". */
function pretended({ word, behind }: Clause): readonly string[] | null {
  if (!isOf(word, 'pretend')) return null
  const isNamed = behind.some((one) => isOf(one, 'whose'))
  const undone = behind.findIndex((one) => isOf(one, 'unsaid'))
  if (undone >= 0) return isNamed ? behind : null
  const said = behind.findIndex((one) => isOf(one, 'telling'))
  return said >= 0 && behind.slice(0, said).some((one) => isOf(one, 'not')) ? behind.slice(said + 1) : null
}

function isSign(word: string): boolean {
  return /^[.,;:!?-]$/.test(word)
}

/** What stands for the thing among words: behind "my" or "our", or what is told of, as far as it goes. */
function nameIn(region: readonly string[]): string {
  const isClauseAt = (i: number) =>
    isOf(region[i], 'clause') &&
    (isOf(region[i + 1], 'speaker', 'whose', 'does') || (i === 0 && isOf(region[0], 'asked'))) &&
    !region.slice(i + 2, i + 4).some((word) => isOf(word, 'telling'))
  const from = region.indexOf('from')
  const clause = region.findIndex((_, i) => isClauseAt(i) && !(from >= 0 && from < i))
  const own = region.findIndex((word) => isOf(word, 'whose'))
  if (clause >= 0 && (own < 0 || clause < own))
    return untilEnd(region.slice(region[clause] === 'that' ? clause + 1 : clause), 'stop')
  if (own >= 0) {
    // "The code for our alarm" is no alarm.
    const isPart = isOf(region[own - 1], 'partOf') && !isOf(region[own - 2], 'lead', 'telling')
    const head = isPart ? region.slice(0, own).lastIndexOf('the') : -1
    return untilEnd(region.slice(head >= 0 && own - head <= NEAR ? head + 1 : own + 1), 'stop', 'end')
  }
  const about = region.findIndex((word) => isOf(word, 'about'))
  const rest = region.slice(about + 1)
  const first = rest.findIndex((word) => !isOf(word, 'lead', 'between', 'pointing', 'polite') && !isSign(word))
  return first < 0 ? '' : untilEnd(rest.slice(first), 'stop', 'end')
}

/** What is named, thing by thing: "my dentist and my gym". */
function namesIn(region: readonly string[]): string[] {
  const first = region.findIndex((word) => isOf(word, 'whose', 'clause') || word === 'the')
  const starts = [...region.keys()].filter((i) => first >= 0 && i > first && isJoined(region, i))
  const parts = [0, ...starts].map((from, i) => region.slice(from, starts[i]))
  const wanted = parts.filter((part, i) => i === 0 || !part.some((word) => isOf(word, 'staying')))
  return wanted.map(nameIn).filter((name) => name !== '')
}

/** The name in front of the words that ask, as far as it is of the speaker's or stands apart: "the safe numbers, delete them". */
function nameAhead(words: readonly string[]): string {
  const isOwn = words.some((word) => isOf(word, 'whose'))
  return nameIn(isOwn ? words : words.slice(0, words.findLastIndex(isSign) + 1))
}

/** Whether something else that is named begins at a word: "and my gym", "and also the code", "and where I bank", ", my gym". */
function isJoined(region: readonly string[], at: number): boolean {
  if (!isOf(region[at], 'whose', 'clause') && region[at] !== 'the') return false
  const before = region[at - 1] === 'also' ? region[at - 2] : region[at - 1]
  return /^(?:and|or)$/.test(before ?? '') || (before === ',' && isOf(region[at], 'whose'))
}

function untilEnd(words: readonly string[], ...ends: ('stop' | 'end')[]): string {
  const end = words.findIndex((word, i) => i > 0 && (isSign(word) || isOf(word, ...ends)))
  return words.slice(0, end < 0 ? undefined : end).join(' ')
}
