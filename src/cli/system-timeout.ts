import { UserError } from '../base/errors.js'
import { SYSTEM_TIMEOUT_MS } from '../model/index.js'
import type { Flags, Typed } from './args.js'

/** How long a memory may take. It changes nothing that is measured, but for what is never measured. */
export const TIMEOUT_FLAG: Flags = {
  'system-timeout': {
    type: 'text',
    value: '<s>',
    about: `longest a memory may take for one call, in seconds, models not counted (default ${SYSTEM_TIMEOUT_MS / 1000})`,
  },
}

/** The limit of one call of a system in milliseconds, as typed or the usual one. */
export function systemMsFrom({ text }: Typed): number {
  const typed = text['system-timeout']
  if (typed === undefined) return SYSTEM_TIMEOUT_MS
  const seconds = Number(typed)
  if (!(seconds > 0 && seconds <= 86_400))
    throw new UserError(`Expected --system-timeout to be a number of seconds above 0, got "${typed}".`)
  return seconds * 1000
}
