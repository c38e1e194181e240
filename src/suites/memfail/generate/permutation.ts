const ROUNDS = 4

/** 32-bit hash of a number under a key; every bit of both counts. */
function mix(value: number, key: number): number {
  let h = Math.imul(value ^ (key >>> 0), 0x9e3779b1)
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b) + key
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

/** 32-bit hash of a text under a seed. Seeds beyond 32 bits count in full. */
export function keyOf(text: string, seed: number): number {
  let key = mix(seed >>> 0, Math.floor(seed / 2 ** 32) + 0x51ed27)
  for (let i = 0; i < text.length; i++) key = mix(key, text.charCodeAt(i) + 0x1000 * i)
  return key
}

/**
 * A seeded one-to-one numbering of [0, size): different numbers stay different, neighbours land far apart. A Feistel network over the
 * next power of two, walked until it is back in range; nothing is remembered. Numbers beyond `size` wrap around.
 *
 * @example [0, 1, 2].map((i) => permute(i, 3, 42)) // some order of 0, 1, 2
 */
export function permute(index: number, size: number, key: number): number {
  if (size <= 1) return 0
  const bits = Math.max(2, Math.ceil(Math.log2(size)))
  const low = bits >> 1
  const [lowSize, highSize] = [2 ** low, 2 ** (bits - low)]
  let value = index % size
  do {
    let left = Math.floor(value / lowSize)
    let right = value % lowSize
    for (let round = 0; round < ROUNDS; round++) {
      left = (left + mix(right, key + 2 * round)) % highSize
      right = (right + mix(left, key + 2 * round + 1)) % lowSize
    }
    value = left * lowSize + right
  } while (value >= size)
  return value
}

/** The place of `index` in its block of `size`, in an order of the block's own; for balanced assignments. */
export function placeInBlock(index: number, size: number, key: number): number {
  return permute(index % size, size, mix(Math.floor(index / size), key))
}
