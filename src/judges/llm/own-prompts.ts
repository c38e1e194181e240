import { suggest, UserError } from '../../base/errors.js'
import type { OwnPrompts } from '../../model/index.js'
import { normalizeText, PLACE, sectionsIn } from './prompt.js'

/**
 * Prompts with the sections of a user in place of their own; those not given stay. A section needs the places of the one it replaces, and
 * the fence its marks: else a model would not see what it is asked, or would not know what is data.
 *
 * @param what whose prompts they are, for messages
 */
export function replaceSections(base: ReadonlyMap<string, string>, own: OwnPrompts, what: string): Map<string, string> {
  const { name: file, text } = own
  const given = sectionsIn(text)
  const isLoose = normalizeText(text).split(/^@@ /m)[0]!.trim() !== ''
  if (given.length === 0 || isLoose)
    throw new UserError(
      given.length === 0 ? `"${file}" has no sections.` : `"${file}" has text before its first section.`,
      `A section begins with a line "@@ name". Sections of ${what}: ${[...base.keys()].join(', ')}.`,
    )
  const replaced = new Map(base)
  const seen = new Set<string>()
  for (const [name, section] of given) {
    const usual = base.get(name)
    if (usual === undefined) {
      const near = suggest(name, [...base.keys()])
      throw new UserError(
        `"${file}" has a section "${name}", which ${what} do not have.`,
        `${near ? `Did you mean "${near}"? ` : ''}Known: ${[...base.keys()].join(', ')}.`,
      )
    }
    if (seen.has(name)) throw new UserError(`"${file}" has the section "${name}" twice.`, 'Leave one of them.')
    seen.add(name)
    requireParts(`The section "${name}" of "${file}"`, section, usual)
    replaced.set(name, section)
  }
  return replaced
}

/** The sections in which two sets of prompts differ. */
export function differingSections(one: string, other: string): string[] {
  const [first, second] = [new Map(sectionsIn(one)), new Map(sectionsIn(other))]
  return [...new Set([...first.keys(), ...second.keys()])].filter((name) => first.get(name) !== second.get(name))
}

/** A line of the fence, as it is told to the model. */
const MARK = /<<[^<>\n]+>>/g

/** Places that say more than a model needs. */
const OPTIONAL: ReadonlySet<string> = new Set(['{time}'])

function requireParts(what: string, section: string, usual: string): void {
  const wanted = partsIn(usual, PLACE)
  const places = [...section.matchAll(PLACE)].map(([place]) => place)
  for (const place of wanted) {
    const count = places.filter((found) => found === place).length
    if (count === 0 && !OPTIONAL.has(place))
      throw new UserError(
        `${what} has no ${place}.`,
        place === '{fence}'
          ? 'Put {fence} on a line where the model is to be told which text is data and gives no orders.'
          : 'The section that it replaces has it, and nothing else brings it in.',
      )
    if (count > 1) throw new UserError(`${what} has ${place} ${count} times.`, 'Leave it where it is wanted.')
    if (count === 1 && isAlone(place, usual) && !isAlone(place, section))
      throw new UserError(`${what} has ${place} among other text.`, 'Put it on a line of its own.')
  }
  const strange = places.filter((place) => !wanted.has(place))
  if (strange.length > 0)
    throw new UserError(
      `${what} has a place that nothing fills: ${strange.join(', ')}.`,
      wanted.size === 0 ? 'No places are filled there.' : `Filled there: ${[...wanted].join(', ')}.`,
    )
  const unmarked = [...partsIn(usual, MARK)].filter((mark) => !section.includes(mark))
  if (unmarked.length > 0)
    throw new UserError(
      `${what} does not name ${unmarked.join(' and ')}.`,
      'Lines like these stand before and after data; the model must be told of both.',
    )
}

function isAlone(place: string, section: string): boolean {
  return section.split('\n').some((line) => line.trim() === place)
}

function partsIn(text: string, part: RegExp): Set<string> {
  return new Set([...text.matchAll(part)].map(([found]) => found))
}
