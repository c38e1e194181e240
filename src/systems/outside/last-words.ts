/** Characters of what a process wrote that are shown when it ends. */
const TAIL = 1500

/** Keeps the end of what a process writes, in bounded space. */
export class LastWords {
  #text = ''

  hear(chunk: Buffer | string): void {
    this.#text = (this.#text + String(chunk)).slice(-TAIL)
  }

  /** A sentence with them, or nothing. */
  toString(): string {
    const words = this.#text.trim()
    return words === '' ? '' : ` Its last words: ${words}`
  }
}

/** A message without values that are nobody's business: those of headers and variables that the user passed on. */
export function withoutValues(message: string, values: readonly string[]): string {
  return values.reduce((text, value) => (value.length >= 4 ? text.replaceAll(value, '***') : text), message)
}
