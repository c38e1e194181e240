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

/** Lines of a process that are passed on, and characters of each. */
const MOST_LINES = 200
const MOST_WIDE = 500

/** Passes on what a process prints, line by line and in bounds; what comes before anybody listens waits. */
export class PrintedLines {
  #rest = ''
  #count = 0
  #waiting: string[] = []
  #listener: ((line: string) => void) | null = null

  hear(chunk: Buffer | string): void {
    if (this.#count > MOST_LINES) return
    const lines = (this.#rest + String(chunk)).split('\n')
    this.#rest = lines.pop()!.slice(0, MOST_WIDE)
    for (const line of lines) this.#say(line)
  }

  /** Who hears them from now on; nobody with null. */
  listen(listener: ((line: string) => void) | null): void {
    this.#listener = listener
    if (listener) for (const line of this.#waiting.splice(0)) listener(line)
  }

  #say(line: string): void {
    if (line.trim() === '' || ++this.#count > MOST_LINES + 1) return
    const words = this.#count > MOST_LINES ? 'It prints more, which is not shown.' : line.slice(0, MOST_WIDE)
    if (this.#listener) this.#listener(words)
    else this.#waiting.push(words)
  }
}
