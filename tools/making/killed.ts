import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { openModels, ROLES, temporaryFolder, textsIn } from './measure.js'
import type { Target } from './planter.js'

/** At which steps generations were ended, and which files came out other than they should. */
export interface KilledMaking {
  kills: string[]
  differ: string[]
}

/**
 * Ends a generation with SIGKILL at the first call of every step, begins it again each time, and compares what comes out in the end with what
 * an undisturbed one makes. What reads and writes goes on: it is elsewhere.
 */
export async function killAtEveryStep(target: Target, flags: readonly string[], share: number): Promise<KilledMaking> {
  const models = await openModels(target, share)
  const main = join(import.meta.dirname, '../../dist/cli/main.js')
  const start = (home: string, out: string) => {
    const roles = ['--generator', ROLES.generator, '--auditor', ROLES.auditor, '--judges', ROLES.judges.join(',')]
    const args = ['data', 'generate', '--suite', target.suite, ...roles, ...flags, '--home', home, '--out', out]
    return spawn(process.execPath, [main, ...args], { env: { ...process.env, ...models.env }, stdio: 'ignore' })
  }
  const finish = async (home: string, out: string) => {
    const [code] = (await once(start(home, out), 'exit')) as [number]
    if (code !== 0) throw new Error(`The generation ended with ${code}`)
    return textsIn(out)
  }
  try {
    const steps = new Set<string>()
    models.onAsk((step) => steps.add(step))
    const whole = await finish(temporaryFolder(), temporaryFolder())
    const [home, out] = [temporaryFolder(), temporaryFolder()]
    const kills: string[] = []
    for (const step of steps) {
      const child = start(home, out)
      models.onAsk((asked) => {
        if (asked === step && child.kill('SIGKILL') && kills.at(-1) !== step) kills.push(step)
      })
      await once(child, 'exit')
    }
    models.onAsk(() => {})
    const made = await finish(home, out)
    const names = new Set([...whole.keys(), ...made.keys()])
    return { kills, differ: [...names].filter((name) => whole.get(name) !== made.get(name)) }
  } finally {
    await models.close()
  }
}
