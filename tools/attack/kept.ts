import { cpSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'libsql'
import type { Attack, Ground, Group } from './attack.js'
import { expectNoTrace, HOSTILE_ROWS, type HostileRow, type KeptRow, layTraps } from './hostile-rows.js'
import { expectOrder, play } from './play.js'

const SMALL = ['--suite', 'memfail/long-hop', '--system', 'bm25,oracle', '--size', '2', '--k', '1', '--quiet']

const LOOKING = [
  ['show', 'last'],
  ['report', 'last', '--quiet'],
  ['compare', 'last', '--systems', 'bm25,oracle'],
  ['judge', 'sample', 'last'],
]
const GOING_ON = [
  ['run', '--resume', 'last', '--quiet'],
  ['explain', 'last', '--quiet'],
]

/** Homes that came with a folder of somebody else: looking runs nothing, and going on asks first. */
export const kept: Group = {
  name: 'kept',
  async attacks(ground) {
    const made = ground.folder()
    expectOrder(await play(['run', ...SMALL], { cwd: made }), [0])
    return HOSTILE_ROWS.flatMap((row): Attack[] => [
      { kind: 'looking', name: row.name, strike: () => tried(ground, made, row, LOOKING) },
      { kind: 'going on', name: row.name, strike: () => tried(ground, made, row, GOING_ON) },
    ])
  },
}

async function tried(
  ground: Ground,
  made: string,
  { change }: HostileRow,
  commands: readonly string[][],
): Promise<void> {
  const cwd = ground.folder()
  cpSync(join(made, '.memscope'), join(cwd, '.memscope'), { recursive: true })
  layTraps(cwd)
  const db = new Database(join(cwd, '.memscope/memscope.db'))
  const row = db.prepare('SELECT id, request FROM run').get() as { id: string; request: string }
  const request = JSON.parse(row.request) as KeptRow
  change(request)
  db.prepare('UPDATE run SET request = ? WHERE id = ?').run(JSON.stringify(request), row.id)
  db.close()
  for (const command of commands) {
    expectOrder(await play(command, { cwd }), [2])
    expectNoTrace(cwd, `memscope ${command.join(' ')}`)
  }
}
