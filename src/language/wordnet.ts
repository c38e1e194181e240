import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { z } from 'zod'
import { readData } from '../base/data-file.js'

export type PartOfSpeech = 'n' | 'v' | 'a' | 'r'

/** A link from one synset to another; `source` and `target` are word numbers, 0 when the whole synset is meant. */
export interface Pointer {
  symbol: string
  to: number
  source: number
  target: number
}

export interface Synset {
  readonly id: number
  readonly pos: PartOfSpeech
  /** Number of the lexicographer's file: 5 animals, 14 groups, 18 persons, … */
  readonly file: number
  readonly words: string[]
  readonly pointers: Pointer[]
}

export const PARTS_OF_SPEECH: readonly PartOfSpeech[] = ['n', 'v', 'a', 'r']
/** How pointers are written, by the numbers that the packed dictionary has for them. */
const SYMBOLS = readData(new URL('./pointer-symbols.json', import.meta.url), z.array(z.string()))

/** The dictionary as `scripts/pack-wordnet.mjs` packs it: lists one behind the other, and where the part of each synset or word begins. */
interface Dictionary {
  words: readonly string[]
  places: ReadonlyMap<string, number>
  /** By word and part of speech, most frequent sense first. */
  senses: Part
  members: Part
  targets: Part
  pos: Uint8Array
  file: Uint8Array
  symbol: Uint8Array
  source: Uint8Array
  target: Uint8Array
}

interface Part {
  list: Uint32Array
  starts: Uint32Array
}

let held: Dictionary | undefined
let definitions: string[] | undefined

/**
 * Synsets of a base form, most frequent sense first. The dictionary is read on first use.
 *
 * @example synsets('sofa', 'n')[0]?.words // ['sofa', 'couch', 'lounge']
 */
export function synsets(lemma: string, pos: PartOfSpeech): Synset[] {
  const [from, to] = sensesOf(lemma, pos)
  return Array.from(dictionary().senses.list.subarray(from, to), (id) => new PackedSynset(id))
}

/** How many senses a base form has as one part of speech; 0 when there is no such word. */
export function senseCount(lemma: string, pos: PartOfSpeech): number {
  const [from, to] = sensesOf(lemma, pos)
  return to - from
}

/** Whether a base form is in the dictionary as any part of speech. */
export function isWord(lemma: string): boolean {
  return PARTS_OF_SPEECH.some((pos) => senseCount(lemma, pos) > 0)
}

/** The synset a pointer leads to. */
export function follow({ to }: Pointer): Synset {
  return new PackedSynset(to)
}

/** The number of a word that the dictionary has, and the word that has a number. */
export function wordNumber(word: string): number | undefined {
  return dictionary().places.get(word)
}

export function wordOf(number: number): string {
  return dictionary().words[number]!
}

/** What a noun is said to mean, without examples. */
export function definition({ id }: Synset): string {
  definitions ??= gunzipSync(readFileSync(new URL('./wordnet-definitions.gz', import.meta.url)))
    .toString()
    .split('\n')
  return definitions[id] ?? ''
}

function sensesOf(lemma: string, pos: PartOfSpeech): readonly [number, number] {
  const { places, senses } = dictionary()
  const place = places.get(lemma)
  if (place === undefined) return [0, 0]
  const at = 4 * place + PARTS_OF_SPEECH.indexOf(pos)
  return [senses.starts[at]!, senses.starts[at + 1]!]
}

/** A synset, read from the dictionary part by part as it is asked for: those that are gone through are many, and each is soon let go. */
class PackedSynset implements Synset {
  constructor(readonly id: number) {}

  get pos(): PartOfSpeech {
    return PARTS_OF_SPEECH[dictionary().pos[this.id]!]!
  }

  get file(): number {
    return dictionary().file[this.id]!
  }

  get words(): string[] {
    const { words, members } = dictionary()
    return Array.from(partOf(members, this.id), (word) => words[word]!)
  }

  get pointers(): Pointer[] {
    const { targets, symbol, source, target } = dictionary()
    const from = targets.starts[this.id]!
    return Array.from(partOf(targets, this.id), (to, i) => ({
      symbol: SYMBOLS[symbol[from + i]!]!,
      to,
      source: source[from + i]!,
      target: target[from + i]!,
    }))
  }
}

function partOf({ list, starts }: Part, of: number): Uint32Array {
  return list.subarray(starts[of], starts[of + 1])
}

function dictionary(): Dictionary {
  held ??= unpack(gunzipSync(readFileSync(new URL('./wordnet.bin.gz', import.meta.url))))
  return held
}

function unpack(bytes: Buffer): Dictionary {
  let at = 0
  const numbers = (many: number) => {
    at += 4 * many
    return new Uint32Array(bytes.buffer.slice(bytes.byteOffset + at - 4 * many, bytes.byteOffset + at))
  }
  const small = (many: number) => {
    at += many
    return bytes.subarray(at - many, at)
  }
  const [synsetCount, wordCount, memberCount, pointerCount, senseCounts] = numbers(5) as unknown as number[]
  const pointers = numbers(synsetCount!)
  const [members, targets, senses] = [numbers(memberCount!), numbers(pointerCount!), numbers(senseCounts!)]
  const [pos, file, sizes] = [small(synsetCount!), small(synsetCount!), small(synsetCount!)]
  const counts = small(4 * wordCount!)
  const [symbol, source, target] = [small(pointerCount!), small(pointerCount!), small(pointerCount!)]
  const words = bytes.toString('utf8', at).split('\n')
  return {
    words,
    places: new Map(words.map((word, i) => [word, i])),
    senses: { list: senses, starts: startsOf(counts) },
    members: { list: members, starts: startsOf(sizes) },
    targets: { list: targets, starts: startsOf(pointers) },
    ...{ pos, file, symbol, source, target },
  }
}

/** Where the part of each begins, from how many there are of each, and where the last ends. */
function startsOf(counts: Uint8Array | Uint32Array): Uint32Array {
  const starts = new Uint32Array(counts.length + 1)
  counts.forEach((many, i) => {
    starts[i + 1] = starts[i]! + many
  })
  return starts
}
