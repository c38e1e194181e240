import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadAll, systems } from '../../src/builtins.js'
import { createLexicalJudge } from '../../src/judges/lexical/index.js'
import { homeAt, openEmbedder, openEntailment } from '../../src/library/compose.js'
import { type RunOptions, run } from '../../src/library.js'
import { type ChosenParts, chosenParts, HOME, type Part } from './parts.js'

export const OURS = 'mosaic'
/** Ceilings and floors, which no memory is held against. */
const NO_RIVALS = ['none', 'oracle', 'full-context']

/** All parts with their runs. */
export interface MeasuredParts extends Pick<ChosenParts, 'leftOut'> {
  runs: { part: Part; id: string }[]
  /** Every system without a model, mosaic among them. */
  names: string[]
  /** What the runs were judged by. */
  judge: string
}

/** Runs every part, unless that was done before: with the same systems, judge and embedder. A run that stopped goes on. */
export async function measureParts(progress: (message: string) => void): Promise<MeasuredParts> {
  const { parts, leftOut } = chosenParts(process.env)
  const definitions = (await loadAll(systems)).filter(
    ({ name, needs }) => !needs?.llm && !needs?.packages && !NO_RIVALS.includes(name),
  )
  const names = definitions.map(({ name }) => name)
  const versions = definitions.map(({ name, version }) => `${name} ${version}`).join(', ')
  const judge = await judgeKey()
  const runs: MeasuredParts['runs'] = []
  for (const part of parts) {
    const what = `${part.name}, ${versions}, ${judge}`
    const { data } = part.options
    if (data !== undefined && part.write && !existsSync(data)) {
      // Half-written data would be taken for whole.
      const unfinished = `${data}.part`
      rmSync(unfinished, { recursive: true, force: true })
      part.write(unfinished)
      renameSync(unfinished, data)
    }
    const tell = (message: string) => progress(`${part.name}: ${message}`)
    runs.push({ part, id: await measured(what, { ...part.options, system: names, home: HOME }, tell) })
  }
  return { runs, names, judge, leftOut }
}

/** Version and model of the judge: runs that another one judged are not gone on with. */
async function judgeKey(): Promise<string> {
  const home = homeAt(HOME)
  const embed = await openEmbedder('minilm', home)
  const entail = openEntailment('minilm', home)
  try {
    return createLexicalJudge({ embed, ...(entail && { entail }) }).key
  } finally {
    await embed.close()
    await entail?.close()
  }
}

/** The id of a run, which is measured unless it was. */
async function measured(what: string, options: RunOptions, progress: (message: string) => void): Promise<string> {
  const file = join(HOME, 'mosaic-bench.json')
  const kept = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>) : {}
  const known = kept[what]
  const { run: id } = await run(known === undefined ? options : { resume: known, home: HOME }, {
    onProgress: (event) => {
      if (event.type !== 'started') return
      progress(`run ${event.run}`)
      mkdirSync(HOME, { recursive: true })
      writeFileSync(file, `${JSON.stringify({ ...kept, [what]: event.run }, null, 2)}\n`)
    },
  })
  return id
}
