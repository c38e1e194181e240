import type { Clock } from '../../src/gateway/limits/clock.js'
import type { ScriptedModel } from '../../src/gateway/scripted/model.js'

/** How often it looks. */
const EVERY_MS = 2

/**
 * A clock whose time limits go by what the server does: they are over when every try under way is one that the server leaves hanging. However busy
 * the machine, no try ends that would have been answered. For one gateway whose tries nobody aborts.
 *
 * @example harness.open({ clock: hangsEnd(harness.model) })
 */
export function hangsEnd(model: ScriptedModel): Pick<Clock, 'limit'> {
  const underWay = new Set<() => void>()
  let ended = 0
  let looking: NodeJS.Timeout | undefined
  const look = () => {
    const hanging = (model.stats.faults.hang ?? 0) - ended
    if (underWay.size === 0 || underWay.size > hanging) return
    ended += underWay.size
    for (const end of [...underWay]) end()
  }
  return {
    limit(_, end) {
      underWay.add(end)
      looking ??= setInterval(look, EVERY_MS)
      return () => {
        underWay.delete(end)
        if (underWay.size > 0) return
        clearInterval(looking)
        looking = undefined
      }
    },
  }
}
