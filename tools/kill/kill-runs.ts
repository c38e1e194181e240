import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Kept, keptOf, PHASES, type Phase, phasesOf, shareLeft } from './kept.js'
import { KillError } from './kill-error.js'
import { type Calm, type Draw, FIRST_MS, inTheBeginning, type Kind, MANY, type Moment } from './kind.js'
import { MARK, requireNoneLeft } from './left-behind.js'
import { comparable, type Ended, startRun } from './start.js'

/** Of so many starts, one is killed in its first moments. */
const EARLY = 8

/** What came of the kills of a kind. */
export interface Tally {
  kills: number
  resumes: number
  finished: number
  /** Kills within the first {@link FIRST_MS} of a process. */
  early: number
  /** Kills that met a phase. */
  met: Record<Phase, number>
}

/**
 * Kills runs and resumes them until so many kills are done and the last run is whole. Only the process of the command line is killed; what it
 * started must end by itself.
 *
 * @throws KillError when a run differs from an undisturbed one, fails, or leaves a process behind
 */
export async function killRuns(
  kind: Kind,
  wanted: number,
  draw: Draw,
  folder: string,
  onKill: (kills: number) => void = () => {},
): Promise<Tally> {
  const env = { ...kind.env, [MARK]: folder }
  const truth = join(folder, 'undisturbed.json')
  const calmHome = join(folder, 'undisturbed')
  const undisturbed = await startRun([...kind.flags, ...kind.always, '--home', calmHome, '--json', truth], env)
  const calm = calmOf(undisturbed)
  kind.undisturbed?.(calmHome)
  const expected = comparable(truth)
  const whole = keptOf(calmHome, undisturbed.run)
  if (whole.size === 0) throw new KillError('undisturbed: nothing that was kept can be read')
  const met = Object.fromEntries(PHASES.map((phase) => [phase, 0])) as Record<Phase, number>
  const tally: Tally = { kills: 0, resumes: 0, finished: 0, early: 0, met }
  while (tally.kills < wanted) {
    const home = join(folder, `home-${tally.finished}`)
    const out = join(folder, `run-${tally.finished}.json`)
    const moments = [...kind.moments]
    let run: string | null = null
    let kept: Kept = new Map()
    for (let isNew = true; ; isNew = false) {
      const more = tally.kills < wanted
      const early = more && draw() * EARLY < 1
      kind.starts?.(home, isNew)
      if (run !== null) tally.resumes++
      const args = [...(run === null ? kind.flags : ['--resume', run]), ...kind.always, '--home', home, '--json', out]
      const ahead = calmWith(shareLeft(kept, whole), calm)
      let underWay: readonly Phase[] = []
      const ended = await startRun(args, env, (started) => {
        const kill = () => {
          underWay = kind.underWay?.() ?? []
          started.kill()
        }
        const armed = (moment: Moment) => moment({ ...started, kill }, draw, ahead)
        if (early) return armed(inTheBeginning)!
        let disarm: (() => void) | null = null
        while (more && disarm === null && moments.length > 0) disarm = armed(moments.shift()!)
        return disarm ?? (() => {})
      })
      run ??= ended.run
      kind.ended?.(home, ended.killed)
      if (!ended.killed) {
        if (ended.code !== 0) throw new KillError(`after ${tally.kills} kills: exit ${ended.code}\n${ended.said}`)
        break
      }
      onKill(++tally.kills)
      if (ended.ms <= FIRST_MS) tally.early++
      const now = keptOf(home, run)
      for (const phase of new Set([...phasesOf(kept, now, whole, ended.run !== null), ...underWay])) met[phase]++
      kept = now
    }
    kind.finished?.()
    if (comparable(out) !== expected) throw new KillError(`after ${tally.kills} kills: ${out} differs from ${truth}`)
    await requireNoneLeft(folder)
    rmSync(home, { recursive: true })
    tally.finished++
  }
  requireAllMet(tally, kind.phases)
  return tally
}

function calmOf({ code, said, ms, begunMs, askedMs }: Ended): Calm {
  if (code !== 0 || begunMs === null || askedMs === null) throw new KillError(`undisturbed: exit ${code}\n${said}`)
  return { ms, begunMs, askedMs }
}

/** Less time is ahead of a run that goes on: killed later, it would have ended before. */
function calmWith(share: number, { ms, begunMs, askedMs }: Calm): Calm {
  const saved = (1 - share) * (askedMs - begunMs)
  return { ms: ms - saved, begunMs, askedMs: askedMs - saved }
}

function requireAllMet({ kills, early, met }: Tally, phases: readonly Phase[]): void {
  if (kills < MANY) return
  const missed = phases.filter((phase) => met[phase] === 0)
  if (early === 0) throw new KillError(`none of ${kills} kills came within ${FIRST_MS} ms`)
  if (missed.length > 0) throw new KillError(`none of ${kills} kills met ${missed.join(' or ')}`)
}
