import { entryOf } from '../../../base/group-by.js'
import type { Random } from '../../../base/random.js'
import { numberWords } from '../../../language/number-words.js'
import { articles, capital, gerund, pastParticiple, plurals, thirdPerson } from './english.js'
import { inventedName, nameCount } from './names.js'
import { parse, type TemplateNode } from './template.js'

/** Word lists by name; an entry may itself be a template. */
export type Lexicon = Readonly<Record<string, readonly string[]>>

/** What templates can insert: names, pronouns, and whatever was bound on the way. */
export type Scope = Record<string, string>

/** Makes one choice after another. */
export interface Chooser {
  below(count: number): number
}

const FORMS: Record<string, (text: string) => string> = {
  '': (text) => text,
  s: plurals,
  third: thirdPerson,
  ing: gerund,
  pp: pastParticiple,
  cap: capital,
  /** The last word: what a noun phrase is about. */
  head: (text) => text.slice(text.lastIndexOf(' ') + 1),
}

const HAS_ARTICLE = /(?:^| )a /

/** Chooses by the digits of a number below `range`, then at random: different numbers make different choices. */
export class Digits implements Chooser {
  #rest: number
  #range: number

  constructor(
    value: number,
    range: number,
    readonly random: Random,
  ) {
    this.#rest = value
    this.#range = range
  }

  below(count: number): number {
    if (count <= 1) return 0
    if (this.#range <= 1) return this.random.below(count)
    if (this.#range > count) {
      const digit = this.#rest % count
      this.#rest = Math.floor(this.#rest / count)
      this.#range = Math.ceil(this.#range / count)
      return digit
    }
    const digit = this.#rest + this.#range * this.random.below(Math.floor(count / this.#range))
    this.#range = 1
    return digit
  }
}

/** Writes a template out. Choices are bound into the scope. */
export function expand(template: string, lexicon: Lexicon, scope: Scope, chooser: Chooser): string {
  return write(parse(template), lexicon, scope, chooser)
}

function write(nodes: readonly TemplateNode[], lexicon: Lexicon, scope: Scope, chooser: Chooser): string {
  let text = ''
  for (const node of nodes) text += writeNode(node, lexicon, scope, chooser)
  return text
}

function writeNode(node: TemplateNode, lexicon: Lexicon, scope: Scope, chooser: Chooser): string {
  switch (node.kind) {
    case 'text':
      return node.text
    case 'use': {
      const held = scope[node.key]
      if (held === undefined) throw new Error(`Nothing is bound to <${node.key}>`)
      return inForm(held, node.form)
    }
    case 'choice':
      return write(node.ways[chooser.below(node.ways.length)]!, lexicon, scope, chooser)
    case 'name': {
      const name = inventedName(node.of, chooser.below(nameCount(node.of)))
      if (node.bind) scope[node.bind] = name
      return name
    }
    case 'number': {
      const taken = node.not ? Number(scope[`${node.not}d`]) : Number.NaN
      const value = passing(taken - node.from, node.to - node.from + 1, chooser) + node.from
      const text = node.form === 'd' ? String(value) : numberWords(value)
      if (node.bind) {
        scope[node.bind] = text
        scope[`${node.bind}d`] = String(value)
      }
      return text
    }
    case 'pick': {
      const entries = entriesOf(lexicon, node.lexicon)
      const taken = node.not ? entries.indexOf(scope[node.not] ?? '') : -1
      let text: string
      do {
        text = expand(entries[passing(taken, entries.length, chooser)]!, lexicon, scope, chooser)
        if (HAS_ARTICLE.test(text)) text = articles(text)
      } while (node.not && text === scope[node.not])
      text = inForm(text, node.form)
      if (node.bind) scope[node.bind] = text
      return text
    }
  }
}

/** A number below `count` other than `taken`. */
function passing(taken: number, count: number, chooser: Chooser): number {
  if (!(taken >= 0 && taken < count)) return chooser.below(count)
  const value = chooser.below(count - 1)
  return value < taken ? value : value + 1
}

const LARGEST = 2 ** 44

/** How many different texts a template surely makes, up to 2^44: that many numbers can be told apart by `Digits`. */
export function capacity(template: string, lexicon: Lexicon): number {
  return ways(parse(template), lexicon)
}

function ways(nodes: readonly TemplateNode[], lexicon: Lexicon): number {
  return nodes.reduce((product, node) => Math.min(LARGEST, product * nodeWays(node, lexicon)), 1)
}

const counted = new WeakMap<Lexicon, Map<string, number>>()

function nodeWays(node: TemplateNode, lexicon: Lexicon): number {
  switch (node.kind) {
    case 'text':
    case 'use':
      return 1
    case 'choice':
      return node.ways.length * Math.min(...node.ways.map((way) => ways(way, lexicon)))
    case 'name':
      return nameCount(node.of)
    case 'number':
      return node.to - node.from + (node.not ? 0 : 1)
    case 'pick': {
      const counts = entryOf(counted, lexicon, () => new Map())
      const count = entryOf(counts, node.lexicon, () => {
        const entries = entriesOf(lexicon, node.lexicon)
        return entries.length * Math.min(...entries.map((entry) => ways(parse(entry), lexicon)))
      })
      return node.not ? count - 1 : count
    }
  }
}

function entriesOf(lexicon: Lexicon, name: string): readonly string[] {
  const entries = lexicon[name]
  if (!entries) throw new Error(`There is no lexicon "${name}"`)
  return entries
}

function inForm(text: string, form: string): string {
  const change = FORMS[form]
  if (!change) throw new Error(`There is no form "${form}"`)
  return change(text)
}
