import { findPhrase } from '../state/phrase.js'
import type { Line } from './answer-lines.js'

/** Before an item: what follows is left out, and everything listed after it too. */
const LEAVING =
  /\b(?:leav(?:e|es|ing) (?:out|aside|off)|left (?:out|aside|off)|skip(?:s|ped|ping)?|(?<!to )avoid(?:s|ed|ing)?|exclud(?:e|es|ed|ing)|omit(?:s|ted|ting)?|steer(?:ed|ing)? (?:clear|away)|stay(?:ed|ing)? (?:clear|away)|kept? (?:\w+ )?away from|keeping (?:\w+ )?away from|dropped|dropping|drop (?:it|the|that|those|this)|remov(?:e|ed|ing)|took (?:out|off)|taking (?:out|off)|i(?:'ve)? cut|pass(?:ed|ing)? (?:on|over)|no longer|not (?:recommending|suggesting|including|picking|any|the|with)|(?:didn't|did not|won't|will not|wouldn't|would not|don't|do not|haven't|have not) (?:\w+ )?(?:includ\w*|suggest\w*|recommend\w*|address\w*|pick\w*|add\w*|list\w*|choose|chosen|put|want)|(?:asked|told|want) (?:me )?(?:not to|to (?:avoid|skip|drop|leave out))|not to (?:suggest|recommend|include|mention)|instead of|rather than|without|minus|free of|except|other than|apart from|kept|keeping|takes?|taking|taken|cross(?:ed|ing)?|tick(?:ed|ing)?|off the (?:list|table)|completed|finished|done with|already (?:did|done|took|finished|ticked|crossed|handled)|ticked off|crossed off|cancel(?:led|ed|ing)|past events?|earlier idea|used to|previously)\b/g
/** These set aside only with "off", "out" or "away" behind the item. */
const KEEPING = /^(?:kept|keeping|tak|cross(?:ed|ing)?$|tick(?:ed|ing)?$)/
/** These reach as far as the sentence does. */
const NO_MORE = /^(?:used to|no longer|previously|did|do|have|was|would)/
/** Right before an item. */
const NO = /\b(?:no|not|nor|non|never|zero)(?: (?:more|any|longer|the|a|an|of|by|with|really))*\W*$/
/** Behind an item. */
const GONE_AFTER =
  /^[^.;]{0,60}?\b(?:off the (?:list|table)|(?:already |has |have )?(?:took place|taken place|happened|gone by)|(?:is|are|was|were|has been|have been|have|has|been|being|got|already|now)(?: \w+)?(?: all)? (?:removed|deleted|dropped|cancelled|canceled|completed|finished|done|over|past|taken (?:off|out)|cut|left out|excluded|skipped|gone|out(?=[.,;)]|$)|passed|crossed off|ticked off|struck|wrapped up|behind you|omitted|off)|(?:is|are) no longer|no longer (?:a|an|on|in|part|relevant|applies|needed|planned)|(?:isn't|aren't|is not|are not|wasn't|not) (?:\w+ )?(?:there|present|attending|needed|included|listed|on (?:the|your)|minuted|recommended|something|one of)|aren't minuted|which you (?:removed|dropped|cancelled)|(?:that|since|as|because) you (?:\w+ )?(?:removed|dropped|asked me to)|you(?:'ve| have) (?:dropped|removed|finished|completed|done|cancelled|moved on)|you (?:dropped|removed|cancelled|finished|completed)|taken off|off (?:it|this list|the list|your list)|(?:\(|[-:] ?)(?:already )?(?:done|completed|finished|removed|cancelled|canceled|past|deleted|dropped)\b)/
/** From here on something is put forward again. */
const TURN =
  /(?:;|\bbut\b|\binstead,|, (?:we|i|they)\b|\band (?:will|then|now|next|plans? to)\b|\bstill\b|\byou (?:need|have) to\b|\bso (?:try|watch|here|i'd|how|go)\b|\b(?:try|watch|listen|consider|go for|go with|i'd suggest|i suggest|i recommend|how about|you (?:might|may|could|would|'d)|picks? (?:is|are)|in favou?r of|here are)\b)/
const HEADING =
  /\b(?:done|completed|finished|removed|deleted|dropped|cancelled|past|not included|left out|excluded|avoid(?:ed|ing)?|skip(?:ped)?|no longer|crossed off|ticked off)\b/
const OPEN_HEADING = /\b(?:not (?:yet )?(?:done|completed|finished)|to be (?:done|completed))\b/

/** Whether a place in a line names something only to set it aside: left out, taken out, done, over. For tastes see `stanceOf`. */
export function isAside(line: Line, at: number, end: number): boolean {
  if (line.done || (HEADING.test(line.heading) && !OPEN_HEADING.test(line.heading))) return true
  const before = line.plain.slice(0, at)
  const after = line.plain.slice(end)
  if (NO.test(before.replace(/[*"]/g, '')) && !/\bnot (?:only|just)\W*$/.test(before)) return true
  for (const match of before.matchAll(LEAVING)) {
    const between = before.slice(match.index + match[0].length)
    if (TURN.test(between)) continue
    if (KEEPING.test(match[0])) {
      if (/^[^.]{0,40}\b(?:off|out|away)\b/.test(after)) return true
      continue
    }
    if (NO_MORE.test(match[0])) return true
    if (between.length < 120) return true
  }
  const behind = GONE_AFTER.exec(after)
  return behind !== null && !TURN.test(behind[0])
}

/** Whether any of some words stands in a line or its heading, outside of the place given. */
export function saysAny(line: Line, words: readonly string[], at = 0, end = 0): boolean {
  const rest = `${line.heading} | ${line.plain.slice(0, at)} | ${line.plain.slice(end)}`
  return words.some((word) => findPhrase(word, rest, false) !== undefined)
}
