import { z } from 'zod'
import { readData } from '../../../../base/data-file.js'
import type { AnswerText, Line } from '../answer-lines.js'
import type { Mention } from '../items.js'

/** What an answer does with something it names: puts it forward, draws on it for something else, or sets it aside. */
export interface TasteStance {
  kind: 'forward' | 'drawn' | 'credit' | 'aside'
  /** Nothing in the sentence could be read the other way. */
  clear: boolean
}

const List = z.array(z.string())
const Lexicon = z.object({
  idioms: List,
  before: List,
  after: List,
  turns: List,
  drawn: List,
  credits: List,
  headings: List,
})

interface Patterns {
  idioms: RegExp
  before: RegExp
  after: RegExp
  turns: RegExp
  drawn: RegExp
  credits: RegExp
  headings: RegExp
}

let held: Patterns | undefined

function patterns(): Patterns {
  if (!held) {
    const read = readData(new URL('./stances.json', import.meta.url), Lexicon)
    const any = (list: readonly string[]) => `(?:${list.join('|')})`
    held = {
      idioms: new RegExp(`\\b${any(read.idioms)}`, 'g'),
      before: new RegExp(`\\b${any(read.before)}(?![\\p{L}])`, 'gu'),
      after: new RegExp(`(?<![\\p{L}])${any(read.after)}`, 'u'),
      turns: new RegExp(any(read.turns)),
      drawn: new RegExp(`\\b${any(read.drawn)}\\b(?:(?!\\b(?:love|like|enjoy|try)\\b)[^,;.]){0,30}$`),
      credits: new RegExp(`\\b${any(read.credits)}\\W*$`),
      headings: new RegExp(`\\b${any(read.headings)}\\b`),
    }
  }
  return held
}

/** What takes an item along in a list that began with "no": nothing that starts a clause of its own. */
const NO =
  /\b(?:no|not|nor|non|never|zero|neither|nothing (?:by|from|with|of|in|like)|without)(?: (?:more|any|longer|the|a|an|single|of|by|with|really|even|sign|trace))*((?:[ ,][^;.:!?]*)?)-?$/
const CLAUSE =
  /\b(?:i|you|it|he|she|they|we|here|this|that|there|is|are|was|were|has|have|will|so|because|since|as)\b|[:;]/
/** A sentence about what the one before it named. */
const BACK =
  /^(?:(?:so|and|but|well|sadly|alas|still|anyway|therefore|as (?:you|that|those)[^,]*),? )?(?:not (?:any ?more|any longer|this time|here|today|for you)|(?:that|those|they|it|he|she|both|these|all of (?:that|those|them)|(?:that|this) one)(?:'s|'re|'ve|'ll)?\b|none of (?:that|those|them|his|hers?|theirs?|it)|neither|no more of|nothing (?:of|by|from) (?:his|hers?|theirs?|that|the)|i(?:'ve|'m|'ll| have)? (?:\w+ ){0,2}(?:left|kept|skipped|dropped|avoided|cut|excluded|omitted|ignored) (?:it|them|him|her|that|those|these|both|all)\b)/
const NEGATIVE =
  /\b(?:no|not|nor|never|none|nothing|neither|without|skip\w*|avoid\w*|drop(?:ped)?|instead of|except|longer|any ?more|dislik\w*|hate[ds]?|off|out|aside|away|past|former|once|used to|ignor\w*|forget)\b|n't\b/

/** Where the user or the assistant comes in, something may be said of what they think of it, in words that are not known here. */
const SOMEBODY = /\b(?:you|your|i|me|my)\b/
const LIKING =
  /\b(?:lik(?:e|es|ed|ing)|lov(?:e|es|ed|ing)|enjoy\w*|fans?|favou?rites?|tastes?|prefer\w*|adore\w*|rate|into|suits?|perfect|great|ideal|interest(?:ed)? in|fond\w*|soft spot|drawn to|keen on|good|fun|since|given|if|want|mood|devoured|finished|read|seen|recommend|suggest|pick|choice|would|could|might|start|spend|book|visit|take|play|read|watch)\b/

/** Reads the sentence around a mention, and the next where that speaks of it. */
export function stanceOf(text: AnswerText, { line: at, at: start, end }: Mention): TasteStance {
  const line = text.lines[at]!
  const title = line.titles.find((one) => one.at <= start && end <= one.end)
  const own = ownStance(line, title?.at ?? start, title?.end ?? end)
  if (own.kind === 'aside') return own
  const next = text.lines[at + 1]
  if (!next || next.bullet || line.bullet || patterns().turns.test(line.plain)) return own
  const dismissed = BACK.test(next.plain) && patterns().after.test(` ${masked(next.plain)}`)
  const short = /^(?:so |and |well, )?not (?:any ?more|any longer|this time|for you|today)\b/.test(next.plain)
  return short || (dismissed && !/\bbut\b/.test(next.plain)) ? { kind: 'aside', clear: false } : own
}

function ownStance(line: Line, start: number, end: number): TasteStance {
  const { before, after, turns, drawn, credits, headings } = patterns()
  if (line.done || headings.test(line.heading)) return { kind: 'aside', clear: true }
  const plain = masked(line.plain)
  const head = plain.slice(0, start)
  const tail = plain.slice(end)
  const bare = head.replace(/[*"]/g, '')
  if (credits.test(bare)) return { kind: 'credit', clear: true }
  const no = NO.exec(bare)
  if (no && !CLAUSE.test(no[1]!) && !turns.test(no[1]!)) return { kind: 'aside', clear: true }
  for (const match of plain.matchAll(before)) {
    if (match.index + match[0].length > start) break
    const between = head.slice(match.index + match[0].length)
    if (between.length < 160 && !turns.test(between) && !broken(between)) return { kind: 'aside', clear: true }
  }
  const gone = after.exec(tail)
  if (gone && gone.index < 90 && attached(tail.slice(0, gone.index))) return { kind: 'aside', clear: true }
  const kind = drawn.test(bare.replace(/\s+$/, ' ')) ? 'drawn' : 'forward'
  const near = plain.slice(Math.max(0, start - 60), start) + plain.slice(end, end + 60)
  const told = line.bullet || /[*"]$/.test(head) || !SOMEBODY.test(plain)
  const liked = LIKING.test(head) || turns.test(head) || LIKING.test(tail.slice(0, 40))
  return { kind, clear: !NEGATIVE.test(near) && (told || liked) }
}

/** What lies between a word of setting aside and an item begins something else. */
function broken(between: string): boolean {
  return /[.!?] |, ~|, (?:i |you(?:'d| might| could| should)|here|then |why not|what about|how about|maybe|perhaps|(?:play|read|see|visit|book|spin|stream|queue|give|pick|choose|take|open|enjoy|revisit|explore) )|\b(?:liked?|loved?|enjoy(?:ed)?|favou?rites?)\b/.test(
    between,
  )
}

/** What lies between an item and the words that set it aside leaves them together: nothing, a list, a note. */
function attached(gap: string): boolean {
  const { before, turns } = patterns()
  if (gap === ': ') return true
  if (/[.;!?]/.test(gap) || turns.test(gap)) return false
  if ([...gap.matchAll(before)].length > 0) return false
  return !/\b(?:i|you|we)(?:'\w+)? |[*"][^*"]+[*"]|: /.test(gap.replace(/^[*"]/, ''))
}

/** The sentence with titles and what only sounds like setting aside blanked, so that positions stay. */
function masked(plain: string): string {
  const blank = (found: string) => '~'.repeat(found.length)
  return plain.replace(/(?<=")[^"]+(?=")|(?<=(?<!\*)\*)[^*]+(?=\*)/g, blank).replace(patterns().idioms, blank)
}
