import { type FoundJson, parseJson } from './json.js'

/** What models write for `true`, `false` and `null` when they think of Python or JavaScript. */
const WORDS: Readonly<Record<string, unknown>> = {
  true: true,
  false: false,
  null: null,
  True: true,
  False: false,
  None: null,
  undefined: null,
}

const QUOTES: Readonly<Record<string, string>> = { '"': '"', "'": "'", '`': '`', '“': '”', '‘': '’' }

/** White space and comments, from where reading stands. */
const BLANK = /(?:\s|\/\/[^\n]*|#[^\n]*|\/\*[\s\S]*?\*\/)+/y

class NotJson extends Error {}

/**
 * JSON as models write it: with comments, commas too many, quotes of other kinds, names without quotes, words of Python, and line breaks inside of
 * strings. What is cut off is not JSON: nobody knows what was to come.
 */
export function parseLooseJson(text: string): FoundJson {
  const strict = parseJson(text)
  if (strict !== undefined) return { ok: true, value: strict }
  try {
    return { ok: true, value: new Reader(text).read() }
  } catch (error) {
    if (!(error instanceof NotJson || error instanceof RangeError)) throw error
    return { ok: false, why: `The reply is not valid JSON (${error.message}).` }
  }
}

class Reader {
  #at = 0

  constructor(readonly text: string) {}

  read(): unknown {
    const value = this.#value()
    this.#skip()
    if (this.#at < this.text.length) throw this.#unexpected()
    return value
  }

  #value(): unknown {
    this.#skip()
    const char = this.text[this.#at] ?? ''
    if (char === '{') return this.#object()
    if (char === '[') return this.#list()
    if (char in QUOTES) return this.#string()
    const word = this.#word()
    if (Object.hasOwn(WORDS, word)) return WORDS[word]
    const number = word === '' ? Number.NaN : Number(word.replace(/^\+/, ''))
    if (Number.isFinite(number)) return number
    throw this.#unexpected()
  }

  #object(): Record<string, unknown> {
    const entries: [string, unknown][] = []
    this.#at++
    while (!this.#ends('}')) {
      const isQuoted = (this.text[this.#at] ?? '') in QUOTES
      const name = isQuoted ? this.#string() : this.#word()
      if (name === '' && !isQuoted) throw this.#unexpected()
      this.#skip()
      if (this.text[this.#at++] !== ':') throw this.#unexpected()
      entries.push([name, this.#value()])
      this.#comma('}')
    }
    return Object.fromEntries(entries)
  }

  #list(): unknown[] {
    const values: unknown[] = []
    this.#at++
    while (!this.#ends(']')) {
      values.push(this.#value())
      this.#comma(']')
    }
    return values
  }

  #ends(closing: string): boolean {
    this.#skip()
    if (this.text[this.#at] !== closing) return false
    this.#at++
    return true
  }

  /** A comma, or the end; a comma before the end is one too many and does no harm. */
  #comma(closing: string): void {
    this.#skip()
    if (this.text[this.#at] === ',') this.#at++
    else if (this.text[this.#at] !== closing) throw this.#unexpected()
  }

  #string(): string {
    const closing = QUOTES[this.text[this.#at++]!]!
    let value = ''
    for (;;) {
      const char = this.text[this.#at++]
      if (char === undefined) throw new NotJson('it is cut off inside of a string')
      if (char === closing && this.#isEnd()) return value
      value += char === '\\' ? this.#escaped() : char
    }
  }

  /** Whether a quote ends its string: an apostrophe inside of a word does not. */
  #isEnd(): boolean {
    return /^\s*(?:[,:}\]]|\/\/|\/\*|#|$)/.test(this.text.slice(this.#at, this.#at + 80))
  }

  #escaped(): string {
    const char = this.text[this.#at++] ?? ''
    const hex = /^[\da-fA-F]{4}/.exec(this.text.slice(this.#at, this.#at + 4))
    if (char === 'u' && hex) {
      this.#at += 4
      return String.fromCharCode(Number.parseInt(hex[0], 16))
    }
    return { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }[char] ?? char
  }

  #word(): string {
    const [word = ''] = /^[\w$+.-]+/.exec(this.text.slice(this.#at, this.#at + 200)) ?? []
    this.#at += word.length
    return word
  }

  /** White space and comments. */
  #skip(): void {
    BLANK.lastIndex = this.#at
    if (BLANK.test(this.text)) this.#at = BLANK.lastIndex
  }

  #unexpected(): NotJson {
    const char = this.text[this.#at]
    return new NotJson(char === undefined ? 'it is cut off' : `unexpected ${JSON.stringify(char)} at ${this.#at}`)
  }
}
