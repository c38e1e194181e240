import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { fold } from '../../src/base/text.js'
import { homeAt, openEmbedder } from '../../src/library/compose.js'
import type { Embedder } from '../../src/model/index.js'
import { Mosaic } from '../../src/systems/mosaic/mosaic.js'
import { noteOf } from '../../src/systems/mosaic/note.js'
import type { Bench } from '../bench.js'

/** What somebody told, and what they may ask to have forgotten, each by itself; written for this by six writers. */
interface ForgetLife {
  id: string
  turns: string[]
  /** `means` are the turns that are meant, none where it was never told; `gone` is what must be nowhere afterwards. */
  requests: { text: string; means: number[]; gone: string[] }[]
  /** Turns that speak of forgetting and ask for nothing. */
  others: string[]
}

const COUNTS = [
  'requests for what was told',
  'known for a request',
  'everything to be forgotten is gone',
  'some of it is left',
  'something else was taken out',
  'requests for what was never told',
  'for which something was taken out',
  'turns with words of forgetting that ask for nothing',
  'taken for a request',
] as const
type Counts = Record<(typeof COUNTS)[number], number>

const TURNS_A_CONVERSATION = 4

/** Whether mosaic forgets what people ask it to in words of their own, and nothing else: counted by what was said, without any judge. */
export const forgetRequestsBench: Bench = {
  name: 'mosaic-forget',
  about: 'requests to forget in lives told by other writers: what mosaic takes out',
  run: async (progress) => {
    const embed = await openEmbedder('minilm', homeAt(process.env.MEMSCOPE_HOME))
    const counted: Counts[] = []
    try {
      for (const name of ['open', 'locked'] as const) {
        progress(name)
        const counts = await countIn(readRequests(name), embed)
        const ordinary = linesOf(`ordinary-${name}.txt`)
        counts['turns with words of forgetting that ask for nothing'] += ordinary.length
        counts['taken for a request'] += ordinary.filter((text) => noteOf({ id: text, text }).cues.isForget).length
        counted.push(counts)
      }
    } finally {
      await embed.close()
    }
    return {
      title: 'Requests to forget in words of other writers',
      note: `Each is asked in a memory of its own of 14 to 20 turns. Most requests share no word with what they mean; those for what was never told are for
something near in kind to what was. The last turns are such as "my landlord wants my bike removed". Mosaic was fitted to the open ones.`,
      columns: ['what', 'open', 'locked'],
      rows: COUNTS.map((name) => [name, ...counted.map((counts) => String(counts[name]))]),
    }
  },
}

function readRequests(name: 'open' | 'locked'): ForgetLife[] {
  return linesOf(`${name}.jsonl`).map((line) => JSON.parse(line) as ForgetLife)
}

function linesOf(name: string): string[] {
  const file = new URL(`../../../bench/mosaic/requests/${name}.gz`, import.meta.url)
  return gunzipSync(readFileSync(file)).toString('utf8').trim().split('\n')
}

async function countIn(lives: readonly ForgetLife[], embed: Embedder): Promise<Counts> {
  const counts = Object.fromEntries(COUNTS.map((name) => [name, 0])) as Counts
  for (const { turns, requests, others } of lives) {
    for (const { text, means, gone } of requests) {
      const { kept, isKnown } = await asked(turns, text, embed)
      const left = gone.filter((value) => kept.some((one) => fold(one).includes(fold(value))))
      const isElse = turns.some((turn, i) => !means.includes(i) && !kept.some((one) => one.startsWith(turn)))
      if (means.length === 0) {
        counts['requests for what was never told']++
        if (isElse) counts['for which something was taken out']++
        continue
      }
      counts['requests for what was told']++
      if (isKnown) counts['known for a request']++
      if (left.length === 0) counts['everything to be forgotten is gone']++
      else if (left.length < gone.length) counts['some of it is left']++
      if (isElse) counts['something else was taken out']++
    }
    for (const text of others) {
      counts['turns with words of forgetting that ask for nothing']++
      if ((await asked(turns, text, embed)).isKnown) counts['taken for a request']++
    }
  }
  return counts
}

/** What a memory holds after it was told some turns and then one more, and whether that was taken for a request. */
async function asked(turns: readonly string[], text: string, embed: Embedder) {
  const memory = new Mosaic({ embed })
  const conversations = [...turns.keys()].filter((i) => i % TURNS_A_CONVERSATION === 0)
  const told = [...conversations.map((from) => turns.slice(from, from + TURNS_A_CONVERSATION)), [text]]
  for (const [i, texts] of told.entries())
    await memory.store({
      id: `c${i}`,
      time: `2026-01-${String(i + 1).padStart(2, '0')}T10:00:00Z`,
      turns: texts.map((one) => ({ role: 'user', text: one })),
    })
  const notes = await memory.dump()
  const isKnown = notes.some(({ status }) => status === 'tombstone') || (await memory.openRequests()).length > 0
  return { kept: notes.map((note) => note.text), isKnown }
}
