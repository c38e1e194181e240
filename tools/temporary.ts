import { temporaryFolder as madeFolder } from '../src/base/temporary.js'

export { removeTemporary } from '../src/base/temporary.js'

let isListening = false

/** A folder for a tool or a benchmark, which is removed when it ends, also by Ctrl-C. */
export function temporaryFolder(purpose: string): string {
  if (!isListening)
    for (const [signal, code] of [
      ['SIGINT', 130],
      ['SIGTERM', 143],
    ] as const)
      process.on(signal, () => process.exit(code))
  isListening = true
  return madeFolder(purpose)
}
