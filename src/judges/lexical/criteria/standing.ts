import { amountsIn } from './amounts.js'
import type { AnswerText } from './answer-lines.js'
import type { Side } from './asks.js'

/** What an answer says of a goal: kept, not kept, or nothing. */
export interface Standing {
  good: boolean | undefined
  /** All that is said agrees. */
  clear: boolean
  reason: string
}

const YES =
  /^\W*(?:yes|yep|yeah|you are|you're on track|indeed|absolutely|certainly|definitely|good news|great news|so far so good|comfortably)\b/
const NO =
  /^\W*(?:no\b(?! doubt)|nope|not (?:quite|yet|really|at the moment|this|so far|currently|right now|any|entirely)|unfortunately|sadly|i'm afraid not|afraid not|never)/
const UNKNOWN =
  /\b(?:can't (?:say|tell|compare)|cannot (?:say|tell)|don't (?:have|know|see)|do not (?:have|know)|depends on|hard to say|not sure|no (?:record|information|data))\b/

const GOAL = String.raw`(?:(?:the|your|that|this|its|a|my) )?(?:\w+ )?(?:goal|target|budget|limit|cap|line|mark|allowance|it|that|plan)`
const KEPT: readonly RegExp[] = [
  /\bon track\b/,
  new RegExp(
    String.raw`\b(?:met|meeting|meet|reached|reaching|hit|hitting|achieved|beat|beating|made|kept to|keeping to|clear(?:ed|ing)?) ${GOAL}\b`,
  ),
  /\b(?:goal|target|budget)\b[^.]{0,20}\b(?:was|is|has been|were) (?:met|reached|hit|achieved|kept|exceeded)\b/,
  /\b(?:doing well|you made it|comfortably)\b/,
]
const BROKEN: readonly RegExp[] = [
  new RegExp(
    String.raw`\b(?:miss(?:ed|ing)?|blown|blew|broke(?:n)?|failed|not (?:meet|met|reach|reached|hit|hitting|meeting|reaching)|(?:didn't|haven't|aren't|isn't|wasn't|don't) (?:quite )?(?:meet|met|reach|reached|hit|hitting|meeting|reaching|kept|keep)(?:ing)?) ?(?:${GOAL})?\b`,
  ),
  /\boff track\b|\b(?:not|wasn't|isn't|hasn't been) (?:quite )?(?:met|reached|hit|achieved|kept)\b/,
]
const ABOVE = new RegExp(
  String.raw`\b(?:over(?:spent|shot|spending|run)?|exceed(?:ed|s|ing)?|past|beyond|above|too much|in excess|surpass(?:ed|ing)?|ahead|more than) ?(?:by )?(?:of )?(?:${GOAL}\b|budget|\$?\d|$|[.,;|)]|already|for)|\bover by\b|\b(?:gone|went|are|you're|going|puts you|well) (?:\$?[\d.,]+ |\w+ ){0,4}(?:over|past|ahead|above)\b|\boverspen[dt]\w*|\btoo much\b`,
)
const BELOW = new RegExp(
  String.raw`\b(?:under|below|within|inside|short|shy|less than|beneath|behind) ?(?:of )?(?:${GOAL}\b|budget|each|\$?\d|$|[.,;|)])|\b(?:short|shortfall|falling short|fell short|fall short|dragged (?:you|it) (?:under|down|below))\b|\b(?:left|remaining|remains?|to spare|to go|unspent|headroom|leeway|room)\b`,
)
const NOT_BELOW =
  /\b(?:just|a (?:little|touch|bit|shade)|slightly|well) (?:under|below|over|above) (?:\$?\d|\w+ (?:dollars|bucks|thousand))|\bwithin (?:a|\d)|\b(?:over|within) the (?:past|last|course|week|month)\b|\b(?:days?|weeks?) (?:was|were|above|below|over|under)\b|\bmore than \w+ (?:days|times)\b|\bwere above\b|\bsome days? better\b|\bshort (?:walk|break|trip|run|list)\b|\ba (?:little|bit) (?:more|less)\b|\bwithin (?:reach|range)\b|\b(?:for|after|over) (?:lunch|dinner|breakfast|coffee)\b/g

/**
 * On which side of a goal an answer puts somebody. Spending keeps to a budget from below, steps reach a goal from above.
 */
export function readStanding(side: Side, text: AnswerText): Standing {
  const money = side === 'over' || side === 'within'
  const signs: boolean[] = []
  const first = text.lines[0]?.plain ?? ''
  const opening = NO.test(first) ? false : YES.test(first) ? true : undefined
  if (UNKNOWN.test(text.plain) && opening === undefined) {
    return { good: undefined, clear: true, reason: 'It says that it cannot tell.' }
  }
  for (const { plain } of text.lines) {
    const line = plain.replace(NOT_BELOW, ' ')
    const broken = BROKEN.some((sign) => sign.test(line))
    if (broken) signs.push(false)
    else if (KEPT.some((sign) => sign.test(line))) signs.push(true)
    if (ABOVE.test(line)) signs.push(!money)
    if (BELOW.test(line)) signs.push(money)
  }
  const computed = compared(money, text)
  const said = [...(opening === undefined ? [] : [opening, opening]), ...signs]
  if (said.length === 0) {
    if (computed === undefined)
      return { good: undefined, clear: true, reason: 'It does not say on which side of the goal.' }
    return {
      good: computed,
      clear: false,
      reason: `Its two numbers put it on the ${computed ? 'good' : 'bad'} side of the goal.`,
    }
  }
  const goods = said.filter(Boolean).length
  const good = goods * 2 === said.length ? (opening ?? computed ?? said[0]!) : goods * 2 > said.length
  const all = said.every((one) => one === good) && (computed === undefined || computed === good)
  return { good, clear: all && said.length > 0, reason: `It says that the goal was ${good ? 'kept' : 'not kept'}.` }
}

/** From a goal and an actual number, each with words that tell which it is. */
function compared(money: boolean, text: AnswerText): boolean | undefined {
  const amounts = amountsIn(text).filter(
    ({ unit, value }) =>
      (money ? unit === '$' || unit === '' : unit === 'steps' || unit === '') && value > (money ? 0 : 500),
  )
  const roleOf = (line: number, at: number): 'goal' | 'actual' | undefined => {
    const { plain } = text.lines[line]!
    const near = plain.slice(Math.max(0, at - 45), at + 30)
    const ahead = near.slice(0, Math.min(45, at))
    if (
      /\b(?:goal|target|budget|limit|cap|aim\w*|set(?: aside| yourself)?|allow\w*|shooting for)\b(?![^.]*\b(?:spent|averag\w*|total\w*)\b)/.test(
        ahead,
      )
    )
      return 'goal'
    if (/\b(?:spent|spend\w*|averag\w*|mean|total\w*|come[s]? to|add\w* up|walked|logged|actual)\b/.test(ahead))
      return 'actual'
    return /^[^.]*\b(?:goal|target|budget|limit)\b/.test(plain.slice(at, at + 25)) ? 'goal' : undefined
  }
  const goal = amounts.find(({ line, at }) => roleOf(line, at) === 'goal')
  const actual = amounts.find(({ line, at }) => roleOf(line, at) === 'actual')
  if (!goal || !actual || goal === actual) return undefined
  return money ? actual.value <= goal.value : actual.value >= goal.value
}
