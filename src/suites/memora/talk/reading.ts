import { MONTHS, WEEKDAYS } from '../../../base/calendar.js'
import { weekdayOf } from '../days.js'
import type { Liking } from '../trace.js'

/** Words of things that sessions with a memory are about; a session without one may not use them. */
export const TRACKED = new RegExp(
  [
    String.raw`\b(?:steps?|dollars?|euros?|budgets?|films?|movies?|books?|novels?|albums?|songs?|tunes?|music|trips?|hotels?`,
    String.raw`breakfast|lunch|dinner|coffee|grocer\w*|tasks?|to-?dos?|deadlines?|meetings?|birthdays?|appointments?`,
    String.raw`e-?mails?|proposals?)\b`,
  ].join('|'),
  'iu',
)

/** Stand-ins for the values of an operation, put into a sentence before it is read, so that their own words say nothing. */
export const OLD = '\u2460'
export const NEW = '\u2461'

/** Words, between a cue and the value it is about, in either direction. */
const NEAR = String.raw`(?:[^\s,;:.!?]+ ){0,12}?`
const AFTER = String.raw`(?: [^\s,;:.!?]+){0,12}?`

/** Words before a value that take it away: it is past, in another's place, not on record, deleted, or done. */
const ENDING = [
  String.raw`no longer(?: \w+)?|used to|until now|(?:it|what) was|once said|what i told you about|as for`,
  'instead of|(?:in|the) place of|replac(?:e|ing)|swap|traded|exchanged|gone from|out goes|out with',
  "where you have|says|down for|(?<!me )away from|not(?: on)?(?: the)?(?= X)|won't be|there's no",
  "(?<!n't )forget(?: that i)?|scrap|undo|withdraw|can't keep|remove|strike|delete|take out|drop(?:ping)?|cut",
  String.raw`cross(?: out)?|(?<!steer )clear|wipe|erase|don't go by|no reason to keep|cancel(?:led|ling)?|off the \w+ list`,
  "indifferent about|neutral about|my (?:dis)?lik(?:ing|e) (?:for|of)|won't be there for",
  'done with|tick off|check off|managed to|was able to|finished|completed|done|no need to remind me to',
].join('|')
/** Words after a value that take it away. */
const ENDED = [
  'used to|no longer|any more|any longer|becomes|was (?:wrong|withdrawn|not)|off|out|removed|has to (?:go|come out)',
  String.raw`(?:is|are|it|come|go|take\w*) (?:off|out|done|finished)|is (?:done|finished|completed)|as (?:completed|done)`,
].join('|')
const BEFORE_OLD = new RegExp(`\\b(?:${ENDING}) ${NEAR}["(]?X`, 'iu')
const AFTER_OLD = new RegExp(`X[")]?${AFTER} (?:${ENDED})\\b`, 'iu')
const FROM_TO = /\b(?:mov|chang|revis|shift|correct|back|revert|go(?:es|ne))\w* (?:\S+ ){0,6}?from (?:\S+ )?X to\b/iu

/** Whether a sentence speaks of the value behind a stand-in as of something over, removed or finished. */
export function isEnded(sentence: string, mark: string): boolean {
  const other = mark === OLD ? NEW : OLD
  return sentence.split(other).some((piece, index, pieces) => {
    const text = piece.replaceAll(mark, 'X').trim()
    const tail = index < pieces.length - 1 ? `${text} Y` : text
    return BEFORE_OLD.test(tail) || AFTER_OLD.test(tail) || FROM_TO.test(tail)
  })
}

const LIKING_WORD = /\b(dis)?(?:like[ds]?|liking)\b|\b(?:love[ds]?|enjoy(?:ed|s)?|fond|fan|favou?rite)\b/giu
const NOT = /\b(?:not|no|don't|didn't|can't|never)\b/iu
/** What is said before these words is not said of what follows them. */
const CURRENT = /\b(?:now|to my|become)\b/iu
const FORMER = /\b(?:used to|once|no longer|was|former|from (?:my|the)|until \w+|having)\b/iu

/** Likings that a sentence expresses, and whether each is spoken of as former. Words of liking in the past tense are former. */
export function likingsIn(sentence: string): { liking: Liking; former: boolean }[] {
  return sentence.split(/[,;:.!?]/u).flatMap((clause) =>
    [...clause.matchAll(LIKING_WORD)].map((match) => {
      const lead = clause.slice(0, match.index).split(CURRENT).at(-1)!
      const before = lead.trim().split(' ').slice(-6).join(' ')
      const former = FORMER.test(before) || /ed$/iu.test(match[0])
      const negated = NOT.test(before.replace(/no longer|not long/giu, ''))
      return { liking: (match[1] !== undefined) !== negated ? 'dislike' : 'like', former }
    }),
  )
}

/** Every way in which a day may be written, in small letters. */
export function daysAsSaid(day: string): string[] {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number]
  const name = MONTHS[month - 1]!.toLowerCase()
  const dates = ['', 'th', 'st', 'nd', 'rd'].map((ending) => `${date}${ending}`)
  const said = dates.flatMap((one) => [`${name} ${one}`, `${one} ${name}`, `${one} of ${name}`])
  const dated = [...said, ...said.map((one) => `${one}, ${year}`)]
  const weekday = WEEKDAYS[weekdayOf(day)]!.toLowerCase()
  return [...dated.map((one) => `${weekday}, ${one}`), ...dated]
}
