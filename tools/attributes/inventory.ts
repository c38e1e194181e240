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

/** What every file of signs begins with. */
const MAGIC = 'MSATTR1\n'

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
