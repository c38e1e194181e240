import { join } from 'node:path'
import { writeHtml } from '../../src/report/html.js'
import { fileSink } from '../../src/report/sink.js'
import { removeTemporary, temporaryFolder } from '../../tools/temporary.js'
import { fixture } from './fixture.js'

/** How long the HTML report of a long run takes to write, how large it is, and how many failed questions it shows. */
export async function benchReport(questions = 5000): Promise<{ seconds: number; bytes: number; rows: number }> {
  const data = fixture({ questions })
  const folder = temporaryFolder('report')
  try {
    const file = fileSink(join(folder, 'report.html'))
    const start = performance.now()
    const rows = await writeHtml(data, file.write)
    const bytes = await file.close()
    return { seconds: (performance.now() - start) / 1000, bytes, rows }
  } finally {
    removeTemporary(folder)
  }
}
