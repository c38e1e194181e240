import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { LifeResults } from '../../analysis/results.js'
import { UserError } from '../../base/errors.js'
import { isFolder, makeFolder } from '../../base/folders.js'
import { entryOf } from '../../base/group-by.js'
import { shownComparisons } from '../../view/compared.js'
import { conversationDetail, graphDetail } from '../../view/moments.js'
import { type ListedRow, listRows } from '../../view/select-rows.js'
import { compareRead } from '../compare.js'
import type { KeptRun } from '../kept-run.js'
import { writeWhole } from '../whole-file.js'
import { appScript, appStyles, pageHtml } from './page.js'
import { ViewedRun } from './viewed-run.js'

/** Questions of one task, system and outcome that can be opened; all are listed. Of those that went well a few. */
const MOST_OPENED = 12
const MOST_PASSED = 2

/** Characters of a file of questions, about. */
const MOST_FILE = 1_000_000

/** Systems that are compared with each other, at most. */
const MOST_COMPARED = 8

// A page from a file has no origin: its scripts are named by where they come from.
const POLICY =
  "default-src 'none'; script-src 'self' file:; style-src 'self' file:; img-src data:; base-uri 'none'; form-action 'none'"

/** Refuses a folder in which something else lies. */
export function requireBundleFolder(folder: string | undefined): void {
  if (folder === undefined) return
  if (
    isFolder(folder) &&
    readdirSync(folder).some((name) => !['index.html', 'app.js', 'app.css', 'data'].includes(name))
  )
    throw new UserError(`--bundle ${folder} holds other things.`, 'Name a folder that is empty, or not there yet.')
}

/**
 * Writes the viewer with a run inside: files for any static host, that also open from a disk. Data are scripts that hand it over, for pages
 * from a disk may fetch nothing.
 */
export async function writeBundle(kept: KeptRun, folder: string): Promise<void> {
  const run = new ViewedRun(kept)
  const { overview, index, comparable } = await run.load()
  makeFolder(resolve(folder, 'data'))
  const write = (name: string, text: string) => writeWhole(join(folder, name), (sink) => sink(text))
  const files: Record<string, string> = {}
  const given = (entries: readonly [key: string, value: unknown][]) =>
    `Object.assign(memscopeBundle.given,${scriptJson(Object.fromEntries(entries))})\n`
  let part: [string, unknown][] = []
  let [size, count] = [0, 0]
  const flush = async () => {
    if (part.length === 0) return
    const name = `part-${count++}`
    for (const [key] of part) files[key] = name
    await write(`data/${name}.js`, given(part))
    part = []
    size = 0
  }
  const keep = async (key: string, value: unknown) => {
    part.push([key, value])
    size += JSON.stringify(value).length
    if (size > MOST_FILE) await flush()
  }
  const seen = new Set<string>()
  for (const row of openedRows(index)) {
    const life = await run.life({ scenario: row.scenario, system: row.system, trial: row.trial, time: row.time })
    const detail = life && (await run.question(life, row.id))
    if (!detail) continue
    await keep(keyOf('question', row, row.id), detail)
    const told = detail.facts.flatMap(({ said, events }) =>
      [...said, ...events].flatMap(({ conversation }) => conversation ?? []),
    )
    for (const id of new Set(told)) {
      const key = keyOf('conversation', row, id)
      if (!seen.has(key)) await keep(key, await conversationDetail(life as LifeResults, id))
      seen.add(key)
    }
  }
  for (const [scenario, graph] of run.graphs)
    for (const system of index.contestants) {
      const life = await run.life({ scenario, system, trial: 0, time: 0 })
      if (life) await keep(JSON.stringify(['graph', scenario, null, system, '0', '0']), graphDetail(life, graph))
    }
  await flush()
  const labels = index.contestants.length > MOST_COMPARED ? [] : comparable.contestants.map(({ system }) => system)
  const pairs = labels.flatMap((a) => labels.filter((b) => b !== a).map((b) => [a, b]))
  const compare = pairs.map((pair) => [pair.join('\n'), shownComparisons(compareRead([comparable], pair, []))])
  const graphs = { scenarios: [...run.graphs.keys()], systems: index.contestants }
  await write(
    'data/run.js',
    given([
      ['run', overview],
      ['graphs', graphs],
      ['compare', Object.fromEntries(compare)],
    ]),
  )
  await write('data/index.js', given([['index', index]]))
  await write(
    'data/bundle.js',
    `var memscopeBundle=${scriptJson({ run: overview.run, files, given: {}, holds: holdsWords(overview.run) })}\n`,
  )
  await write('app.js', appScript())
  await write('app.css', appStyles())
  await write('index.html', pageHtml(['data/bundle.js'], POLICY))
}

/** What a bundle leaves out, and the command that shows it. */
function holdsWords(run: string): string {
  const most = `at most ${MOST_OPENED} that failed in the same way and ${MOST_PASSED} that passed`
  return `Of every task and system, ${most} can be opened here; all are listed. The rest: memscope view ${run}`
}

/** What can be opened: the first questions of every task, system and outcome. */
function openedRows(index: Parameters<typeof listRows>[0]): ListedRow[] {
  const counts = new Map<string, ListedRow[]>()
  for (const row of listRows(index, {}, 0, Number.POSITIVE_INFINITY).items) {
    const alike = entryOf(counts, JSON.stringify([row.task, row.system, row.outcome]), () => [])
    const isPassed = row.outcome === 'correct' || row.outcome === 'answerable'
    if (alike.length < (isPassed ? MOST_PASSED : MOST_OPENED)) alike.push(row)
  }
  // Life by life: each is read once.
  return [...counts.values()].flat().sort((a, b) => placeOf(a).localeCompare(placeOf(b)))
}

function placeOf({ scenario, system, trial, time }: ListedRow): string {
  return JSON.stringify([scenario, system, trial, time])
}

function keyOf(what: string, { scenario, system, trial, time }: ListedRow, id: string): string {
  return JSON.stringify([what, scenario, id, system, String(trial), String(time)])
}

/** JSON that a script may hold: nothing in it ends the script or the line. */
function scriptJson(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
}
