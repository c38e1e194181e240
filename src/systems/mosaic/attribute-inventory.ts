import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { Embedder } from '../../model/index.js'
import { TopK } from '../top-k.js'

/** Names of attributes and sentences that tell them: the signs of their vectors, and of which attribute each is. */
export interface AttributeSigns {
  attributes: number
  names: SignRows
  tellings: SignRows
}

/** Signs of vectors, a bit a number, row after row. */
export interface SignRows {
  signs: Uint8Array
  owners: Uint16Array
}

/** How peaked shares are: a cosine by which an attribute is e times as likely. */
const OF_NAMES = 0.03
const OF_TELLINGS = 0.045
/** Attributes of a text that are looked at. */
const LIKELIEST = 48
const MAGIC = 'MSATTR1\n'

/** The likeliest attributes of a text with their shares. */
export type AttributeShares = ReadonlyMap<number, number>

/**
 * What people tell about themselves and their work, and how they call it. "My sport" and "Tuesdays I'm at the rink" share no word and little
 * meaning; what they have in common is the attribute, which both are like in the inventory.
 */
export class AttributeInventory {
  constructor(private readonly signs: AttributeSigns) {}

  /** The one that ships, for the embedder whose vectors it was made of; null for any other. */
  static open(embed: Embedder): AttributeInventory | null {
    if (!embed.id.startsWith('minilm/')) return null
    shipped ??= new AttributeInventory(
      readSigns(gunzipSync(readFileSync(new URL('./attributes.bin', import.meta.url)))),
    )
    return shipped
  }

  /** Which attributes words for one may mean, by the vector of the words. */
  named(vector: Float32Array): AttributeShares {
    return sharesOf(this.signs.names, vector, this.signs.attributes, OF_NAMES)
  }

  /** Which attributes a sentence may tell. */
  told(vector: Float32Array): AttributeShares {
    return sharesOf(this.signs.tellings, vector, this.signs.attributes, OF_TELLINGS)
  }
}

let shipped: AttributeInventory | undefined

/** What is left for texts that have no attribute in common. */
export const LEAST = 1e-6

/** How likely two texts are about the same attribute, as a logarithm. */
export function sameAttribute(one: AttributeShares, other: AttributeShares): number {
  let both = 0
  for (const [attribute, share] of one) both += share * (other.get(attribute) ?? 0)
  return Math.log(both + LEAST)
}

function sharesOf({ signs, owners }: SignRows, vector: Float32Array, count: number, scale: number): AttributeShares {
  const best = new Float64Array(count).fill(Number.NEGATIVE_INFINITY)
  const sums = bytewise(vector)
  const bytes = vector.length >> 3
  for (let row = 0, at = 0; row < owners.length; row++) {
    let sum = 0
    for (let byte = 0; byte < bytes; byte++) sum += sums[(byte << 8) | signs[at++]!]!
    const owner = owners[row]!
    if (sum > best[owner]!) best[owner] = sum
  }
  return likeliest(best, scale * Math.sqrt(vector.length))
}

/** For every byte of signs what it adds to the product with a vector: each byte is looked up, and not each bit. */
function bytewise(vector: Float32Array): Float32Array {
  const sums = new Float32Array((vector.length >> 3) * 256)
  for (let byte = 0; byte < vector.length >> 3; byte++)
    for (let value = 0; value < 256; value++) {
      let sum = 0
      for (let bit = 0; bit < 8; bit++) sum += value & (1 << bit) ? vector[byte * 8 + bit]! : -vector[byte * 8 + bit]!
      sums[(byte << 8) | value] = sum
    }
  return sums
}

function likeliest(scores: Float64Array, scale: number): AttributeShares {
  const best = new TopK(LIKELIEST)
  for (let at = 0; at < scores.length; at++) best.offer(at, scores[at]!)
  const hits = best.hits()
  const weights = hits.map(({ score }) => Math.exp((score - hits[0]!.score) / scale))
  const sum = weights.reduce((all, weight) => all + weight, 0)
  return new Map(hits.map(({ index }, i) => [index, weights[i]! / sum]))
}

/** Reads what `writeSigns` wrote. */
export function readSigns(bytes: Buffer): AttributeSigns {
  if (bytes.toString('latin1', 0, MAGIC.length) !== MAGIC)
    throw new Error('attributes.bin is damaged; install the package again')
  const [attributes, names, tellings, rowBytes] = [0, 4, 8, 12].map((at) => bytes.readUInt32LE(MAGIC.length + at)) as [
    number,
    number,
    number,
    number,
  ]
  let at = MAGIC.length + 16
  const rows = (count: number): SignRows => {
    const owners = Uint16Array.from({ length: count }, (_, i) => bytes.readUInt16LE(at + 2 * i))
    at += 2 * count
    const signs = new Uint8Array(bytes.subarray(at, at + count * rowBytes))
    at += count * rowBytes
    return { owners, signs }
  }
  return { attributes, names: rows(names), tellings: rows(tellings) }
}

/** The bytes of an inventory, of vectors of one length. */
export function writeSigns(
  attributes: number,
  names: readonly { owner: number; vector: Float32Array }[],
  tellings: readonly { owner: number; vector: Float32Array }[],
): Buffer {
  const rowBytes = (names[0]?.vector.length ?? 0) >> 3
  const head = Buffer.alloc(16)
  for (const [i, value] of [attributes, names.length, tellings.length, rowBytes].entries())
    head.writeUInt32LE(value, 4 * i)
  const parts = [names, tellings].flatMap((rows) => {
    const owners = Buffer.alloc(2 * rows.length)
    for (const [i, { owner }] of rows.entries()) owners.writeUInt16LE(owner, 2 * i)
    return [owners, ...rows.map(({ vector }) => signsOf(vector))]
  })
  return Buffer.concat([Buffer.from(MAGIC, 'latin1'), head, ...parts])
}

function signsOf(vector: Float32Array): Buffer {
  const signs = Buffer.alloc(vector.length >> 3)
  for (const [d, value] of vector.entries()) if (value > 0) signs[d >> 3]! |= 1 << (d & 7)
  return signs
}
