import { fold } from '../base/text.js'

/** Words by which a text says in which way it speaks of a value. */
const MARKERS = {
  /** A change that may come: what follows holds only then. */
  condition:
    /\b(?:if|once|in case|in the event|as soon as|whenever|should (?=(?:we|i|the|my|our|they|things|another|somebody|user|their|that|it|his|her|a)\b)|upon|were to|provided|the (?:day|moment|minute|time) (?:we|i|the|our|my|that|another|somebody|user|they|it)|(?:after|on|with) (?:a|any|the next) (?:\w+ ){0,3}(?:change|switch|move|handover|transfer|replacement|migration)|(?:on|upon|after) (?:\w+ ){0,4}change|trigger(?:s|ed)?|rule|conditional|contingency|fallback)\b/,
  /** Also a change that may come, when it speaks of one. */
  when: /\bwhen (?:[\w'-]+ ){0,7}?(?:chang\w*|switch\w*|replac\w*|mov\w*|relocat\w*|leav\w*|hand\w*|transfer\w*|differ\w*|another|other|turn\w*|takes?|new|becom\w*|step\w*)\b/,
  future:
    /\b(?:will|would|shall|becomes?|become|going to|'ll|to be|switch(?:es)? (?:over )?to|moves? to|changes? to|goes? (?:over )?to|turns? into|takes? over|shifts? to|points? to|then|planned|next)\b/,
  /** It rests on something else. */
  depends:
    /\b(?:depend\w*|because|due to|tied to|determined|based on|assign(?:ed|ment|s)?|through|comes? with|came with|follow\w*|goes with|hangs? on|hinges?|thanks to|driven by|result of|set by|chosen|chose|chooses|picked|since|linked|bound to|relies|reason\w*|would (?:\w+ )?(?:change|shift|differ|be different|be something else|have to)|subject to|given|gives out|on account of|as long as|owing to|dictated|comes from|contingent|seeing that|required by|requires|according to|arranged|decides|decided|decision of|near|nearest|nearby|close to|closest|ordered|as (?=(?:i|we|my|our|user|the)\b)|so that)\b/,
  change:
    /\b(?:new|newly|now|moved|switched|changed|changes|became|becomes|just|instead of|replaced|replaces|took over|started|joined|accepted|as of|from now on|currently|current|recently|updated?|left|since (?:\w+day|last|this)|transferred|latest|no longer|finished|done|successor|succeeded)\b/,
  past: /\b(?:used to|previous(?:ly)?|former(?:ly)?|was|were|had been|no longer|old|older|before (?:the|that|this)|until|till|originally|earlier|initially|at first|first|back then|in the past|past|superseded|replaced|outdated|obsolete|left|instead of|history|historical(?:ly)?|moved from|ex)\b/,
  doubt:
    /\b(?:(?:may|might) (?:well )?not (?:be|hold|apply)|(?:may|might|could) (?:well )?(?:no longer|now be|have (?:\w+ )?(?:changed|ended|lapsed|moved)|be (?:outdated|stale|different|wrong|invalid|out of date|old)|need)|uncertain|unclear|unsure|not (?:yet )?(?:sure|certain|confirmed|reconfirmed|clear|known|verified)|unknown|unconfirmed|unverified|questionable|in (?:doubt|question)|probably (?:changed|outdated|no longer|stale|different)|likely (?:changed|outdated|no longer|stale|invalid|different|to have changed)|possibly (?:changed|outdated|no longer|stale|invalid|different)|potentially (?:outdated|stale|invalid|changed)|needs? (?:re-?)?(?:confirm\w*|check\w*|verif\w*|review\w*|an update|updating|revisit\w*|to be (?:re-?)?(?:checked|confirmed|updated|verified|revisited))|to be (?:re-?)?(?:confirmed|determined|updated|verified|checked)|tbd|tbc|pending|no longer (?:valid|certain|reliable|known|guaranteed|sure)|invalidated|stale|outdated|out of date|must be (?:re-?)?(?:confirmed|checked|verified)|should be (?:re-?)?(?:confirmed|checked|verified)|can(?:not|'t) be (?:relied|trusted|assumed)|re-?confirm|verify|ask (?:the )?user|has(?:n't| not) been (?:re-?)?confirmed)\b/,
  removal:
    /\b(?:delet\w*|(?<!don't |do not |never |not |before i |lest i |let me |to )forget(?:ting|s)?\b(?! to\b)|(?:to|please) forget\b(?! to\b)|forgotten|remov(?:e|ed|al|ing)\b(?! to\b)|eras(?:e|ed|ure|ing)|scrub\w*|wip(?:e|ed|ing)|drop (?:it|that|from)|struck (?:out|from)|clear(?:ed)? (?:it|that)|redact\w*|(?:do not|don't|did not want|should not|must not|not to|not something you should) (?:be )?(?:remember\w*|keep|kept|store|stored|retain\w*|hold on|stay|mention)|asked not|get rid of|discard\w*|purg(?:e|ed|ing)|tombstone\w*)\b/,
  considered:
    /\b(?:consider(?:ed|ing|s|ation)?|think(?:s|ing)? (?:about|of)|thought (?:about|of|it|over)|play(?:ed|ing)? with|might|maybe|weigh(?:ed|ing)|look(?:ed|ing|s)? (?:at|into|through)|idea|ideas|what if|evaluat\w*|explor\w*|wonder\w*|hypothe\w*|not (?:been )?decided|undecided|no decision|nothing (?:is |has )?(?:decided|changed|happened)|(?:day)?dream\w*|talk of|talked (?:about|of)|discuss\w*|float(?:ed|ing|s)?|suggest\w*|propos\w*|rumou?r\w*|imagin\w*|suspect\w*|ruled out|rules out|not (?:moving|transferring|switching|happening|going|applied)|possible|possibility|potential|some day|someday|rejected|declined|only)\b/,
  revoked:
    /\b(?:fell through|fallen through|falls through|call(?:ed|ing)? (?:it |that |them |the \w+ )?(?:all )?off|cancel\w*|revers(?:ed|al)|took (?:it|that) back|tak(?:en|e|ing) (?:\w+ ){0,3}back|chang\w* (?:my|our|their|his|her) minds?|not (?:happening|going ahead|after all)|after all|didn't (?:happen|work out)|did not (?:happen|work out|go ahead)|scrap(?:ped)?|undone|abandon\w*|off the table|revert\w*|withdr(?:ew|awn)|turned (?:\w+ ){0,3}down|no longer (?:happening|planned|moving|going)|dropped|mistake|mixed up|never happened|corrected|retracted|revoked|as before|as ever|declined)\b/,
  /** What was there goes on. */
  stays: /\b(?:stay\w*|stick\w*|stuck|keep\w*|kept|remain\w*|still|carr(?:y|ies) on|continu\w*|stands|back to)\b/,
  /** Something is announced, and has not come about. */
  planned:
    /\b(?:will|going to|is to|are to|plan(?:s|ned|ning)?|announc\w*|intend\w*|next (?:week|month|term|year)|soon|upcoming|moving|switching|changing|leaving|accepted|signed|booked|decision|supposed)\b/,
} as const

export type Marker = keyof typeof MARKERS

/** Whether a text has a marker of a kind, such as doubt or past. */
export function hasMarker(marker: Marker, text: string, plain = false): boolean {
  return MARKERS[marker].test(plain ? text : fold(text))
}

/** Where the first words of a kind stand; -1 when nowhere. */
export function placeOf(marker: Marker, plain: string): number {
  return MARKERS[marker].exec(plain)?.index ?? -1
}
