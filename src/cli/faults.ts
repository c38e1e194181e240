import { fileURLToPath } from 'node:url'
import { UserError } from '../base/errors.js'
import { printable } from '../base/text.js'
import { withoutSecrets } from '../library/secrets.js'
import { harnessVersion } from '../library/version.js'

/** Where Memscope itself lies: a file that is missing there is no mistake of the user. */
const OWN_FOLDER = fileURLToPath(new URL('../..', import.meta.url))

/** Failures of the machine, by what the system calls them: what is the matter with a file, what to do, and the exit code. */
const OF_THE_MACHINE: Record<string, [words: string, hint: string, exitCode: 2 | 3]> = {
  ENOSPC: full('cannot be written: its disk is full'),
  EDQUOT: full('cannot be written: the quota of its disk is full'),
  EFBIG: full('cannot be written: it grows larger than its disk or a limit allows'),
  EIO: ['cannot be read or written: the disk reports an error', 'Check the disk, then try again.', 3],
  EMFILE: ['cannot be opened: too many files are open', 'Raise the limit (ulimit -n), or lower --concurrency.', 3],
  ENFILE: ['cannot be opened: too many files are open on this machine', 'Close something, then try again.', 3],
  EROFS: ['cannot be written: its file system is read-only', elsewhere(), 2],
  EACCES: ['is not yours to read or write', elsewhere(), 2],
  EPERM: ['is not yours to read or write', elsewhere(), 2],
  EISDIR: ['is a folder, and a file is needed', 'Name a file in it.', 2],
  ENOTDIR: ['lies in something that is no folder', elsewhere(), 2],
  EEXIST: ['is a file, and a folder is needed', elsewhere(), 2],
  ENOTEMPTY: ['is there already', elsewhere(), 2],
  ELOOP: ['is a link that leads in a circle', 'Name the file itself.', 2],
  ENAMETOOLONG: ['has a name that is too long for its file system', elsewhere(), 2],
  ETXTBSY: ['is in use', elsewhere(), 2],
  EBUSY: ['is in use', 'Wait until it is not, then try again.', 2],
}

function full(words: string): [string, string, 3] {
  return [words, 'Make room, then try again. A run that stopped goes on with: memscope run --resume last', 3]
}

function elsewhere(): string {
  return 'Choose another place: with --home <folder> for what Memscope keeps, with the flag of the file otherwise.'
}

/**
 * What the machine refuses, in words: a full disk, a folder in the place of a file, a file system that cannot be written. Anything else
 * is passed on as it is.
 */
export function faultInWords(error: unknown): unknown {
  for (let at = error, depth = 0; at instanceof Error && depth < 8; at = at.cause, depth++) {
    const { code = '', path, syscall } = at as NodeJS.ErrnoException
    if (at instanceof UserError) return at
    if (syscall === undefined) continue
    if (code === 'ENOENT' && path !== undefined && !path.startsWith(OWN_FOLDER)) {
      // In /proc and its like nothing can be made.
      const isMade = syscall === 'mkdir' || syscall === 'mkdtemp'
      return new UserError(isMade ? `The folder ${path} cannot be made.` : `There is no ${path}.`, elsewhere())
    }
    const [words, hint, exitCode] = OF_THE_MACHINE[code] ?? []
    if (words !== undefined) return new UserError(`${path ?? 'A file'} ${words} (${code}).`, hint, exitCode)
  }
  return error
}

/** A fault of ours, with what to send to whom. No keys are in it. */
export function faultReport(error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  const { version, platform, arch } = process
  const text = withoutSecrets(
    [
      'memscope: this is a fault in Memscope, or in a memory system that it runs.',
      stack,
      '',
      `Memscope ${harnessVersion()}, Node ${version}, ${platform} ${arch}`,
      'If the lines above name no file of yours, please report it to the project you have Memscope from: send these lines and the',
      'command you typed. Keys are taken out; look for private texts and paths yourself. Runs are kept: --resume goes on with one.',
      '',
    ].join('\n'),
  )
  return printable(text)
}
