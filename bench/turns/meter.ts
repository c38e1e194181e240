import { writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

/** Loaded before a command (`node --import`): writes the longest stretch without a turn of the event loop, in milliseconds of the processor. */
if (isMainThread && process.env.MEMSCOPE_TURNS) {
  const file = process.env.MEMSCOPE_TURNS
  let longest = 0
  let before = process.cpuUsage()
  const mark = () => {
    const { user, system } = process.cpuUsage(before)
    longest = Math.max(longest, (user + system) / 1000)
    before = process.cpuUsage()
  }
  setInterval(mark, 20).unref()
  process.on('exit', () => {
    mark()
    writeFileSync(file, String(Math.round(longest)))
  })
}
