import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { actingModel } from '../../bench/llm-model.js'
import { BatchServer } from '../../test/gateway/batch-server.js'
import type { Attack, Ground, Group } from './attack.js'
import { type Code, expectOrder, expectThat, play, tail } from './play.js'

const SPEC = 'openai:acting'
const READ = ['--suite', 'memfail/long-hop', '--size', '3', '--system', 'bm25', '--k', '2', '--reader', SPEC, '--batch']

interface Trick {
  name: string
  play(server: BatchServer): void
  /** Exit codes; a run in which nothing was answered is invalid. */
  codes: Code[]
}

const TRICKS: readonly Trick[] = [
  ...(['reset', 504, 'half'] as const).map(
    (lost): Trick => ({
      name: `a submit that arrives, and a reply that does not: ${lost}`,
      play: (server) => {
        server.loseNext = lost
      },
      codes: [0],
    }),
  ),
  ...[429, 503].map(
    (status): Trick => ({
      name: `a submit that is refused with ${status}`,
      play: (server) => {
        server.refuseNext = status
      },
      codes: [0],
    }),
  ),
  {
    name: 'a batch that ends without any reply',
    play: (server) => {
      server.rewrite = () => ''
    },
    codes: [3],
  },
  {
    name: 'lines that say not whose they are',
    play: (server) => {
      server.rewrite = (lines) => `${lines}{"response":null}\n{"custom_id":7}\n[]\nno JSON\n`
    },
    codes: [0],
  },
  {
    name: 'every reply twice',
    play: (server) => {
      server.rewrite = (lines) => lines + lines
    },
    codes: [0],
  },
]

/** A provider whose batches arrive and nobody hears of it: what is asked for is paid for once. */
export const batches: Group = {
  name: 'batches',
  attacks: (ground) =>
    TRICKS.map((trick): Attack => {
      return { kind: 'paid twice', name: trick.name, strike: () => tricked(ground, trick) }
    }),
}

async function tricked(ground: Ground, { play: trick, codes }: Trick): Promise<void> {
  const cwd = ground.folder()
  const server = await BatchServer.start(actingModel({ otherwise: 'I see.' }))
  trick(server)
  try {
    writeFileSync(join(cwd, 'prices.json'), JSON.stringify({ [SPEC]: { input: 1, output: 4, maxOutput: 2000 } }))
    const env = { MEMSCOPE_OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'sk-planted-0123456789' }
    const played = await play(['run', ...READ, '--quiet', '--prices', 'prices.json'], { cwd, env })
    expectOrder(played, codes)
    const asked = new Set(server.batches.flatMap(({ lines }) => lines.map(({ id }) => id))).size
    expectThat(asked > 0, () => `no batch was sent\n${tail(played.err)}`)
    expectThat(server.billed === asked, () => `${server.billed} lines were paid for of ${asked}`)
    expectThat(!played.err.includes('sk-planted'), () => 'the key is told')
  } finally {
    await server.close()
  }
}
