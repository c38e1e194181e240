import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { memscope, root, temporaryFolder } from './cli.js'
import { STUCK, startMemscope, until } from './outside.js'

/** What a process finds in `TMPDIR`, and the folder itself, to look at afterwards. */
function ownTemporary(): { folder: string; env: Record<string, string> } {
  const folder = temporaryFolder()
  return { folder, env: { TMPDIR: folder, TEMP: folder, TMP: folder } }
}

describe('a temporary folder', () => {
  const module = pathToFileURL(join(root, 'dist/base/temporary.js')).href

  it.each([
    ['ends', '', 0],
    ['throws', "throw new Error('no')", 1],
    [
      'ends on a signal',
      "process.on('SIGTERM', () => process.exit(143)); process.kill(process.pid); setInterval(() => {}, 1000)",
      143,
    ],
  ])('is gone when the process that made it %s', (_, then, code) => {
    const { folder, env } = ownTemporary()
    const script = `
      import { readdirSync } from 'node:fs'
      import { temporaryFolder } from '${module}'
      temporaryFolder('one')
      temporaryFolder('two')
      console.log(readdirSync(process.env.TMPDIR).length)
      ${then}`
    const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      env: { ...process.env, ...env },
      encoding: 'utf8',
    })
    expect([stdout.trim(), status, readdirSync(folder)]).toEqual(['2', code, []])
  })
})

describe('a command leaves nothing in the temporary folder', () => {
  const small = ['--suite', 'memfail/long-hop', '--size', '4', '--k', '1', '--quiet']

  it.each([
    ['when a memory of the user is run', 0, ['run', '--system', STUCK, ...small]],
    ['when options are tried and refused', 2, ['run', '--system', 'bm25:b=2', ...small]],
    ['when a memory breaks its contract', 1, ['check', join(root, 'test/fixtures/mute-memory.mjs')]],
    ['when a memory throws in a timer', 1, ['check', join(root, 'test/fixtures/late-throw.mjs')]],
  ])('%s', async (_, code, args) => {
    const { folder, env } = ownTemporary()
    const ended = await memscope(args, { env })
    expect([ended.code, readdirSync(folder)], ended.err).toEqual([code, []])
  })

  it.each(['SIGINT', 'SIGTERM'] as const)('when %s comes while a memory is checked', async (signal) => {
    const { folder, env } = ownTemporary()
    const stuck = { STUCK_AT: 'store', STUCK_HOW: 'spin' }
    const working = startMemscope(['check', STUCK], temporaryFolder(), { ...env, ...stuck })
    await until(() => readdirSync(folder).length > 0, 'a folder for the memory')
    working.child.kill(signal)
    const { code } = await working.ended
    expect([code, readdirSync(folder)]).toEqual([signal === 'SIGINT' ? 130 : 143, []])
  })
})
