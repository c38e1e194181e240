import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folders = new Set<string>()
let isListening = false

/**
 * A new folder for what is needed only while this process works. Whoever asks removes it with {@link removeTemporary}; what an error or a signal
 * left behind goes when the process ends, unless it is killed.
 */
export function temporaryFolder(purpose: string): string {
  if (!isListening) process.on('exit', removeAll)
  isListening = true
  const folder = mkdtempSync(join(tmpdir(), `memscope-${purpose}-`))
  folders.add(folder)
  return folder
}

export function removeTemporary(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  folders.delete(folder)
}

function removeAll(): void {
  for (const folder of folders) {
    try {
      removeTemporary(folder)
    } catch {
      // What somebody else still writes to, or holds open, must not change how the process ends.
    }
  }
}
