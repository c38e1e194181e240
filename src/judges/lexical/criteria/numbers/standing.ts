import { plainNumbers } from '../../../../language/numbers.js'
import type { AnswerText } from '../answer-lines.js'
import type { Side } from '../asks.js'
import { amountsIn } from './amounts.js'

/** What an answer says of a goal: kept, not kept, or nothing. */
export interface Standing {
  good: boolean | undefined
  /** All that is said agrees. */
  clear: boolean
  reason: string
}

const YES =
  /^\W*(?:(?:on average|overall|so far|in short|on the whole|by and large|technically|just about),? )?(?:yes|yep|yeah|you're on track|congrat\w*|well done|nice work|indeed|absolutely|certainly|definitely|good news|great news|so far so good|comfortably)\b/
const NO =
  /^\W*(?:no\b(?! doubt)|nope|not (?:quite|yet|really|at the moment|this|so far|currently|right now|any|entirely)|unfortunately|sadly|i'm afraid not|afraid not|never|almost\b|nearly\b(?! \d))/
const UNKNOWN =
  /\b(?:can't (?:say|tell|compare)|cannot (?:say|tell)|don't (?:have|know|see)|do not (?:have|know)|depends on|hard to say|not sure|no (?:record|information|data))\b/
/** What cannot be told, up to where something is told after all. */
const UNTOLD = new RegExp(String.raw`(?:\bwhether\b[^.;]*)?${UNKNOWN.source}(?:(?!\bbut\b)[^.;])*`, 'g')
/** Something is said of the goal, in words that may not be known here. */
const TOUCHED = /\b(?:goal|target|budget|limit|cap|allowance|ceiling|make it|close|near|enough)\b|\bnot\b|n't\b/

const GOAL = String.raw`(?:(?:the|your|that|this|its|a|my) )?(?:\w+ )?(?:goal|target|budget|limit|cap|line|mark|allowance|it|that|plan|ceiling|maximum)`
const KEPT: readonly RegExp[] = [
  /\b(?:on track|so,? yes|nothing to worry|got there|you made it|in the (?:green|black)|(?:right|good|safe) side)\b/,
  new RegExp(
    String.raw`\b(?:met|meeting|meet|reach|reached|reaching|hit|hitting|achieved|achieving|beat|beats|beaten|beating|smashed|made|manag(?:ed|ing)|kept to|keeping to|sticking to|stuck to|clear(?:ed|ing)?) ${GOAL}\b`,
  ),
  /\b(?:goal|target|budget)\b[^.]{0,20}\b(?:(?:was|is|has been|were) (?:met|reached|hit|achieved|kept|exceeded)|achieved|reached|holds|held)\b/,
  /\b(?:doing (?:well|fine|great)|comfortably|you're fine|all good)\b/,
]
const BROKEN: readonly RegExp[] = [
  new RegExp(
    String.raw`\b(?:miss(?:ed|ing)?|blown|blew|broke(?:n)?|burst|bust(?:ed)?|failed|(?:not|didn't|haven't|hasn't|aren't|isn't|wasn't|don't|couldn't)(?: quite| really| been)? (?:meet|met|reach|reached|hit|hitting|meeting|reaching|kept|keep|keeping|hold|held|manage|managed|stay|stayed|stuck|stick|get|got|make|made|achieved?)) ?(?:${GOAL})?\b`,
  ),
  /\bneed(?:ed)? (?:about |another |roughly |some )?# (?:\w+ )?(?:more|a day|each|steps)\b|\b(?:another|additional) #/,
  /\boff track\b|\b(?:not|wasn't|isn't|hasn't been) (?:quite )?(?:met|reached|hit|achieved|kept)\b|\bso,? no\b|\bout of reach\b|\blag(?:s|ging)?\b|\bto spend (?:# )?less\b/,
]
const ABOVE = new RegExp(
  String.raw`\b(?:over(?:spent|shot|spending|run|shooting|ran)?|exceed(?:ed|s|ing)?|past|beyond|above|too much|in excess|surpass(?:ed|ing)?|ahead|more than|topp?(?:ed|s)?|(?:blew|blown|sail\w*|gone|went) (?:through|past)) ?(?:by )?(?:of )?(?:${GOAL}\b|budget|#|$|[.,;|)]|already|for|what|planned|intended|you|the #)|\bover by\b|\b(?:gone|went|are|you're|going|puts you|well) (?:# |\w+ ){0,4}(?:over|past|ahead|above|beyond)\b|\boverspen[dt]\w*|\bovershot\b|\btoo much\b|\bmore than (?:double|twice|2 times)\b|(?:^|\s)# (?:\w+ )?(?:over|past|beyond|above|too (?:much|many|high))\b`,
)
const BELOW = new RegExp(
  String.raw`\b(?:under|below|within|inside|short|shy|less than|beneath|behind) ?(?:of )?(?:${GOAL}\b|budget|each|#|$|[.,;|)]|what|the #)|\b(?:short|shortfall|falling short|fell short|fall short|dragged (?:you|it) (?:under|down|below))\b|(?:^|\s)# (?:\w+ )?(?:under|below|short|shy)\b|\b(?:to go|remain(?:s|ing)?)\b`,
)
/** For money what is left over is below the limit; for steps, what is to spare lies above the goal. */
const SPARE = /\b(?:to spare|in hand|clear of|cushion|buffer)\b/
const UNSPENT = /\b(?:left|unspent|headroom|leeway|room|slack|to play with|wiggle)\b/
const SPENT_UP =
  /\b(?:in the red|used up|maxed out|exhausted|overdrawn)\b|\bmore than (?:you )?(?:planned|allowed|intended|budgeted|set)\b/
/** "You have not gone over." */
const NOT_ABOVE =
  /\b(?:not|never|without|n't|haven't|hasn't|didn't|don't|aren't|isn't)(?: \w+){0,2} (?:over(?:spent|shot)?|exceed(?:ed|ing)?|past|above|beyond|overspend(?:ing)?)\b/
const SHARE_OF_IT = /\b(\d{1,3})(?:\.\d+)?(?:%| percent| per cent) of (?:it|that|your|the)\b/
const NOT_BELOW =
  /\bleft ?over\b|\b(?:met|hit|reached|made) (?:\w+ ){1,3}on (?:only |just )?\w+ days?\b|\b(?:just|a (?:little|touch|bit|shade)|slightly|well) (?:under|below|over|above) #|\bwithin (?:a|#) (?!of)|\b(?:over|within) the (?:past|last|course|week|month)\b|\b(?:days?|weeks?) (?:was|were|above|below|over|under)\b|\bmore than (?:\w+|#) (?:days|times)\b|\bwere above\b|\bsome days? better\b|\bshort (?:walk|break|trip|run|list)\b|\ba (?:little|bit) (?:more|less)\b|\bwithin (?:reach|range)\b|\b(?:for|after|over) (?:lunch|dinner|breakfast|coffee)\b|\bcuts? it short\b/g
/** A single day that went otherwise does not turn the whole. */
const ASIDE = /(?<=\w\W+)\b(?:although|though|even (?:if|though)|despite|except|apart from)\b[^.;:]*/g
const AMOUNT = /(?:us)?\$?\d[\d,]*(?:\.\d+)?(?: ?(?:k|thousand|hundred))?(?![\w%])(?: (?:dollars?|bucks?|steps))?/g

/**
 * On which side of a goal an answer puts somebody. Spending keeps to a budget from below, steps reach a goal from above.
 */
export function readStanding(side: Side, text: AnswerText): Standing {
  const money = side === 'over' || side === 'within'
  const signs: boolean[] = []
  const first = text.lines[0]?.plain ?? ''
  const opening = NO.test(first) ? false : YES.test(first) ? true : undefined
  const unknown = UNKNOWN.test(text.plain) && opening === undefined
  for (const { plain } of text.lines) signs.push(...signsOf(unknown ? plain.replace(UNTOLD, ' ') : plain, money))
  if (unknown && signs.length === 0) {
    return { good: undefined, clear: true, reason: 'It says that it cannot tell.' }
  }
  const said = [...(opening === undefined ? [] : [opening, opening]), ...signs]
  if (said.length === 0) {
    const clear = amountsIn(text).length < 2 && !TOUCHED.test(text.plain)
    return { good: undefined, clear, reason: 'It does not say on which side of the goal.' }
  }
  const goods = said.filter(Boolean).length
  const good = goods * 2 === said.length ? (opening ?? said[0]!) : goods * 2 > said.length
  const all = said.every((one) => one === good)
  return { good, clear: all && !unknown, reason: `It says that the goal was ${good ? 'kept' : 'not kept'}.` }
}

function signsOf(plain: string, money: boolean): boolean[] {
  const digits = plainNumbers(plain.replace(ASIDE, ' '))
  const line = digits.replace(AMOUNT, '#').replace(NOT_BELOW, ' ')
  const signs: boolean[] = []
  if (BROKEN.some((sign) => sign.test(line))) signs.push(false)
  else if (KEPT.some((sign) => sign.test(line))) signs.push(true)
  if (NOT_ABOVE.test(line)) signs.push(money)
  else if (ABOVE.test(line)) signs.push(!money)
  if (BELOW.test(line) && !(signs[0] === false && money)) signs.push(money)
  if (SPARE.test(line)) signs.push(true)
  if (money && UNSPENT.test(line)) signs.push(true)
  if (money && SPENT_UP.test(line)) signs.push(false)
  const share = SHARE_OF_IT.exec(digits)
  if (share) signs.push(money ? Number(share[1]) <= 100 : Number(share[1]) >= 100)
  return signs
}
