import { chmodSync, lstatSync, readdirSync, type Stats } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { PRIVATE_FILE, PRIVATE_FOLDER } from '../base/folders.js'

/** What Memscope keeps in a home. */
const OWN = /^(?:memscope\.db(?:-wal|-shm|-journal)?|prices\.json|cache|work|reports|baselines|labels|locks|optimise)$/

/**
 * Closes a home to everybody but its owner: conversations, memories and replies lie in it. In a folder with other things beside, only our own files
 * are closed, unless the folder has our usual name. Does nothing for others than the owner, nor on Windows, where users cannot enter each other's
 * folders.
 */
export function tightenHome(folder: string): void {
  const home = lookAt(folder)
  if (process.platform === 'win32' || !home?.isDirectory() || !isWide(home) || home.uid !== process.getuid?.()) return
  const names = readdirSync(folder)
  for (const name of names) if (OWN.test(name)) tighten(join(folder, name), home.uid)
  const isOurs =
    basename(resolve(folder)) === '.memscope' || (names.length > 0 && names.every((name) => OWN.test(name)))
  if (isOurs) chmodSync(folder, PRIVATE_FOLDER)
}

function tighten(path: string, owner: number): void {
  const found = lookAt(path)
  // What somebody else put there is his to close, and a link leads out of the home.
  if (!found || found.uid !== owner || found.isSymbolicLink()) return
  if (found.isDirectory()) for (const name of readdirSync(path)) tighten(join(path, name), owner)
  if (isWide(found)) chmodSync(path, found.mode & (found.isDirectory() ? PRIVATE_FOLDER : PRIVATE_FILE | 0o100))
}

/** Null for what is gone meanwhile: files beside a database come and go. */
function lookAt(path: string): Stats | null {
  return lstatSync(path, { throwIfNoEntry: false }) ?? null
}

function isWide({ mode }: Stats): boolean {
  return (mode & 0o077) !== 0
}
