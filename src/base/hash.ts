import { createHash } from 'node:crypto'

/** SHA-256 of a text, in hex. */
export function sha256(text: string | Uint8Array): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Short, stable hash of any JSON value; independent of the order of keys. */
export function fingerprint(value: unknown): string {
  return sha256(stableStringify(value)).slice(0, 16)
}

/** JSON with sorted keys; `undefined` members are left out, as in JSON. */
export function stableStringify(value: unknown): string {
  if (Array.isArray(value))
    return `[${value.map((item) => stableStringify(item === undefined ? null : item)).join(',')}]`
  if (value !== null && typeof value === 'object') {
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => `${JSON.stringify(key)}:${stableStringify(member)}`)
    return `{${members.join(',')}}`
  }
  return JSON.stringify(value)
}
