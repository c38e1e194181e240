import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { removeTemporary, temporaryFolder } from '../../tools/temporary.js'
import type { Bench } from '../bench.js'

const LIFE = ['--suite', 'memora', '--days', '92', '--size', '2']
/** Commands with the longest work between two waits; the report is of the run before it. */
const COMMANDS: readonly string[][] = [
  ['run', ...LIFE, '--system', 'bm25,bm25:unit=sentence'],
  ['report', 'last', '--html', 'report.html'],
  ['data', 'lint', '--suite', 'meme', '--n', '100'],
  ['data', 'generate', '--suite', 'memfail', '--n', '5000', '--diversity'],
]
/** With less than this of the processor, Ctrl-C is heard within a second on a machine that is half as fast. */
const MOST_MS = 500

/** How long commands work without listening: until then they do not hear Ctrl-C. */
export const turnsBench: Bench = {
  name: 'turns',
  about: 'the longest time in which a command does not hear Ctrl-C',
  async run(progress) {
    const folder = temporaryFolder('bench')
    try {
      const rows = COMMANDS.map((command) => {
        progress(command.join(' '))
        const longest = longestTurn(command, folder)
        return [command.join(' '), String(longest), longest < MOST_MS ? 'yes' : 'no']
      })
      return {
        title: 'Turns',
        note: 'Time of the processor (all threads) between two turns of the event loop, the longest of a command. Signals are heard at turns.',
        columns: ['command', 'ms', `below ${MOST_MS}`],
        rows,
      }
    } finally {
      removeTemporary(folder)
    }
  },
}

function longestTurn(command: readonly string[], folder: string): number {
  const meter = new URL('./meter.js', import.meta.url)
  const found = join(folder, 'longest')
  const args = ['--import', meter.href, fileURLToPath(new URL('../../src/cli/main.js', import.meta.url)), ...command]
  const env = { ...process.env, MEMSCOPE_TURNS: found }
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: folder, env })
  if (status !== 0) throw new Error(`${command.join(' ')} ended with ${status}: ${stderr}`)
  return Number(readFileSync(found, 'utf8'))
}
