import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { UserError, unknownName } from '../base/errors.js'
import { makePrivateFolder } from '../base/folders.js'
import { missingPackages } from '../base/packages.js'
import { loadAll, suites, systems } from '../builtins.js'
import { installedEmbedders } from '../gateway/embed/installed.js'
import { priceTable, providerStates, readPrices } from '../gateway/index.js'
import { type OwnSuite, questionsOf, type Suite } from '../model/index.js'
import { resolveSuite } from '../suites/registry.js'
import { optionsIn } from '../systems/options.js'
import { bundledSuites, lightSettings } from './asked-suites.js'
import { homeAt } from './compose.js'
import { keptRequest } from './kept-run.js'
import { modelAccess } from './model-access.js'
import { isShared, openRunStore } from './open-store.js'
import { Parts } from './own-parts.js'
import { SHOWN_PROMPTS } from './prompts.js'
import type { ListedRun } from './run-types.js'
import type { HomeOptions, ListedCorpus, ListedSuite, ListedSystem, ModelList, ModelOptions } from './types.js'
import { writeWhole } from './whole-file.js'

/** A suite of more scenarios than these is listed in one line. */
const MOST_LISTED = 24

/** The runs that are kept, newest first. */
export async function listRuns({ home, store: address }: HomeOptions = {}): Promise<ListedRun[]> {
  const store = await openRunStore(homeAt(home, address))
  try {
    const listed: ListedRun[] = []
    for (const { id, status, created, request } of await store.listRuns()) {
      const { suites: asked, systems: named, shard } = keptRequest(request).request
      const names = asked.flatMap(({ name, tasks }) => tasks?.map((task) => `${name}/${task}`) ?? name)
      const progress = isShared(store) ? await store.coordination.progress(id) : null
      const shared = progress && progress.units.total > 0 ? { progress } : {}
      const part = shard && { shard: `${shard.index}/${shard.of}` }
      listed.push({ run: id, status, created, suites: names, systems: named, ...part, ...shared })
    }
    return listed
  } finally {
    await store.close()
  }
}

/** The memory systems that are built in. */
export async function listSystems(): Promise<ListedSystem[]> {
  return (await loadAll(systems)).map((system) => ({
    name: system.name,
    class: system.class,
    about: system.about,
    depth: system.depth ?? 'k',
    model: system.needs?.llm === true,
    packages: system.needs?.packages ?? [],
    missing: missingPackages(system.needs?.packages, process.cwd()),
    ...(system.cost && { cost: system.cost }),
    papers: system.papers ?? [],
    variants: Object.fromEntries(Object.entries(system.variants ?? {}).map(([key, variant]) => [key, variant.about])),
    options: optionsIn(system),
    ...(system.prompts && { prompts: system.prompts }),
  }))
}

/** A suite by its name, file or object. */
export async function findSuite(suite: string | OwnSuite): Promise<Suite> {
  const parts = new Parts()
  return resolveSuite(parts.name(suite), process.cwd(), parts.suites)
}

/** The suites that are built in, or one alone, with how many questions each task has. */
export async function listSuites({ suite: asked }: { suite?: string | OwnSuite } = {}): Promise<ListedSuite[]> {
  const listed: ListedSuite[] = []
  for (const suite of asked === undefined ? suites : [await findSuite(asked)]) {
    const questions = suite.release?.only === undefined ? (await bundled(suite)).scenarios.flatMap(questionsOf) : []
    const settings = Object.entries(suite.flags).map(([flag, { default: usual, values, about }]) => {
      return [flag, { default: usual, values, about }] as const
    })
    const tasks = suite.tasks.map(({ name, about, paperK }) => {
      return { name, about, paperK, bundledQuestions: questions.filter(({ task }) => task === name).length }
    })
    const { name, about, paper } = suite
    listed.push({ name, about, paper, tasks, settings: Object.fromEntries(settings) })
  }
  return listed
}

/** The corpora that are bundled. */
export async function listData(): Promise<ListedCorpus[]> {
  const listed: ListedCorpus[] = []
  for (const suite of bundledSuites()) {
    const { scenarios, datasetHash } = await bundled(suite)
    const groups = scenarios.length > MOST_LISTED ? [scenarios] : scenarios.map((scenario) => [scenario])
    for (const group of groups)
      listed.push({
        corpus: group.length === 1 ? group[0]!.id : `${suite.name}, ${group.length} scenarios`,
        conversations: group.flatMap(({ timeline }) => timeline).filter(({ type }) => type === 'conversation').length,
        facts: group.reduce((sum, { facts }) => sum + facts.length, 0),
        questions: group.flatMap(questionsOf).length,
        dataset: datasetHash,
      })
  }
  return listed
}

/** A suite's own data, as far as is needed to count its questions. */
function bundled(suite: Suite): ReturnType<Suite['load']> {
  return suite.load({ view: 'audited', seed: 42, size: 'paper', extra: lightSettings(suite) })
}

/** Providers and whether they can be asked, prices and embedders. */
export async function listModels(
  asked: HomeOptions & Pick<ModelOptions, 'prices' | 'providers'> & { save?: boolean } = {},
): Promise<ModelList> {
  const { prices: files = [], providers } = modelAccess(asked)
  if (asked.save) await savePrices(asked)
  const { updated, models } = priceTable(files)
  return {
    providers: providerStates(process.env, providers),
    prices: { unit: 'USD per million tokens', updated, models },
    embedders: installedEmbedders(process.cwd()),
  }
}

/** Keeps a file of prices in the home, over those that were saved before, with the date of today where it has none. */
async function savePrices({ home, prices }: HomeOptions & Pick<ModelOptions, 'prices'>): Promise<void> {
  if (prices === undefined)
    throw new UserError('--save keeps a file of prices.', 'Name one: models --prices <file> --save')
  const { prices: file } = homeAt(home)
  const { models, updated = new Date().toISOString().slice(0, 10) } = readPrices(prices)
  const before = existsSync(file) ? readPrices(file).models : {}
  makePrivateFolder(dirname(file))
  const kept = JSON.stringify({ updated, models: { ...before, ...models } }, null, 2)
  await writeWhole(file, (write) => write(`${kept}\n`), { isPrivate: true })
}

/** What readers or judges are told, as a file to start from. */
export async function shownPrompts(whose: string): Promise<string> {
  const shown = SHOWN_PROMPTS[whose]
  if (shown === undefined) throw unknownName('file of prompts', whose, Object.keys(SHOWN_PROMPTS))
  return shown
}
