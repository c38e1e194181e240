import { UserError } from '../base/errors.js'
import { fold } from '../base/text.js'
import { systems } from '../builtins.js'

/** Before a colon: variants of built-in systems, and guessers, are called by what stands there. */
const TAKEN: ReadonlySet<string> = new Set([...systems.map(({ name }) => name), 'guess'])

/**
 * Refuses a name for somebody's own memory that is one of this program's: its row would be read, and compared, as that system.
 *
 * @param shown what leads to the memory, as it was typed
 * @param hint how to name it otherwise
 * @throws UserError
 */
export function refuseTakenName(name: string, shown: string, hint: string): void {
  const [first] = fold(name.normalize('NFKC')).trim().split(':')
  if (!TAKEN.has(first!)) return
  throw new UserError(`${shown} calls itself "${name}", which is the name of something built in.`, hint)
}
