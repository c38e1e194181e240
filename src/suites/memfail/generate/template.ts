import { entryOf } from '../../../base/group-by.js'

/** A parsed piece of a template. */
export type TemplateNode =
  | { kind: 'text'; text: string }
  /** Inserts what the scope holds. */
  | { kind: 'use'; key: string; form: string }
  /** Chooses from a lexicon, something other than what is bound to `not`, and may bind the choice. */
  | { kind: 'pick'; lexicon: string; not: string; form: string; bind: string }
  /** An invented proper name. */
  | { kind: 'name'; of: string; bind: string }
  | { kind: 'number'; from: number; to: number; not: string; form: string; bind: string }
  | { kind: 'choice'; ways: TemplateNode[][] }

const known = new Map<string, TemplateNode[]>()

/**
 * Parses a template; each is parsed once. `{lexicon.form:key}` picks and binds, `{lexicon!key}` picks anything but what is bound, `<key.form>`
 * inserts, `{@kind}` is an invented name, `{#3-9}` a number, `(a|b)` a choice, `[x]` an option.
 *
 * @example parse('<N> keeps [only ]{#3-9} {colour} {thing.s}')
 */
export function parse(template: string): TemplateNode[] {
  return entryOf(known, template, () => {
    const reader = { template, at: 0 }
    const nodes = sequence(reader, '')
    if (reader.at < template.length) throw new SyntaxError(`Unexpected "${template[reader.at]}" in "${template}"`)
    return nodes
  })
}

interface Reader {
  template: string
  at: number
}

function sequence(reader: Reader, ends: string): TemplateNode[] {
  const nodes: TemplateNode[] = []
  let text = ''
  const flush = () => {
    if (text) nodes.push({ kind: 'text', text })
    text = ''
  }
  while (reader.at < reader.template.length) {
    const char = reader.template[reader.at]!
    if (ends.includes(char) || char === ')' || char === ']') break
    reader.at++
    if (char === '{') {
      flush()
      nodes.push(slot(until(reader, '}')))
    } else if (char === '<') {
      flush()
      const [key = '', form = ''] = until(reader, '>').split('.')
      nodes.push({ kind: 'use', key, form })
    } else if (char === '(') {
      flush()
      nodes.push({ kind: 'choice', ways: choice(reader) })
    } else if (char === '[') {
      flush()
      const inner = sequence(reader, ']')
      expect(reader, ']')
      nodes.push({ kind: 'choice', ways: [[], inner] })
    } else text += char
  }
  flush()
  return nodes
}

function choice(reader: Reader): TemplateNode[][] {
  const ways = [sequence(reader, '|)')]
  while (reader.template[reader.at] === '|') {
    reader.at++
    ways.push(sequence(reader, '|)'))
  }
  expect(reader, ')')
  return ways
}

function slot(inner: string): TemplateNode {
  const [what = '', bind = ''] = inner.split(':')
  if (what.startsWith('@')) return { kind: 'name', of: what.slice(1), bind }
  const [source = '', form = ''] = what.split('.')
  const [lexicon = '', not = ''] = source.split('!')
  if (!lexicon.startsWith('#')) return { kind: 'pick', lexicon, not, form, bind }
  const [from, to] = lexicon.slice(1).split('-').map(Number)
  return { kind: 'number', from: from!, to: to!, not, form, bind }
}

function until(reader: Reader, end: string): string {
  const close = reader.template.indexOf(end, reader.at)
  if (close < 0) throw new SyntaxError(`Expected "${end}" in "${reader.template}"`)
  const inner = reader.template.slice(reader.at, close)
  reader.at = close + 1
  return inner
}

function expect(reader: Reader, char: string): void {
  if (reader.template[reader.at] !== char) throw new SyntaxError(`Expected "${char}" in "${reader.template}"`)
  reader.at++
}
