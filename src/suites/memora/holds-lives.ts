import { existsSync, readdirSync, statSync } from 'node:fs'

/** What files of lives that models told end in. */
export const LIFE_FILE = '.life.jsonl'

/** Whether a folder holds lives that models told. */
export function holdsLives(folder: string): boolean {
  return (
    existsSync(folder) && statSync(folder).isDirectory() && readdirSync(folder).some((name) => name.endsWith(LIFE_FILE))
  )
}
