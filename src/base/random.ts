/**
 * Mersenne Twister with the seeding and methods of Python's `random.Random`, so that orders of released code can be reproduced. It also
 * serves as the harness's own seeded generator.
 */
export class Random {
  #state = new Uint32Array(624)
  #index = 624

  constructor(seed: number | string) {
    if (typeof seed === 'number' && (!Number.isSafeInteger(seed) || seed < 0)) {
      throw new RangeError(`Expected a seed that is a whole number from 0 up, got ${seed}`)
    }
    this.#seed(typeof seed === 'number' ? digits(BigInt(seed)) : digits(BigInt(`0x${hex(seed)}`)))
  }

  #seed(key: number[]): void {
    const mt = this.#state
    mt[0] = 19650218
    for (let i = 1; i < 624; i++) mt[i] = Math.imul(1812433253, mt[i - 1]! ^ (mt[i - 1]! >>> 30)) + i
    let i = 1
    let j = 0
    for (let n = Math.max(624, key.length); n > 0; n--) {
      mt[i] = (mt[i]! ^ Math.imul(mt[i - 1]! ^ (mt[i - 1]! >>> 30), 1664525)) + key[j]! + j
      if (++i >= 624) {
        mt[0] = mt[623]!
        i = 1
      }
      if (++j >= key.length) j = 0
    }
    for (let n = 623; n > 0; n--) {
      mt[i] = (mt[i]! ^ Math.imul(mt[i - 1]! ^ (mt[i - 1]! >>> 30), 1566083941)) - i
      if (++i >= 624) {
        mt[0] = mt[623]!
        i = 1
      }
    }
    mt[0] = 0x80000000
  }

  #next(): number {
    const mt = this.#state
    if (this.#index >= 624) {
      for (let i = 0; i < 624; i++) {
        const y = (mt[i]! & 0x80000000) | (mt[(i + 1) % 624]! & 0x7fffffff)
        mt[i] = mt[(i + 397) % 624]! ^ (y >>> 1) ^ (y & 1 ? 0x9908b0df : 0)
      }
      this.#index = 0
    }
    let y = mt[this.#index++]!
    y ^= y >>> 11
    y ^= (y << 7) & 0x9d2c5680
    y ^= (y << 15) & 0xefc60000
    return (y ^ (y >>> 18)) >>> 0
  }

  /** A float in [0, 1) with 53 bits. */
  random(): number {
    return ((this.#next() >>> 5) * 67108864 + (this.#next() >>> 6)) / 9007199254740992
  }

  /** A whole number in [0, n), without bias. */
  below(n: number): number {
    const bits = 32 - Math.clz32(n)
    let value: number
    do value = this.#next() >>> (32 - bits)
    while (value >= n)
    return value
  }

  /** Shuffles in place and returns the list. */
  shuffle<T>(list: T[]): T[] {
    for (let i = list.length - 1; i > 0; i--) {
      const j = this.below(i + 1)
      const held = list[i]!
      list[i] = list[j]!
      list[j] = held
    }
    return list
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!
  }
}

function digits(value: bigint): number[] {
  const parts: number[] = []
  for (let rest = value; rest > 0n; rest >>= 32n) parts.push(Number(rest & 0xffffffffn))
  return parts.length > 0 ? parts : [0]
}

function hex(text: string): string {
  return Buffer.from(text, 'utf8').toString('hex') || '0'
}
