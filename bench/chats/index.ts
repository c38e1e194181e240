import { spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, statSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { countTokens } from '../../src/base/tokens.js'
import { removeTemporary, temporaryFolder } from '../../tools/temporary.js'
import type { Bench } from '../bench.js'
import { SyntheticText } from '../synthetic.js'

const SIZES = { '100K': 100_000, '1M': 1_000_000, '10M': 10_000_000 }
const MOST_MB = 500

/** Chats of up to ten million tokens in the layout of BEAM, read piece by piece, stored and asked about: how much memory that takes. */
export const chatsBench: Bench = {
  name: 'chats',
  about: 'one chat of 100 thousand to 10 million tokens, read and run',
  async run(progress) {
    const rows = Object.entries(SIZES).flatMap(([size, tokens]) => {
      const folder = temporaryFolder('chats')
      try {
        progress(`writing ${size}`)
        const { messages, mb } = writeChat(folder, size, tokens)
        return ['read', 'run'].map((what) => {
          progress(`${what} ${size}`)
          const { peak, seconds } = measured(what, folder)
          return [
            size,
            String(messages),
            mb.toFixed(0),
            what,
            seconds.toFixed(1),
            peak.toFixed(0),
            peak <= MOST_MB ? 'yes' : 'no',
          ]
        })
      } finally {
        removeTemporary(folder)
      }
    })
    return {
      title: 'Long chats',
      note: 'Chats in the layout of BEAM. `read`: the scenario is made. `run`: stored in bm25, asked about and judged. Peak of the process.',
      columns: ['tokens', 'messages', 'MB of file', 'what', 'seconds', 'peak MB', `at most ${MOST_MB}`],
      rows,
    }
  },
}

/** A chat whose turns come two by two, with one question that cites a message in the middle. */
function writeChat(folder: string, size: string, tokens: number): { messages: number; mb: number } {
  const home = join(folder, size, '1')
  mkdirSync(join(home, 'probing_questions'), { recursive: true })
  const file = join(home, 'chat.json')
  const handle = openSync(file, 'w')
  const text = new SyntheticText(7)
  const perSentence = countTokens(Array.from({ length: 200 }, () => text.sentence()).join(' ')) / 200
  const sentences = 40
  const groups = Math.ceil(tokens / (2 * sentences * perSentence))
  let id = 0
  const needle = 2 * Math.floor(groups / 2)
  const message = (role: string) => {
    const said = Array.from({ length: sentences }, () => text.sentence()).join(' ')
    const content = id === needle ? 'The lighthouse keeper is called Halvard Quist.' : said
    return JSON.stringify({ role, id: id++, ...(id === 1 && { time_anchor: 'March-15-2024' }), content })
  }
  // The longest chats come in plans.
  const [head, tail] = size === '10M' ? ['[{"plan-1": [', ']}]'] : ['[', ']']
  writeSync(handle, `${head}{"batch_number": 1, "turns": [`)
  for (let at = 0; at < groups; at++)
    writeSync(handle, `${at > 0 ? ', ' : ''}[${message('user')}, ${message('assistant')}]`)
  writeSync(handle, `], "time_anchor": null}${tail}`)
  closeSync(handle)
  const question = {
    question: 'What is the lighthouse keeper called?',
    answer: 'Halvard Quist',
    source_chat_ids: [needle],
    rubric: ['LLM response should state: Halvard Quist'],
  }
  writeFileSync(
    join(home, 'probing_questions', 'probing_questions.json'),
    JSON.stringify({ information_extraction: [question] }),
  )
  return { messages: id, mb: statSync(file).size / 1e6 }
}

function measured(what: string, folder: string): { peak: number; seconds: number } {
  const child = fileURLToPath(new URL('./child.js', import.meta.url))
  const started = performance.now()
  const { status, stdout, stderr } = spawnSync(process.execPath, [child, what, folder], {
    cwd: folder,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`${what} ended with ${status}: ${stderr}`)
  return { peak: Number(stdout) / 1024, seconds: (performance.now() - started) / 1000 }
}
