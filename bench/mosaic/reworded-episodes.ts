// Writes forty generated MEME episodes whose facts are told in other words, for `memscope run --suite meme --data <folder>`:
//   node build/bench/mosaic/reworded-episodes.js <folder> [none|32k|128k] [5203|64023]
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'

/** Seeds whose facts were put into other words: by three writers, read by many versions of mosaic; by four others, read once. */
export const REWORDED = { read: '5203', locked: '64023' }
const FILES: Record<string, string> = {
  none: 'meme_nofiller.json',
  '32k': 'meme_filler32k.json',
  '128k': 'meme_filler128k.json',
}

/** A fact in other words: the turn of the n-th session with evidence that tells it. */
interface Reworded {
  episode: string
  session: number
  turn: number
  fact: string
  text: string
}

interface ReleasedEpisode {
  episode_id: string
  sessions: {
    type: string
    conversation: { content: string }[]
    gold_facts?: { fact_id: string; conveyed_in_turn: number; fact_text: string; original_seed: string }[]
  }[]
}

/** Makes the episodes and puts their facts into other words. @throws where a fact has none, or stands at another turn */
export function writeRewordedEpisodes(folder: string, filler: string, seed: string): void {
  mkdirSync(folder, { recursive: true })
  const made = ['data', 'generate', '--suite', 'meme', '--n', '40', '--seed', seed, '--filler', filler, '--out', folder]
  execFileSync(process.execPath, [fileURLToPath(new URL('../../src/cli/main.js', import.meta.url)), ...made])
  const file = join(folder, FILES[filler]!)
  const release = JSON.parse(readFileSync(file, 'utf8')) as { episodes: ReleasedEpisode[] }
  const rows = gunzipSync(readFileSync(new URL(`other-words-${seed}.jsonl.gz`, import.meta.url))).toString()
  const reworded = new Map(
    rows
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Reworded)
      .map((row) => [[row.episode, row.session, row.fact].join(), row]),
  )
  for (const { episode_id, sessions } of release.episodes) {
    const evidence = sessions.filter(({ type }) => type === 'evidence')
    for (const [at, { conversation, gold_facts = [] }] of evidence.entries())
      for (const fact of gold_facts) {
        const row = reworded.get([episode_id, at + 1, fact.fact_id].join())
        if (row?.turn !== fact.conveyed_in_turn) throw new Error(`${episode_id}: ${fact.fact_id} has no other words`)
        conversation[row.turn]!.content = row.text
        fact.fact_text = row.text
        fact.original_seed = row.text
      }
  }
  writeFileSync(file, JSON.stringify(release))
}

const [, script, folder, filler = 'none', seed = REWORDED.locked] = process.argv
if (script === fileURLToPath(import.meta.url)) {
  if (!folder || !FILES[filler] || !Object.values(REWORDED).includes(seed))
    throw new Error(`usage: reworded-episodes.js <folder> [none|32k|128k] [${Object.values(REWORDED).join('|')}]`)
  writeRewordedEpisodes(folder, filler, seed)
}
