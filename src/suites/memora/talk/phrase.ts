import type { Random } from '../../../base/random.js'

type Node = string | { slot: string } | { ways: Node[][] }

/** What stands for each `{slot}` of a phrase. */
export type Slots = Readonly<Record<string, string>>

const parsed = new Map<string, Node[]>()

/** A phrase as it came out, and its own words alone, with bars where slots were filled. */
export interface Rendered {
  text: string
  bare: string
}

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

/** Names of the slots that a phrase may ask for, whatever is chosen. */
export function slotsOf(phrase: string): Set<string> {
  const names = new Set<string>()
  const visit = (nodes: readonly Node[]): void => {
    for (const node of nodes) {
      if (typeof node === 'string') continue
      if ('slot' in node) names.add(node.slot)
      else for (const way of node.ways) visit(way)
    }
  }
  visit(nodesOf(phrase))
  return names
}

function nodesOf(phrase: string): Node[] {
  let nodes = parsed.get(phrase)
  if (!nodes) {
    nodes = parse(phrase)
    parsed.set(phrase, nodes)
  }
  return nodes
}

function speak(nodes: readonly Node[], random: Random, slots: Slots, said: Rendered): void {
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

function parse(phrase: string): Node[] {
  let at = 0
  const group = (depth: number): Node[][] => {
    const ways: Node[][] = [[]]
    let text = ''
    const flush = () => {
      if (text) ways.at(-1)!.push(text)
      text = ''
    }
    while (at < phrase.length) {
      const letter = phrase[at++]!
      if (letter === '{') {
        flush()
        ways.at(-1)!.push(choice(group(depth + 1)))
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

function choice(ways: Node[][]): Node {
  const [only] = ways[0]!
  if (ways.length === 1 && typeof only === 'string') return { slot: only }
  return { ways }
}
