import type { Amount } from './amounts.js'

/** What a number is in a comparison: what was aimed at, what came of it, or what lies between. */
export type AmountRole = 'goal' | 'actual' | 'gap'

const IS_GOAL =
  /\b(?:goal|target|budget(?:ed)?|limit|cap|aim\w*|set(?: aside| yourself| for)|(?:you|had|'d) set|put aside|allow\w*|shooting for)\b(?![^.]*\b(?:spent|averag\w*|total\w*)\b)/
const IS_ACTUAL =
  /\b(?:spent|spend\w*|used|averag\w*|mean|total\w*|comes? to|came to|add\w* up|walked|logged|actual|paid)\b/
const IS_GAP =
  /\b(?:left (?:over|with|is|are)|left(?=:)|leav(?:es|ing)|remain(?:s|ing|der)?|difference|shortfall|(?:over|under|past|short|beyond)\w* by)\b(?: (?:of|is|you|with|are|was|to|a|some|just|only|another))*\W*$/
const VERSUS = /\b(?:vs\.?|versus|against|compared (?:to|with))(?: \w+){0,4} \$?$/
const VERSUS_BEHIND =
  /^\$?[\d.,]*\d\p{L}*(?: steps| dollars)?,? (?:on average,? )?(?:vs\.?|versus|against|compared (?:to|with))\b/u
const GOAL_BEHIND =
  /^\$?[\d.,]*\d\p{L}* (?:dollars |steps )?(?:(?:was|is) (?:the|your) )?(?:that )?(?:you(?:'d| had)? )?(?:\w+ )?(?:goal|plan|target|budget(?:ed)?|limit|allowance|cap|allowed|set|aimed)\b/u
const ACTUAL_BEHIND = /^\$?[\d.,]*\d\p{L}* (?:is what you )?(?:\w+ )?(?:spent|used|walked|logged|paid|on average)\b/u
const GAP_BEHIND =
  /^\$?[\d.,]*\d\p{L}*(?: (?:dollars|steps|of (?:it|that|the budget|your budget)))?(?: (?:is|was|are|still|were|to the|that|more|you))* ?(?:left|remain\w*|over(?! the (?:last|past|course|week|month)| \d)|under|below|above|past|beyond|short|shy|to spare|too much|unspent|unused|untouched|available|in hand|(?:more|less) than (?:the|your|planned|you|allowed|budgeted|it)\b|you didn't)\b/u
/** Words this near may say what a number is, though another stands between. */
const NEAR = 30
const OF_IT = /\$?[\d.,]+ (?:out )?of (?:your |the |a |that )?$/

/** The role in which an answer gives a number, by the words around it; undefined where they do not tell. */
export function roleOf({ before, behind }: Amount): AmountRole | undefined {
  const nearer = before.replace(/^.*\d\S*/, '')
  if (IS_GAP.test(nearer)) return 'gap'
  if (VERSUS.test(nearer)) return 'goal'
  if (VERSUS_BEHIND.test(behind)) return 'actual'
  if (GAP_BEHIND.test(behind)) return 'gap'
  if (GOAL_BEHIND.test(behind) || OF_IT.test(before)) return 'goal'
  if (ACTUAL_BEHIND.test(behind)) return 'actual'
  if (IS_ACTUAL.test(nearer) && !IS_GOAL.test(nearer)) return 'actual'
  const near = before.slice(-NEAR)
  return IS_GOAL.test(near) ? 'goal' : IS_ACTUAL.test(near) ? 'actual' : undefined
}

/** The role in which a criterion asks for its number; undefined where it asks for a number alone. */
export function roleAsked(question: string): AmountRole | undefined {
  if (/\b(?:left|beyond|remain\w*|difference|short of)\b/i.test(question)) return 'gap'
  if (/\b(?:budget|goal|target|limit) of\b|\bas the budget\b/i.test(question)) return 'goal'
  return /\b(?:give|total|average|spent|actual)\b/i.test(question) ? 'actual' : undefined
}

const A_DAY = /^\$?[\d.,]*\d\p{L}*(?: steps| dollars)?,? (?:an?|per|each|every|on an? average|on average|daily)\b/u
const DAILY = /\b(?:averag\w*|mean|per day|daily|a day|each day)\b[^.;,]*$/
const IN_ALL = /\b(?:totals?|sum|altogether|spread|divid\w+|adds? up)\b[^.;,]*$/
const OTHERWISE =
  /^\$?[\d.,]*\d\p{L}*(?: steps| dollars)? (?:in all|in total|altogether|over the week|evenly|(?:on|last) \w+day)\b/u
const BEYOND = /\b(?:over|past|beyond|above|too much|overshot|overspent|exceed\w*)\b/
const LEFT = /\b(?:left|under|below|remain\w*|to spare|unspent|untouched|unused|short)\b/

/** Whether a number is given as a total where an average is asked for, or as what is left where it is what is too much, or the other way round. */
export function isOtherwise(question: string, { before, behind }: Amount): boolean {
  const ahead = before.replace(/^.*\d\S*/, '')
  const around = `${ahead} ${behind.replace(/^\S+/, '').replace(/\d.*$/, '')}`
  if (/\bon average\b|\baverage a day\b/.test(question))
    return (IN_ALL.test(ahead) || OTHERWISE.test(behind)) && !DAILY.test(ahead) && !A_DAY.test(behind)
  if (/\bin all\b/.test(question)) return A_DAY.test(behind) && /\bday|average|daily/.test(behind.slice(0, 30))
  if (/\bbeyond\b/.test(question)) return LEFT.test(around) && !BEYOND.test(around)
  return /\bleft\b/.test(question) && BEYOND.test(around) && !LEFT.test(around)
}

const FORMER_BEFORE =
  /\b(?:no longer|not|neither|nor|instead of|rather than|used to (?:be|have)|formerly|previous(?:ly)?|old(?:er)?|former|once (?:had|was|were|set)|earlier|originally|at first|after|was first|replac\w+|dropped|you once had)\b[^.;:,]*$|\bfrom (?:the |an? )?\$?$/
const FORMER_BEHIND =
  /^[^.;,(]*?\b(?:any ?(?:more|longer)|no longer|(?:is|are) history|earlier on|at first|before that|in the past|of the (?:first|second|earlier|old)|is (?:out|gone|outdated|void)|(?:was|were|has been|have been) (?:dropped|replaced|changed|raised|lowered|cancelled|the old)|you (?:once )?had)\b/

/** Whether a number is given as one that held before, in the words up to the next number. */
export function isFormer({ before, behind }: Amount): boolean {
  const ahead = before.replace(/^.*(?:\d\S*|[()])/, '')
  const after = behind.replace(/^\S+/, '').replace(/\S*\d.*$/, '')
  return FORMER_BEFORE.test(ahead) || FORMER_BEHIND.test(after)
}
