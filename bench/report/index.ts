import { type Bench, growth } from '../bench.js'
import { benchReport } from './time.js'

const SIZES = [1000, 5000, 10_000]

/** What a page may take at most: seconds for 10,000 questions, and MB. */
const TARGET = { seconds: 2, megabytes: 3 }

/** How long the HTML report of a run takes to write. */
export const reportBench: Bench = {
  name: 'report',
  about: 'writing the HTML report of runs of 1,000 to 10,000 questions',
  async run(progress) {
    const rows: string[][] = []
    let before: { size: number; value: number } | undefined
    for (const size of SIZES) {
      progress(`${size} questions`)
      const { seconds, bytes, rows: shown } = await benchReport(size)
      const now = { size, value: seconds }
      rows.push([
        size.toLocaleString('en'),
        seconds.toFixed(2),
        (bytes / 1e6).toFixed(1),
        shown.toLocaleString('en'),
        before ? growth(before, now).toFixed(2) : '–',
      ])
      const isMet = seconds <= TARGET.seconds && bytes <= TARGET.megabytes * 1e6
      rows.at(-1)!.push(isMet ? 'yes' : 'no')
      before = now
    }
    return {
      title: 'Writing the HTML report',
      note: 'Six systems at seven depths over made-up results. At most five failed questions a task and system are shown, so size levels off. At most 2 s and 3 MB are wanted.',
      columns: ['questions', 'seconds', 'MB', 'failed questions shown', 'growth', 'as wanted'],
      rows,
    }
  },
}
