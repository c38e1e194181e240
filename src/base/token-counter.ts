/** A vocabulary of a byte-level tokenizer: its tokens by rank, and the pattern that cuts a text into the pieces tokens are merged in. */
export interface Vocabulary {
  ranks: readonly (string | readonly number[])[]
  /** Global. */
  pieces: RegExp
}

/** Longest piece that is merged as one; a longer one, which no prose holds, is counted in stretches of so many characters. */
const LONGEST_PIECE = 10_000

/** Most characters that are cut into pieces at once: the pattern keeps a place to return to for every character of a piece. */
const BLOCK = 1_000_000

/** Most texts and characters whose counts are remembered. */
const MOST_TEXTS = 50_000
const MOST_CHARACTERS = 50_000_000

/**
 * Counts the tokens of texts in time that grows as their length, whatever they hold: pairs wait in a heap instead of being looked for again
 * after every merge. The count is exact, but for pieces longer than {@link LONGEST_PIECE}: each stretch of those may count one token too many.
 * Remembers recent texts, for the same memories and prompts are counted again and again.
 *
 * @param load gives the vocabulary when something is first counted: it takes longer to read than most commands run
 */
export function tokenCounter(load: () => Vocabulary): (text: string) => number {
  const known = new Map<string, number>()
  let characters = 0
  let count: ((text: string) => number) | null = null
  return (text) => {
    let tokens = known.get(text)
    if (tokens === undefined) {
      count ??= counterOf(load())
      tokens = 0
      for (const block of blocksOf(text)) tokens += count(block)
      characters += text.length
      if (known.size >= MOST_TEXTS || characters > MOST_CHARACTERS) {
        known.clear()
        characters = text.length
      }
      known.set(text, tokens)
    }
    return tokens
  }
}

function counterOf({ ranks, pieces }: Vocabulary): (text: string) => number {
  // A key has one character for each byte, so that a part of a piece is a part of a string.
  const rankOf = new Map<string, number>()
  let longest = 0
  ranks.forEach((token, rank) => {
    const key = typeof token === 'string' ? bytesOf(token) : String.fromCharCode(...token)
    rankOf.set(key, rank)
    if (key.length > longest) longest = key.length
  })
  const merged = new Map<string, number>()
  const countPiece = (piece: string): number => {
    if (piece.length > LONGEST_PIECE) {
      let tokens = 0
      for (const part of stretches(piece, LONGEST_PIECE)) tokens += countPiece(part)
      return tokens
    }
    const bytes = bytesOf(piece)
    if (rankOf.has(bytes)) return 1
    let tokens = merged.get(bytes)
    if (tokens === undefined) {
      tokens = mergePairs(bytes, rankOf, longest)
      if (merged.size >= MOST_TEXTS) merged.clear()
      if (bytes.length < 100) merged.set(bytes, tokens)
    }
    return tokens
  }
  return (text) => {
    let tokens = 0
    for (const [piece] of text.matchAll(pieces)) tokens += countPiece(piece)
    return tokens
  }
}

/** How many parts are left when the pair of lowest rank, and of those the first, is joined until no pair is a token. */
function mergePairs(bytes: string, rankOf: ReadonlyMap<string, number>, longest: number): number {
  const { length } = bytes
  /** Where the part that begins at a place ends, and where the part before it begins. A part that is gone ends at 0. */
  const end = Uint32Array.from({ length }, (_, i) => i + 1)
  const before = Int32Array.from({ length }, (_, i) => i - 1)
  const heap: number[] = []
  const offer = (start: number) => {
    const middle = end[start]!
    if (middle >= length) return
    const stop = end[middle]!
    const rank = stop - start > longest ? undefined : rankOf.get(bytes.slice(start, stop))
    if (rank !== undefined) push(heap, (rank * PLACES + start) * PLACES + stop)
  }
  for (let i = 0; i + 1 < length; i++) offer(i)
  let parts = length
  for (let pair = pop(heap); pair !== undefined; pair = pop(heap)) {
    const stop = pair % PLACES
    const start = Math.floor(pair / PLACES) % PLACES
    const middle = end[start]!
    // One of its parts has been joined with another since.
    if (middle === 0 || middle >= length || end[middle] !== stop) continue
    end[start] = stop
    end[middle] = 0
    if (stop < length) before[stop] = start
    parts--
    offer(start)
    if (before[start]! >= 0) offer(before[start]!)
  }
  return parts
}

/** More than a piece has bytes. A pair is one number, rank first, then where it starts and stops: together less than 2 ** 53. */
const PLACES = 2 ** 15

/** Puts a number into a heap whose root is the least. */
function push(heap: number[], value: number): void {
  let at = heap.length
  for (let up = (at - 1) >> 1; at > 0 && heap[up]! > value; up = (at - 1) >> 1) {
    heap[at] = heap[up]!
    at = up
  }
  heap[at] = value
}

/** Takes the least number out of a heap. */
function pop(heap: number[]): number | undefined {
  const least = heap[0]
  const last = heap.pop()
  if (last === undefined || heap.length === 0) return least
  let at = 0
  for (let down = 1; down < heap.length; down = 2 * at + 1) {
    if (down + 1 < heap.length && heap[down + 1]! < heap[down]!) down++
    if (heap[down]! >= last) break
    heap[at] = heap[down]!
    at = down
  }
  heap[at] = last
  return least
}

/** Room for the longest piece: one buffer for all is much quicker than one for each. */
const scratch = Buffer.alloc(3 * LONGEST_PIECE)

/** The bytes of a piece, one character each. */
function bytesOf(text: string): string {
  for (let i = 0; i < text.length; i++)
    if (text.charCodeAt(i) > 127) return scratch.toString('latin1', 0, scratch.write(text))
  return text
}

/** Blocks of a text that are counted one by one, cut before a word where there is one: that never changes the count. */
function* blocksOf(text: string): Generator<string> {
  let from = 0
  while (text.length - from > BLOCK) {
    let to = from + BLOCK
    while (to > from + BLOCK / 2 && !(text[to] === ' ' && /\S/.test(text[to - 1]!))) to--
    if (to === from + BLOCK / 2) to = wholeCharacter(text, from + BLOCK)
    yield text.slice(from, to)
    from = to
  }
  yield from === 0 ? text : text.slice(from)
}

function* stretches(text: string, size: number): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const to = wholeCharacter(text, Math.min(text.length, from + size))
    yield text.slice(from, to)
    from = to
  }
}

/** The place, or the one before it when it would halve a character. */
function wholeCharacter(text: string, place: number): number {
  const code = text.charCodeAt(place)
  return code >= 0xdc00 && code <= 0xdfff ? place - 1 : place
}
