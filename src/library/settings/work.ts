import { wholeNumber } from '../../base/whole-number.js'
import { SYSTEM_TIMEOUT_MS } from '../../model/index.js'
import { ofCall } from './setting.js'
import { secondsFrom } from './values.js'

/** Longest a memory may take. It changes nothing that is measured, but for what is never measured. */
export const TIMEOUT = {
  /** Longest a memory may take for one call, in seconds. */
  systemTimeout: ofCall<number>()({
    type: 'text',
    value: '<s>',
    about: 'longest a memory may take for one call, in seconds, models not counted',
    usual: SYSTEM_TIMEOUT_MS / 1000,
    read: (given) => secondsFrom('system-timeout', given),
  }),
} as const

/** How a run is gone on with that names code of its own: files, commands, servers, packages. */
export const TRUST = {
  /** Its code may run, although it was not named here: it was made elsewhere, or by somebody else. */
  trustRun: ofCall<boolean>()({
    type: 'switch',
    about: 'let the code run that the run names, although it was made elsewhere or by somebody else',
    read: (given) => given,
  }),
} as const

/** How a run is worked, and by whom. */
export const WORK = {
  /** A run that stopped, by its id or `last`: goes on with it. k, trials and limits may grow; objects must be given again. */
  resume: ofCall<string>()({
    type: 'text',
    value: '<run>',
    about: 'go on with a run that stopped; "last" is the newest',
    read: (given) => given,
  }),
  ...TRUST,
  /** Then prove the attribution, as `explain` does. */
  oracles: ofCall<boolean>()({
    type: 'switch',
    about: 'then prove the attribution, as memscope explain does',
    read: (given) => given,
  }),
  /** Memories side by side; cores, or 16 with models, unless given. */
  concurrency: ofCall<number>()({
    type: 'text',
    value: '<n>',
    about: 'memories run side by side (default: cores; 16 with models)',
    read: (given) => wholeNumber('concurrency', given, 1, 256),
  }),
  ...TIMEOUT,
  /** Local processes that share the work, with a store; 0 leaves it to workers elsewhere. Without it this process does it. */
  workers: ofCall<number>()({
    type: 'text',
    value: '<n>',
    about: 'with --store: local processes that share the work; 0 leaves it to memscope worker elsewhere',
    read: (given) => wholeNumber('workers', given, 0, 256),
  }),
} as const

/** Where runs, caches and reports are kept. */
export const PLACES = {
  /** The folder: `.memscope` unless said otherwise. */
  home: ofCall<string>()({
    type: 'text',
    value: '<folder>',
    about: 'where runs and caches are kept',
    usual: '.memscope',
    read: (given) => given,
  }),
  /** A PostgreSQL in which runs, replies and vectors are kept instead: `postgres://user@host:5432/database`. */
  store: ofCall<string>()({
    type: 'text',
    value: '<address>',
    about: 'a PostgreSQL in which runs are kept instead: postgres://user@host/database',
    read: (given) => given,
  }),
} as const
