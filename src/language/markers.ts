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
