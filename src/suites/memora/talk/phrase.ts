import { entryOf } from '../../../base/group-by.js'
import type { Random } from '../../../base/random.js'

/** A part of a phrase: text as it stands, a slot, or a choice between ways to go on. */
export type PhraseNode = string | { slot: string } | { ways: PhraseNode[][] }

/** What stands for each `{slot}` of a phrase. */
export type Slots = Readonly<Record<string, string>>

const parsed = new Map<string, PhraseNode[]>()

/** A phrase as it came out, and its own words alone, with bars where slots were filled. */
type Rendered = Record<'text' | 'bare', string>

/**
 * Says a phrase: `{a|b}` is a choice, `{name}` a slot, and choices may hold both. The first letter comes out as a capital.
 *
 * @example render('{Hi|Hello} {name}.', random, { name: 'Ada' }).text // 'Hello Ada.'
 */
export function render(phrase: string, random: Random, slots: Slots): Rendered {
  const said = { text: '', bare: '' }
  speak(nodesOf(phrase), random, slots, said)
  const text = said.text.replace(/ {2,}/g, ' ').trim()
  const capital = (_: string, quote: string, letter: string) => quote + letter.toUpperCase()
  return { text: text.replace(/^("?)(\p{Ll})/u, capital), bare: said.bare }
}

/** A phrase taken apart. */
export const nodesOf = (phrase: string): PhraseNode[] => entryOf(parsed, phrase, () => parse(phrase))

function speak(nodes: readonly PhraseNode[], random: Random, slots: Slots, said: Rendered): void {
  for (const node of nodes) {
    if (typeof node === 'string') {
      said.text += node
      said.bare += node
    } else if ('ways' in node) speak(random.pick(node.ways), random, slots, said)
    else {
      const value = slots[node.slot]
      if (value === undefined) throw new Error(`Expected a value for the slot {${node.slot}}`)
      said.text += value
      said.bare += '|'
    }
  }
}

function parse(phrase: string): PhraseNode[] {
  let at = 0
  const group = (depth: number): PhraseNode[][] => {
    const ways: PhraseNode[][] = [[]]
    let text = ''
    const flush = () => {
      if (text) ways.at(-1)!.push(text)
      text = ''
    }
    while (at < phrase.length) {
      const letter = phrase[at++]!
      if (letter === '{') {
        flush()
        const inner = group(depth + 1)
        const [only] = inner[0]!
        ways.at(-1)!.push(inner.length === 1 && typeof only === 'string' ? { slot: only } : { ways: inner })
      } else if (depth > 0 && letter === '}') {
        flush()
        return ways
      } else if (depth > 0 && letter === '|') {
        flush()
        ways.push([])
      } else text += letter
    }
    if (depth > 0) throw new Error(`Expected a closing brace in: ${phrase}`)
    flush()
    return ways
  }
  return group(0)[0]!
}
