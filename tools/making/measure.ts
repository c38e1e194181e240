import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { startScriptedServer } from '../../bench/scripted-server.js'
import { type GenerateDataOptions, generateData } from '../../src/library.js'
import { temporaryFolder as madeFolder } from '../temporary.js'
import { openMeaning } from './meaning.js'
import { type Planted, PlantingModel, type Target } from './planter.js'
import { readingModel } from './reader.js'
import { ownWordings } from './wordings.js'

/** Models over HTTP: one that writes and plants defects, and one that reads, which knows nothing of the other. */
export async function openModels(target: Target, share = 0, wordings = ownWordings()) {
  let heard = (_step: string) => {}
  const writer = new PlantingModel(target, share, wordings, (step) => heard(step))
  const meaning = openMeaning()
  const reader = readingModel(target.prompts, meaning, (step) => heard(step))
  const servers = await Promise.all([writer, reader].map((model) => startScriptedServer(model)))
  const env = { MEMSCOPE_WRITER_BASE_URL: servers[0]!.url, MEMSCOPE_READER_BASE_URL: servers[1]!.url }
  return {
    writer,
    reader,
    env,
    /** Calls something with the name of every step that is asked for, before it is answered. */
    onAsk(hear: (step: string) => void) {
      heard = hear
    },
    async close() {
      for (const server of servers) await server.close()
      await meaning.close()
    },
    make(options: Partial<GenerateDataOptions>, signal?: AbortSignal) {
      Object.assign(process.env, env)
      const asked = { suite: target.suite, ...ROLES, home: temporaryFolder(), out: temporaryFolder(), ...options }
      return generateData(asked, signal ? { signal } : {})
    },
  }
}

export const ROLES = { generator: 'writer:plants', auditor: 'reader:words', judges: ['reader:one', 'reader:two'] }

export const temporaryFolder = () => madeFolder('making')

/** All files of a folder with their text. */
export function textsIn(folder: string): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    statSync(join(folder, file)).isFile(),
  )
  return new Map(
    files.sort().map((file) => [relative('.', file).split(sep).join('/'), readFileSync(join(folder, file), 'utf8')]),
  )
}

/** Defects that are still in the data. */
export function leftIn(folder: string, ledger: readonly Planted[]): Planted[] {
  const own = [...textsIn(folder)].filter(([name]) => /^[^/]*\.jsonl?$/.test(name) && name !== 'generation_config.json')
  const text = own.map(([, one]) => one).join('\n')
  return ledger.filter(({ words, isJson }) => text.includes(isJson ? words : JSON.stringify(words).slice(1, -1)))
}

interface FunnelConfig {
  datasets: Record<
    string,
    { stages: { stage: string; before: number; after: number; dropped: Record<string, number> }[] }
  >
}

/** Rows, episodes or sessions that nothing was wrong with, and how many of them are not in the data though they could be. */
export function cleanIn(
  folder: string,
  { units, ledger, refusedClean, target }: PlantingModel,
): { clean: number; lost: string[] } {
  const spoilt = new Set(ledger.map(({ unit }) => unit))
  const clean = [...units].filter((unit) => unit !== 'all' && !spoilt.has(unit))
  const lost = new Set(clean.filter((unit) => refusedClean.has(unit)))
  const { datasets } = JSON.parse(readFileSync(join(folder, 'generation_config.json'), 'utf8')) as FunnelConfig
  const surplus = (dataset: string) =>
    datasets[dataset]?.stages.find(({ stage }) => stage === 'wanted')?.dropped['more than wanted'] ?? 0
  const text = [...textsIn(folder)]
    .filter(([name]) => /^[^/]*\.jsonl?$/.test(name))
    .map(([, one]) => one)
    .join('\n')
  if (target.suite === 'memfail')
    for (const kind of Object.keys(datasets)) {
      const kept = new Set(
        [...text.matchAll(new RegExp(`"id":"mod-${SHORT[kind]}-(\\d+)"`, 'g'))].map(([, n]) => `${kind}/${Number(n)}`),
      )
      const missing = clean.filter((unit) => unit.startsWith(`${kind}/`) && !kept.has(unit))
      // Rows beyond what was wanted are dropped from the end.
      for (const unit of missing.slice(0, Math.max(0, missing.length - surplus(kind)))) lost.add(unit)
    }
  if (target.suite === 'meme')
    for (const [domain, short] of [
      ['personal-life', 'pl'],
      ['software-project', 'sw'],
    ] as const) {
      const episodes = new Set(
        [...units].filter((unit) => unit.startsWith(domain)).map((unit) => Number(unit.split('/')[1])),
      )
      const missing = [...episodes].filter(
        (at) => !text.includes(`"episode_id":"${short}_${String(at + 1).padStart(3, '0')}"`),
      )
      const unspoilt = missing.filter((at) => ![...spoilt].some((unit) => unit.startsWith(`${domain}/${at}/`)))
      for (const at of unspoilt.slice(0, Math.max(0, unspoilt.length - surplus(domain)))) lost.add(`${domain}/${at}`)
    }
  return { clean: clean.length, lost: [...lost] }
}

const SHORT: Readonly<Record<string, string>> = {
  conditional: 'cond',
  coexisting: 'coex',
  persona: 'pers',
  'long-hop': 'hop',
}
