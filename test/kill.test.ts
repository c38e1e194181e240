import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { phasesOf } from '../tools/kill/kept.js'
import { killRuns } from '../tools/kill/kill-runs.js'
import type { Kind, Moment } from '../tools/kill/kind.js'
import { canLook, MARK, marked } from '../tools/kill/left-behind.js'
import { plainKind } from '../tools/kill/plain.js'
import { BEGUN } from '../tools/kill/start.js'
import { root, temporaryFolder } from './cli.js'
import { until } from './outside.js'

describe('runs that are killed and resumed', () => {
  it('equal undisturbed ones: without models, with models in every part, and with a memory in a server', () => {
    const args = ['--import', 'jiti/register', join(root, 'tools/kill/main.ts'), '--kills', '6', '--seed', '7']
    const out = execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
    for (const kind of ['plain', 'models', 'outside'])
      expect(out).toMatch(new RegExp(`^${kind} +2 kills \\(.*\\), \\d+ resumes, \\d+ finished$`, 'm'))
    expect(out).toMatch(/^all +6 kills/m)
    expect(out).toContain('all equal to undisturbed runs')
  })

  it('are found out when they differ', async () => {
    const atOnce: Moment = ({ kill, onLine }) => {
      onLine(BEGUN, kill)
      return () => {}
    }
    const kind: Kind = {
      ...(await plainKind()),
      flags: ['--suite', 'memfail/long-hop', '--system', 'bm25', '--size', '4', '--k', '1'],
      moments: [atOnce],
      starts(_home, isNew) {
        kind.always = isNew ? [] : ['--k', '1,2']
      },
    }
    await expect(killRuns(kind, 1, () => 0.5, temporaryFolder())).rejects.toThrow(/^after 1 kills: .* differs from /)
  })

  it.skipIf(!canLook)('are found out when they leave a process behind', async () => {
    const mark = temporaryFolder()
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { env: { [MARK]: mark } })
    await until(() => marked(mark).includes(child.pid!), 'the process that carries the mark')
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
    expect(marked(mark)).toEqual([])
  })
})

describe('the phase that a kill met', () => {
  const nothing = { attempts: 1, ingested: 0, asked: 0, answered: 0, judged: 0 }
  const whole = { attempts: 1, ingested: 1, asked: 4, answered: 4, judged: 6 }
  const phases = (before: object, after: object, begun = true) =>
    phasesOf(
      new Map([['bm25 a', { ...nothing, attempts: 0, ...before }]]),
      new Map([['bm25 a', { ...nothing, ...after }]]),
      new Map([['bm25 a', whole]]),
      begun,
    )

  it('is the first that is not whole in a life that was worked on; facts are judged while readers answer', () => {
    expect(phases({}, {}, false)).toEqual(['start'])
    expect(phases({}, {})).toEqual(['ingest'])
    expect(phases({}, { ingested: 1, asked: 3 })).toEqual(['ask'])
    expect(phases({}, { ingested: 1, asked: 4, answered: 1 })).toEqual(['answer'])
    expect(phases({}, { ingested: 1, asked: 4, answered: 1, judged: 2 })).toEqual(['answer', 'judge'])
    expect(phases({}, { ...whole, judged: 5 })).toEqual(['judge'])
    expect(phases(whole, whole)).toEqual(['report'])
  })

  it('is none when nothing was added to what was there', () => {
    const half = { ...whole, asked: 2 }
    expect(phases(half, half)).toEqual([])
  })
})
