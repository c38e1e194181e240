import { printable, shortened } from '../base/text.js'

/** What stands where a secret stood. */
const REDACTED = '[redacted]'

/** Shorter values are words ("ollama", "EMPTY") that servers without keys are given; taking them out would only spoil texts. */
const SHORTEST = 8

/** Longest message: stacks are longer than errors, and no message is a conversation. */
const LONGEST = 4_000

const PATTERNS: readonly [RegExp, string][] = [
  [/\b(authorization["']?\s*[:=]\s*["']?)(?:bearer|basic)?\s*[^\s"',;}]+/gi, `$1${REDACTED}`],
  [/\b(bearer\s+)[\w.~+/=-]{6,}/gi, `$1${REDACTED}`],
  [/\b((?:x-)?(?:goog-)?api[-_]?key["']?\s*[:=]\s*["']?)[^\s"',;&}]+/gi, `$1${REDACTED}`],
  [/\bsk-[\w*-]{6,}/g, REDACTED],
  [/\bAIza[\w-]{10,}/g, REDACTED],
  [/(:\/\/[^/\s:@]+:)[^@\s/]+@/g, `$1${REDACTED}@`],
]

/** Takes known secrets out of all that is kept; what merely looks like a key only out of messages, since replies of models are evidence. */
export class Redactor {
  readonly #secrets: Set<string>

  constructor(secrets: Iterable<string> = []) {
    this.#secrets = new Set()
    for (const secret of secrets) this.add(secret)
  }

  /** Remembers a secret, also as it looks inside JSON and URLs. */
  add(secret: string): void {
    if (secret.length < SHORTEST) return
    for (const form of [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]) {
      this.#secrets.add(form)
    }
  }

  /** The text without known secrets. */
  text(text: string): string {
    let clean = text
    for (const secret of this.#secrets) if (clean.includes(secret)) clean = clean.replaceAll(secret, REDACTED)
    return clean
  }

  /** Any JSON value without known secrets. */
  value<T>(value: T): T {
    const json = JSON.stringify(value)
    const clean = this.text(json)
    return clean === json ? value : (JSON.parse(clean) as T)
  }

  /** The text without known secrets and anything that looks like one, and without what a terminal would obey; cut when it is very long. */
  message(text: string): string {
    return this.output(shortened(printable(this.text(text)), LONGEST))
  }

  /** The same for what a command was asked to print: whole. */
  output(text: string): string {
    const shown = this.text(text)
    return PATTERNS.reduce((clean, [pattern, to]) => clean.replace(pattern, to), shown)
  }
}
