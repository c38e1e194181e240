import { type Bench, growth } from '../bench.js'
import { benchReport } from './time.js'

const SIZES = [1000, 2500, 5000]

/** How long the HTML report of a run takes to write. */
export const reportBench: Bench = {
  name: 'report',
  about: 'writing the HTML report of runs of 1,000 to 5,000 questions',
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
      before = now
    }
    return {
      title: 'Writing the HTML report',
      note: 'Six systems at seven depths over made-up results. At most 200 failed questions a task and system are shown, so size levels off.',
      columns: ['questions', 'seconds', 'MB', 'failed questions shown', 'growth'],
      rows,
    }
  },
}
