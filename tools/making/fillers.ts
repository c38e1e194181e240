import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { startScriptedServer } from '../../bench/scripted-server.js'
import { readData } from '../../src/base/data-file.js'
import { openMaking } from '../../src/library/making.js'
import { Funnel } from '../../src/suites/generation/funnel.js'
import { Maker } from '../../src/suites/generation/maker.js'
import { readPromptFolder } from '../../src/suites/generation/prompts.js'
import { type FillerSession, fillerPool } from '../../src/suites/meme/filler/index.js'
import { poolOf } from '../../src/suites/meme/filler/pool.js'
import { DOMAINS, type Domain, type Graph, readGraph } from '../../src/suites/meme/graph.js'
import { withoutConflicts } from '../../src/suites/meme/pipeline/fillers.js'
import { MEME } from './defects.js'
import { openMeaning } from './meaning.js'
import { temporaryFolder } from './measure.js'
import { readingModel } from './reader.js'

const Conflict = z.strictObject({
  domain: z.enum(['personal-life', 'software-project']),
  type: z.enum(['contradiction', 'alternative', 'confusion']),
  fact: z.string(),
  says: z.string(),
})

/** A sentence that would spoil a gold sentence, and how. */
export type PlantedConflict = z.infer<typeof Conflict>

export const CONFLICTS = readData(new URL('./conflicts.json', import.meta.url), z.array(Conflict))

/** What the filter made of fillers of which some were spoilt. */
export interface FilteredFillers {
  planted: (PlantedConflict & { id: string })[]
  clean: string[]
  /** Ids of those that are left. */
  left: Set<string>
  /** Which facts the judge was asked about beside which filler, by its id. */
  asked: Map<string, string[]>
  funnel: Funnel
}

/** Spoils fillers of a domain with conflicts, and has the filter look for them; the judge sits behind HTTP, and knows nothing of that. */
export async function filterPlanted(
  domain: Domain,
  { clean: count, graph = readGraph(domain) }: { clean: number; graph?: Pick<Graph, 'data'> },
): Promise<FilteredFillers> {
  const own = CONFLICTS.filter((one) => one.domain === domain)
  const pool = fillerPool(domain)
  const sessions = Array.from({ length: own.length + count }, (_, at) => shortened(pool.at(at)))
  const planted = own.map((one, at) => ({ ...one, id: sessions[at]!.id }))
  const fillers = sessions.map((session, at) => (own[at] ? spoilt(session, own[at].says) : session))
  const idOf = new Map(fillers.map(({ id, turns }) => [turns.map(({ text }) => text).join('\n'), id]))
  const meaning = openMeaning()
  const asked = new Map<string, string[]>()
  const reader = readingModel(MEME.prompts, meaning, (_, input) => {
    const { filler, rows } = input as { filler: string; rows: { fact: string }[] }
    const id = idOf.get(filler.replace(/^(?:user|assistant): /gm, ''))!
    asked.set(id, [...(asked.get(id) ?? []), ...rows.map(({ fact }) => fact)])
  })
  const server = await startScriptedServer(reader)
  process.env.MEMSCOPE_READER_BASE_URL = server.url
  const { making, close } = (await openMaking(
    { generator: 'reader:words', home: temporaryFolder() },
    'meme',
    {},
    { warn: () => {}, tell: () => {}, stopIfAsked: () => {}, signal: new AbortController().signal },
  ))!
  const funnel = new Funnel(domain)
  try {
    const prompts = readPromptFolder([MEME.prompts])
    const maker = new Maker(making, prompts, funnel, 42)
    const left = await withoutConflicts(maker, { ...poolOf(fillers), skipped: 0 }, graph)
    const ids = new Set(Array.from({ length: left.size }, (_, at) => left.at(at).id))
    return { planted, clean: sessions.slice(own.length).map(({ id }) => id), left: ids, asked, funnel }
  } finally {
    await close()
    await server.close()
    await meaning.close()
  }
}

/** A folder of fillers that nothing is wrong with, enough for an episode of either domain. */
export function fillerFolder(): string {
  const folder = temporaryFolder()
  for (const domain of DOMAINS)
    for (let at = 0; at < ENOUGH; at++) {
      const conversation = fillerPool(domain)
        .at(at)
        .turns.map(({ role, text }) => ({ role, content: text }))
      writeFileSync(join(folder, `${domain}-${at}.json`), JSON.stringify({ conversation }))
    }
  return folder
}

const ENOUGH = 35

/** The beginning of a filler: what is said later would be embedded for nothing. */
function shortened(session: FillerSession): FillerSession {
  return { ...session, turns: session.turns.slice(0, 3) }
}

/** A filler with a sentence more in the middle of what the user says. */
function spoilt(session: FillerSession, says: string): FillerSession {
  const at = session.turns.findLastIndex(({ role }, turn) => role === 'user' && turn <= session.turns.length / 2)
  const turn = session.turns[at]!
  return { ...session, turns: session.turns.with(at, { ...turn, text: `${turn.text} ${says}` }) }
}
