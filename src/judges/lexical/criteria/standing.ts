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
  /^\W*(?:yes|yep|yeah|you're on track|congrat\w*|well done|nice work|indeed|absolutely|certainly|definitely|good news|great news|so far so good|comfortably)\b/
const NO =
  /^\W*(?:no\b(?! doubt)|nope|not (?:quite|yet|really|at the moment|this|so far|currently|right now|any|entirely)|unfortunately|sadly|i'm afraid not|afraid not|never|almost\b|nearly\b(?! \d))/
const UNKNOWN =
  /\b(?:can't (?:say|tell|compare)|cannot (?:say|tell)|don't (?:have|know|see)|do not (?:have|know)|depends on|hard to say|not sure|no (?:record|information|data))\b/

const GOAL = String.raw`(?:(?:the|your|that|this|its|a|my) )?(?:\w+ )?(?:goal|target|budget|limit|cap|line|mark|allowance|it|that|plan)`
const KEPT: readonly RegExp[] = [
  /\bon track\b/,
  new RegExp(
    String.raw`\b(?:met|meeting|meet|reach|reached|reaching|hit|hitting|achieved|achieving|beat|beaten|beating|smashed|made|kept to|keeping to|clear(?:ed|ing)?) ${GOAL}\b`,
  ),
  /\b(?:goal|target|budget)\b[^.]{0,20}\b(?:was|is|has been|were) (?:met|reached|hit|achieved|kept|exceeded)\b/,
  /\b(?:doing (?:well|fine|great)|you made it|comfortably|you're fine|all good)\b/,
]
const BROKEN: readonly RegExp[] = [
  new RegExp(
    String.raw`\b(?:miss(?:ed|ing)?|blown|blew|broke(?:n)?|failed|not (?:meet|met|reach|reached|hit|hitting|meeting|reaching)|(?:didn't|haven't|aren't|isn't|wasn't|don't) (?:quite )?(?:meet|met|reach|reached|hit|hitting|meeting|reaching|kept|keep)(?:ing)?) ?(?:${GOAL})?\b`,
  ),
  /\bneed (?:about |another |roughly )?[\d,]+ more\b/,
  /\boff track\b|\b(?:not|wasn't|isn't|hasn't been) (?:quite )?(?:met|reached|hit|achieved|kept)\b/,
]
const ABOVE = new RegExp(
  String.raw`\b(?:over(?:spent|shot|spending|run)?|exceed(?:ed|s|ing)?|past|beyond|above|too much|in excess|surpass(?:ed|ing)?|ahead|more than) ?(?:by )?(?:of )?(?:${GOAL}\b|budget|\$?\d|$|[.,;|)]|already|for)|\bover by\b|\b(?:gone|went|are|you're|going|puts you|well) (?:\$?[\d.,]+ |\w+ ){0,4}(?:over|past|ahead|above)\b|\boverspen[dt]\w*|\btoo much\b|\bmore than (?:double|twice|2 times)\b`,
)
const BELOW = new RegExp(
  String.raw`\b(?:under|below|within|inside|short|shy|less than|beneath|behind) ?(?:of )?(?:${GOAL}\b|budget|each|\$?\d|$|[.,;|)])|\b(?:short|shortfall|falling short|fell short|fall short|dragged (?:you|it) (?:under|down|below))\b|\b(?:left|remaining|remains?|to spare|to go|unspent|headroom|leeway|room)\b`,
)
const NOT_BELOW =
  /\b(?:met|hit|reached|made) (?:\w+ ){1,3}on (?:only |just )?\w+ days?\b|\b(?:just|a (?:little|touch|bit|shade)|slightly|well) (?:under|below|over|above) (?:\$?\d|\w+ (?:dollars|bucks|thousand))|\bwithin (?:a|\d)|\b(?:over|within) the (?:past|last|course|week|month)\b|\b(?:days?|weeks?) (?:was|were|above|below|over|under)\b|\bmore than \w+ (?:days|times)\b|\bwere above\b|\bsome days? better\b|\bshort (?:walk|break|trip|run|list)\b|\ba (?:little|bit) (?:more|less)\b|\bwithin (?:reach|range)\b|\b(?:for|after|over) (?:lunch|dinner|breakfast|coffee)\b/g

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
      return {
        good: undefined,
        clear: amountsIn(text).length < 2,
        reason: 'It does not say on which side of the goal.',
      }
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

const IS_GOAL =
  /\b(?:goal|target|budget|limit|cap|aim\w*|set(?: aside| yourself)?|allow\w*|shooting for)\b(?![^.]*\b(?:spent|averag\w*|total\w*)\b)/
const IS_ACTUAL = /\b(?:spent|spend\w*|used|averag\w*|mean|total\w*|comes? to|add\w* up|walked|logged|actual|paid)\b/
const GOAL_BEHIND = /^\S+ (?:\w+ )?(?:goal|target|budget(?:ed)?|limit|allowance|cap)\b/
const ACTUAL_BEHIND = /^\S+ (?:\w+ )?(?:spent|used|walked|logged|on average)\b/

/** From a goal and an actual number, each with words that tell which it is. */
function compared(money: boolean, text: AnswerText): boolean | undefined {
  const amounts = amountsIn(text).filter(
    ({ unit, value }) => (unit === '' || unit === (money ? '$' : 'steps')) && value > (money ? 0 : 500),
  )
  const roles = amounts.map(({ line, at }) => {
    const { plain } = text.lines[line]!
    const ahead = plain.slice(Math.max(0, at - 45), at)
    const behind = plain.slice(at, at + 40)
    if (GOAL_BEHIND.test(behind) || /\$?[\d.,]+ (?:out )?of (?:your |the |a )?$/.test(ahead)) return 'goal'
    if (ACTUAL_BEHIND.test(behind)) return 'actual'
    return IS_GOAL.test(ahead) ? 'goal' : IS_ACTUAL.test(ahead) ? 'actual' : undefined
  })
  const goal = amounts[roles.indexOf('goal')]
  const actual = amounts[roles.indexOf('actual')]
  if (!goal || !actual) return undefined
  return money ? actual.value <= goal.value : actual.value >= goal.value
}
