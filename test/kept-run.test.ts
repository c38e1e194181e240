import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { memscopeHere } from './cli.js'
import { comparable, Stage } from './llm.js'

const PARTS = ['--suite', 'memfail/long-hop', '--system', 'dense', '--size', '4', '--k', '5']

describe('a kept run', () => {
  it('is shown and judged again without a provider, as long as nothing new is asked', async () => {
    const stage = await Stage.open()
    const models = ['--reader', 'lab:m', '--judge', 'llm:lab:m', '--embedder', 'lab:vectors']
    const quiet = ['--quiet', '--json', '-']
    const lab = { MEMSCOPE_LAB_BASE_URL: stage.server.url }
    const first = await stage.play(['run', ...PARTS, ...models, ...quiet], lab)
    expect(first.err).not.toMatch(/memscope:/)
    expect(first.code).toBe(0)
    await stage.server.close()

    const play = (...args: string[]) => memscopeHere([...args, ...quiet], { cwd: stage.cwd })
    const again = await play('report', 'last')
    expect([again.err, again.code]).toEqual(['', 0])
    expect(comparable(again.out)).toEqual(comparable(first.out))
    const same = await play('rejudge', 'last', '--judge', 'llm:lab:m')
    expect([same.code, comparable(same.out)]).toEqual([0, comparable(first.out)])
    // Sent to somebody else, without what was cached.
    rmSync(join(stage.cwd, '.memscope/cache'), { recursive: true })
    expect(comparable((await play('report', 'last')).out)).toEqual(comparable(first.out))

    const other = await play('rejudge', 'last', '--judge', 'llm:lab:other')
    expect(other.err).toMatch(/There is no provider "lab"/)
    expect(other.code).toBe(2)
  })
})
