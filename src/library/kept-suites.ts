import { resolve } from 'node:path'
import { z } from 'zod'
import { UserError } from '../base/errors.js'
import { contentHash, findOwnFile } from '../base/own-file.js'
import { suites } from '../builtins.js'
import type { LoadedPlanSuite, RunRequest } from '../engine/plan.js'
import { defineSuite, type RunStore, type Scenario, type Suite, type SuiteGraph } from '../model/index.js'
import { resolveSuite } from '../suites/registry.js'

/** What is data of a suite. The rest is code: its own scores, tables and sentences, and how it groups and grades. */
const DATA = [
  ...[
    'name',
    'version',
    'about',
    'paper',
    'tasks',
    'defaultK',
    'tourK',
    'stratum',
    'unit',
    'flags',
    'groups',
    'timeline',
  ],
] as const satisfies (keyof Suite)[]

const Head = z.object({
  suite: z.looseObject({
    ...{ name: z.string(), version: z.string(), about: z.string(), defaultK: z.array(z.int()) },
    tasks: z.array(
      z.object({ name: z.string(), about: z.string(), paperK: z.array(z.int()), breakdowns: z.array(z.string()) }),
    ),
  }),
  datasetHash: z.string(),
  audit: z.array(
    z.object({
      task: z.string(),
      row: z.string(),
      action: z.enum(['repaired', 'flagged', 'dropped']),
      why: z.string(),
    }),
  ),
  graphs: z.array(z.tuple([z.string(), z.custom<SuiteGraph>((value) => typeof value === 'object')])),
})

/** Keeps the suites of a run that are not built in, each as a snapshot: what there was to ask can be read without their code. */
export async function keepSuites(loaded: readonly LoadedPlanSuite[], store: RunStore): Promise<Record<string, string>> {
  const kept: Record<string, string> = {}
  for (const { suite, scenarios, datasetHash, audit, graphs = new Map() } of loaded) {
    if (suites.some(({ name }) => name === suite.name)) continue
    const data = Object.fromEntries(DATA.map((part) => [part, suite[part]]))
    const all = [{ suite: data, datasetHash, audit, graphs: [...graphs] }, ...scenarios]
    const texts = all.map((part, at) => ({ id: String(at), text: JSON.stringify(part) }))
    kept[suite.name] = await store.putSnapshot(texts, null)
  }
  return kept
}

/** A suite as it was kept, without its code. */
async function readKeptSuite(snapshot: string, store: RunStore): Promise<LoadedPlanSuite> {
  const texts = (await store.getSnapshot(snapshot)).sort((a, b) => Number(a.id) - Number(b.id))
  const [head, ...rest] = texts.map(({ text }): unknown => JSON.parse(text))
  const read = Head.safeParse(head)
  if (!read.success) throw new UserError(`What was kept of a suite cannot be read: ${z.prettifyError(read.error)}`)
  const { suite: data, graphs, ...told } = read.data
  const loaded = { ...told, scenarios: rest as Scenario[], graphs: new Map(graphs) }
  return { ...loaded, suite: defineSuite({ ...data, load: async () => loaded }) }
}

/** How suites of a run that is only looked at are had. */
export interface LookedAtSuites {
  /** Snapshots by the names of suites. */
  kept: Readonly<Record<string, string>> | undefined
  /** Hashes of their files by path. */
  hashes: Readonly<Record<string, string>>
  /** Files that may be loaded, as the user named them. */
  load: readonly string[]
  store: RunStore
}

/** A suite of the run that is not built in: from its file where that was asked for and is what it was, else as it was kept. */
export async function lookAtSuite(
  { name, file }: RunRequest['suites'][number],
  { kept = {}, hashes, load, store }: LookedAtSuites,
): Promise<{ own: Suite } | { kept: LoadedPlanSuite }> {
  if (file !== undefined && load.some((path) => resolve(path) === file)) {
    if (contentHash(findOwnFile(file, '/')) !== hashes[file])
      throw new UserError(`${file} is not the file that the run was made with.`, 'Leave out --load to look without it.')
    return { own: await resolveSuite(file, '/') }
  }
  const snapshot = Object.hasOwn(kept, name) ? kept[name] : undefined
  if (snapshot !== undefined) return { kept: await readKeptSuite(snapshot, store) }
  throw new UserError(
    `The run asks questions of a suite that is code${file === undefined ? `, ${name}` : `, ${file}`}, and nothing of it was kept.`,
    'Looking at a run loads no code: it can only be run again.',
  )
}

/** What is missing where a suite was read without its code, and how to have it, in a line. */
export function leftOutWords({ name, file }: RunRequest['suites'][number]): string {
  const how = file === undefined ? 'Give the object again to have them.' : `To load it: --load ${file}`
  return `The suite ${name} is code, and looking at a run loads none: its own scores and tables are left out. ${how}`
}
