import { fold } from '../base/text.js'

const EXCLUSIVE =
  /\b(?:only|exclusively|solely|strictly|purely|alone|uniquely|nothing but|no one but|nobody but|none but|except|unless|not until|until|just (?:one|in|when|at|during|there|then)|the (?:one|sole|single) (?:place|time|condition|situation|thing|case|setting|moment|occasion|circumstance|trigger)|nowhere else|at no other time|no other|never (?:otherwise|without|outside|before|unless)|not otherwise|not .{0,30} (?:without|otherwise)|reserve[sd]?|restricted to|limited to|confined to|limits|restricts|confines|keeps? .{0,40} for|saves? .{0,40} for|requires?|has to|must|nobody else|no one else)\b/

const NEGATION =
  /\b(?:not|never|no longer|n't|cannot|without|refuses?|refused|avoids?|avoided|dislikes?|disliked|hates?|hated|stopped|quit|gave up|rejects?|declines?|unable|fails? to|won't|doesn't|don't|didn't|isn't|aren't|can't)\b/
const NO_NEGATION =
  /\b(?:not until|not only|no more than|no less than|no fewer than|no later than|no earlier than|nothing but|cannot help|can't help|can't get enough|not just|never fails|without fail|never (?:misses|skips)|not before|no sooner)\b/g

/** "Never … unless" affirms, and exclusively so. */
const DENIAL = /\b(?:not|never|n't|won't|doesn't|don't|refuses?|avoids?)\b/
const EXCEPTION = /\b(?:unless|until|except|without|before|other than)\b/

/** Whether a text says that nothing else will do. */
export function hasExclusivity(text: string): boolean {
  return EXCLUSIVE.test(fold(text))
}

/** Whether a text denies something; expressions that only look negative are left aside. */
export function isNegated(text: string): boolean {
  const folded = fold(text)
  return !isDouble(folded) && NEGATION.test(folded.replace(NO_NEGATION, ' '))
}

/** Read in two steps: one pattern for both would begin anew at every denial. */
function isDouble(folded: string): boolean {
  const denial = DENIAL.exec(folded)
  return denial !== null && EXCEPTION.test(folded.slice(denial.index + denial[0].length))
}

const SUBORDINATOR = /\b(?:when|whenever|if|while|after|once|unless|until|during|only)\b/g
const CLAUSE_NEGATION =
  /\b(?:no|nobody|nothing|none|not|never|without|free of|free from|absence of|lacks?|n't|isn't|aren't|hasn't|haven't|doesn't|don't|won't|unless)\b/
const NO_CLAUSE_NEGATION =
  /\b(?:nobody else|no one else|nothing else|nowhere else|no other|not otherwise|at no other time|and not .*$|never otherwise|no more than|no less than|no fewer than|no later than|no earlier than|not more than|not until|nothing but|never in .*$|without fail)\b/g

/** Whether the condition a text names is a negative one: "only when nobody asks". Looks at what follows its last subordinator. */
export function hasNegativeCondition(text: string): boolean {
  const folded = fold(text).replace(NO_CLAUSE_NEGATION, ' ')
  const last = [...folded.matchAll(SUBORDINATOR)].at(-1)
  return last !== undefined && CLAUSE_NEGATION.test(folded.slice(last.index + last[0].length))
}

const LIKING =
  /\b(?:lik(?:es?|ed|ing)|lov(?:es?|ed|ing)|enjoy\p{L}*|prefer\p{L}*|favou?r\p{L}*|fond\p{L}*|ador(?:es?|ed|ing)|treasur\p{L}*|cherish\p{L}*|crav(?:es?|ed|ing)|appreciat\p{L}*|delight\p{L}*|pleasure|relish\p{L}*|partial to|keen|fan of|holds? .{0,20}dear|priz\p{L}*|go-to|choice|passion\p{L}*|drawn to|attract\p{L}*|appeal\p{L}*|picks?|opts?|choos\p{L}*|devot\p{L}*|valu(?:es?|ed|ing))\b/u
const DISLIKING =
  /\b(?:dislik\p{L}*|hat(?:es?|ed|ing)|dread\p{L}*|annoy\p{L}*|avoid\p{L}*|loath\p{L}*|detest\p{L}*|despis\p{L}*|can't stand|cannot stand|irritat\p{L}*|bother\p{L}*|fears?|averse|aversion)\b/u

const CEASED =
  /\b(?:no longer|stopped|quit|gave up|given up|gives up|used to|decided against|decides against|struck .{0,40} off|crossed .{0,40} off|dropped|abandoned|lost interest|tired of|sick of|went off|got rid of|swore off|sold|turned down|grew out of|has had enough|would rather not|never liked|not interested|without any interest|put .{0,12}off|threw away|thrown away|throws away|gave (?:it|them) (?:up|away)|gave away|given away|never again|made .{0,30}worse|got worse|went back to)\b/

/** How a text feels about what it speaks of: 1 liking, -1 disliking, 0 neither. */
export function attitude(text: string): -1 | 0 | 1 {
  const folded = fold(text)
  if (
    DISLIKING.test(folded) ||
    /\b(?:doesn't|does not|don't|do not|didn't|no longer) (?:really )?(?:like|love|enjoy)/.test(folded)
  )
    return -1
  if (CEASED.test(folded)) return -1
  return LIKING.test(folded) ? 1 : 0
}
