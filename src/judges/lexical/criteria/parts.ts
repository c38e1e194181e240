import { lemmas } from '../../../language/morphology.js'
import { plainWords } from '../../../language/tokens.js'
import { isWord } from '../../../language/wordnet.js'

/** Fields that name people, each with a role that may be left out. */
const PEOPLE = /attendee|lead|owner|recipient|author|contact|participant|presenter|sponsor|manager/i
/** Words by which a title is known as one. */
export const ROLE =
  /\b(?:head|lead|leader|director|manager|officer|ceo|cto|cfo|coo|cmo|vp|vice president|president|analyst|engineer|designer|specialist|architect|advisor|adviser|consultant|coordinator|executive|founder|scientist|professor|researcher|writer|editor|strategist|associate|partner|developer|representative|rep|chair|planner|owner|biologist|counsel|investigator|supervisor|administrator|assistant|accountant|secretary|treasurer|producer|curator|trainer|nurse|technician|programmer|buyer|controller|auditor|economist|recruiter|copywriter|journalist|teacher|lecturer|pi)s?\b/i
/** Words of which no name of a person is made. */
const BODY =
  /\b(?:leadership|management|teams?|departments?|divisions?|groups?|boards?|committees?|councils?|operations|marketing|sales|finance|legal|compliance|staff|investors?|customers?|clients?|stakeholders?|users?|vendors?|suppliers?|agency|agencies|company|companies|institute|university|office|services?|relations|resources|development|engineering|support|security|community|members?|providers?|personnel|network|research|science|regional|global|executive|product|strategy|technology|data|content)\b/i
const NAME = /^(?:(?:Dr|Prof|Mr|Mrs|Ms)\.? )?\p{Lu}[\p{L}.'-]+(?: \p{Lu}[\p{L}.'-]+){1,3}$/u

/**
 * The values a field of a document holds: published lists are joined by commas, and their elements may hold commas themselves. An
 * element begins with a capital or as a hashtag, outside of parentheses. A role behind a person's name belongs to that person.
 *
 * @example fieldParts('attendees', 'Ann Lee, Head of Sales, Bo Kim (CTO)') // ['Ann Lee (Head of Sales)', 'Bo Kim (CTO)']
 */
export function fieldParts(field: string, value: string): string[] {
  const pieces = elements(value)
  if (!PEOPLE.test(field)) return pieces
  const people: string[] = []
  for (const piece of pieces) {
    const last = people.at(-1)
    const name = last?.replace(/ \(.*$/, '') ?? ''
    const bare = last === name
    if (NAME.test(name) && !ROLE.test(name) && (bare ? ROLE.test(piece) : last!.endsWith(')') && isOffice(piece))) {
      people[people.length - 1] = bare ? `${name} (${piece.replace(/[()]/g, '')})` : `${last!.slice(0, -1)}, ${piece})`
    } else people.push(piece)
  }
  return people
}

/** Where somebody works, of words that no name is made of: "Computer Science Department". */
function isOffice(piece: string): boolean {
  const words = plainWords(piece)
  return (
    /\b(?:department|division|faculty|school|office|unit|group|team|lab|laboratory|institute)\b/i.test(piece) &&
    words.length > 1
  )
}

function elements(value: string): string[] {
  const found: string[] = []
  let depth = 0
  let start = 0
  for (let at = 0; at < value.length; at++) {
    const sign = value[at]
    if (sign === '(') depth++
    else if (sign === ')') depth--
    else if (sign === ',' && depth <= 0 && /^ (?:#|["'(]?\p{Lu})/u.test(value.slice(at + 1, at + 4))) {
      found.push(value.slice(start, at))
      start = at + 1
    }
  }
  found.push(value.slice(start))
  return found.map((one) => one.trim().replace(/[.?]+$/, '')).filter((one) => one !== '')
}

/** "Donors", which no person is called. */
function isPlural(word: string): boolean {
  const plain = word.toLowerCase()
  return /[^s]s$/.test(plain) && !isWord(plain) && lemmas(plain).some(({ lemma }) => lemma !== plain && isWord(lemma))
}

/** Whether a part names a person, and the name without title and role. */
export function personOf(part: string): string | undefined {
  const bare = part
    .replace(/\s*\([^)]*\)/g, '')
    .replace(/,.*$/, '')
    .trim()
  if (ROLE.test(bare) || BODY.test(bare) || !NAME.test(bare) || !/^\p{Lu}/u.test(bare)) return undefined
  const name = bare.replace(/^(?:Dr|Prof|Mr|Mrs|Ms)\.? /, '')
  const words = name.split(' ')
  if (words.some(isPlural) || (words.length > 2 && words.every((word) => isWord(word.toLowerCase())))) return undefined
  return words.length >= 2 && words.length <= 4 && words.every((word) => /^\p{Lu}/u.test(word)) ? name : undefined
}
