import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/**
 * What the address that was printed proves: whoever has it may look. Other users of this machine reach the port as well as its owner does, but
 * do not see what was printed. The page keeps it in a cookie that no script reads and no other site brings along.
 */
export interface StartToken {
  /** What stands behind the address, `?token=…`. */
  search: string
  fits(given: string | undefined): boolean
  /** The cookie of a server on a port; browsers keep those of all ports of a host together. */
  cookieName(port: number): string
  cookie(port: number): string
}

export function startToken(secret = randomBytes(24).toString('base64url')): StartToken {
  const print = digest(secret)
  const cookieName = (port: number) => `memscope-${port}`
  return {
    search: `?token=${secret}`,
    // Of equal length and compared whole, so that the time it takes tells nothing.
    fits: (given) => given !== undefined && timingSafeEqual(digest(given), print),
    cookieName,
    cookie: (port) => `${cookieName(port)}=${secret}; Path=/; HttpOnly; SameSite=Strict`,
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
