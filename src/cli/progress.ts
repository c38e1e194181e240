import { count, duration } from '../base/figures.js'
import { printable } from '../base/text.js'
import type { ProgressEvent } from '../library.js'

/** How far it is. */
type Progress = Omit<Extract<ProgressEvent, { type: 'progress' }>, 'type'>

const EVERY_MS = 100
const PLAIN_EVERY_MS = 5_000
const AGAIN_MS = 1_000
const PLAIN_AGAIN_MS = 30_000

/**
 * One live line on a terminal; elsewhere a plain line now and then, so that logs stay short.
 *
 * @param beside what is told behind the progress, for instance work that goes on between two of its steps
 */
function progressLine(stream: NodeJS.WriteStream, beside = () => '') {
  const live = Boolean(stream.isTTY) && process.env.TERM !== 'dumb'
  let shown = 0
  let dirty = false
  let newest: Progress | null = null
  const timeLeft = timeLeftOf()
  const clear = () => {
    if (dirty) stream.write('\r\x1b[2K')
    dirty = false
  }
  const show = ({ done, total, at }: Progress) => {
    shown = Date.now()
    const left = timeLeft({ done, total })
    const share = total === 0 ? 100 : Math.floor((100 * done) / total)
    const time = left ? `  ${left} left` : ''
    const text = printable(`${String(share).padStart(3)} %  ${done}/${total}${time}  ${at}${beside()}`)
    stream.write(live ? `\r\x1b[2K${text.slice(0, (stream.columns ?? 80) - 1)}` : `${text}\n`)
    dirty = live
  }
  return {
    update(progress: Progress) {
      // Where it begins is noted, shown or not: what an earlier sitting did took none of this one's time.
      if (newest === null) timeLeft(progress)
      newest = progress
      const last = progress.done === progress.total && progress.total > 0
      if (last || Date.now() - shown >= (live ? EVERY_MS : PLAIN_EVERY_MS)) show(progress)
    },
    /** Shows the last progress again when it is time to: what is told beside it may have moved. */
    again() {
      if (newest && Date.now() - shown >= (live ? AGAIN_MS : PLAIN_AGAIN_MS)) show(newest)
    },
    note(message: string) {
      clear()
      stream.write(`${printable(message)}\n`)
    },
    end: clear,
  }
}

/** What a library call tells, shown: one line of progress, with notes above it. */
export interface ShownProgress {
  onProgress(event: ProgressEvent): void
  note(message: string): void
  /** Takes the line away; for calls that failed. */
  end(): void
}

/** @param quiet only what went wrong is shown */
export function shownProgress(stream: NodeJS.WriteStream, quiet: boolean): ShownProgress {
  let [texts, told] = [0, 0]
  const beside = () => {
    if (texts === told) return ''
    told = texts
    return `  (${count(texts)} texts embedded)`
  }
  let line = progressLine(stream, beside)
  let ticking: NodeJS.Timeout | undefined
  const warnings = foldedWarnings(
    (message) => line.note(message),
    process.argv.includes('--debug') ? Infinity : MOST_OF_ONE,
  )
  const end = () => {
    clearInterval(ticking)
    line.end()
    warnings.tellRest()
    line = progressLine(stream)
  }
  return {
    onProgress(event) {
      if (event.type === 'warning') warnings.tell(event.message)
      else if (event.type === 'measured' || event.type === 'done') end()
      else if (quiet) return
      else if (event.type === 'note') for (const one of event.message.split('\n')) line.note(one)
      else if (event.type === 'progress') line.update(event)
      else if (event.type === 'embedded') texts = event.texts
      else if (event.type === 'estimated') stream.write(event.estimate.paid ? `${event.estimate.words}\n` : '')
      else {
        line.note(startLine(event))
        line.note(`Run ${event.run}`)
        ticking = setInterval(() => line.again(), 1_000)
      }
    },
    note: (message) => line.note(message),
    end,
  }
}

/** Messages of one memory that are shown; the rest is counted. */
const MOST_OF_ONE = 5

/**
 * Warnings, where one memory that says the same kind of thing of a hundred conversations does not bury what others say: messages that begin with
 * the same name are shown up to `most`, and `tellRest` says how many more there were.
 */
function foldedWarnings(show: (message: string) => void, most: number) {
  const times = new Map<string, number>()
  return {
    tell(message: string) {
      const name = /^([\w.@#/-]+): /.exec(message)?.[1]
      if (name === undefined) return show(message)
      const told = (times.get(name) ?? 0) + 1
      times.set(name, told)
      if (told <= most) show(message)
    },
    tellRest() {
      for (const [name, told] of times) if (told > most) show(`${name}: ${count(told - most)} more; --debug shows all`)
      times.clear()
    },
  }
}

/** What is ahead of a run, told when it begins. Embedding comes on top where vectors are not kept yet. */
function startLine(ahead: Omit<Extract<ProgressEvent, { type: 'started' }>, 'type' | 'run'>): string {
  const { questions, ms, own, size } = ahead
  const many = `${count(questions)} questions, over all systems and depths`
  if (ms === null) return `${many}; the time left is told from the first percent on.`
  const how = own ? ', and what a memory of your own takes besides' : ''
  return `${many}; ${duration(ms)}${how}. Fewer: ${size === 'quick' ? '' : '--size quick, '}--limit <n>.`
}

/** Says about how much longer it will take, at the rate since it was first asked; null before the first percent, for until then nobody knows. */
function timeLeftOf(): (progress: Pick<Progress, 'done' | 'total'>) => string | null {
  let first: { at: number; done: number } | null = null
  return ({ done, total }) => {
    first ??= { at: Date.now(), done }
    const [made, todo] = [done - first.done, total - first.done]
    if (made <= 0 || made < todo / 100 || done >= total) return null
    return duration(((Date.now() - first.at) * (total - done)) / made)
  }
}
