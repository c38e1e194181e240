/** Fields that name people, each with a role that may be left out. */
const PEOPLE = /attendee|lead|owner|recipient|author|contact|participant|presenter|sponsor|manager/i
const ROLE =
  /\b(?:head|lead|leader|director|manager|officer|ceo|cto|cfo|coo|cmo|vp|vice president|president|analyst|engineer|designer|specialist|architect|advisor|adviser|consultant|coordinator|executive|founder|scientist|professor|researcher|writer|editor|strategist|associate|partner|developer|representative|rep|chair|planner|owner|biologist|counsel)\b/i
const NAME = /^(?:(?:Dr|Prof|Mr|Mrs|Ms)\.? )?\p{Lu}[\p{L}.'-]+(?: \p{Lu}[\p{L}.'-]+){1,3}$/u

/**
 * The values a field of a document holds: published lists are joined by commas, and their elements may hold commas themselves. An
 * element begins with a capital, outside of parentheses. A role behind a person's name belongs to that person.
 *
 * @example fieldParts('attendees', 'Ann Lee, Head of Sales, Bo Kim (CTO)') // ['Ann Lee (Head of Sales)', 'Bo Kim (CTO)']
 */
export function fieldParts(field: string, value: string): string[] {
  const pieces = elements(value)
  if (!PEOPLE.test(field)) return pieces
  const people: string[] = []
  for (const piece of pieces) {
    const last = people.at(-1)
    if (last !== undefined && NAME.test(last) && !ROLE.test(last) && ROLE.test(piece)) {
      people[people.length - 1] = `${last} (${piece})`
    } else people.push(piece)
  }
  return people
}

function elements(value: string): string[] {
  const found: string[] = []
  let depth = 0
  let start = 0
  for (let at = 0; at < value.length; at++) {
    const sign = value[at]
    if (sign === '(') depth++
    else if (sign === ')') depth--
    else if (sign === ',' && depth <= 0 && /^ ["'(]?\p{Lu}/u.test(value.slice(at + 1, at + 4))) {
      found.push(value.slice(start, at))
      start = at + 1
    }
  }
  found.push(value.slice(start))
  return found.map((one) => one.trim().replace(/[.?]+$/, '')).filter((one) => one !== '')
}

/** Whether a part names a person, and the name without title and role. */
export function personOf(part: string): string | undefined {
  const bare = part
    .replace(/\s*\([^)]*\)/g, '')
    .replace(/,.*$/, '')
    .trim()
  if (ROLE.test(bare) || !NAME.test(bare) || !/^\p{Lu}/u.test(bare)) return undefined
  const name = bare.replace(/^(?:Dr|Prof|Mr|Mrs|Ms)\.? /, '')
  const words = name.split(' ')
  return words.length >= 2 && words.length <= 4 && words.every((word) => /^\p{Lu}/u.test(word)) ? name : undefined
}
