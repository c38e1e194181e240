import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Ended, memscope, temporaryFolder } from './cli.js'

/**
 * The tour as `memscope run` ends it where a line has 80 columns, and a copy of the folder in which it was made. It is run once for all tests of
 * a run, by whoever asks first: their temporary folder is one.
 */
export async function finishedTour(): Promise<Ended & { cwd: string }> {
  const [made, claim] = ['tour', 'tour-claimed'].map((name) => join(tmpdir(), name)) as [string, string]
  const ended = join(made, 'ended.json')
  while (!existsSync(ended)) {
    if (isMine(claim)) await makeTour(made, ended).finally(() => rmdirSync(claim))
    else await sleep(200)
  }
  const cwd = temporaryFolder()
  cpSync(join(made, 'cwd'), cwd, { recursive: true })
  return { ...(JSON.parse(readFileSync(ended, 'utf8')) as Ended), cwd }
}

async function makeTour(made: string, ended: string): Promise<void> {
  if (existsSync(ended)) return
  const cwd = join(made, 'cwd')
  mkdirSync(cwd, { recursive: true })
  const tour = await memscope(['run'], { cwd, env: { COLUMNS: '80' } })
  writeFileSync(`${ended}.new`, JSON.stringify(tour))
  renameSync(`${ended}.new`, ended)
}

/** Whether this caller is the one to make it. */
function isMine(claim: string): boolean {
  try {
    mkdirSync(claim)
    return true
  } catch {
    return false
  }
}
