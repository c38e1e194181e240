import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { UserError, unknownName } from '../base/errors.js'
import { makeFolder } from '../base/folders.js'
import { wholeNumber } from '../base/whole-number.js'
import { suites } from '../builtins.js'
import type { LocalEmbedder } from '../gateway/embed/index.js'
import { createLexicalJudge } from '../judges/lexical/index.js'
import {
  type CorpusWork,
  type DataFile,
  type DataOptions,
  GENERATION_CONFIG,
  type ModelMaking,
  type Suite,
} from '../model/index.js'
import { suitesFrom, suitesIn } from './asked-suites.js'
import { homeAt, openEmbedder } from './compose.js'
import { hearControl, stoppable } from './control.js'
import { openMaking } from './making.js'
import { Parts } from './own-parts.js'
import type {
  Control,
  DataRequest,
  GenerateDataOptions,
  ImportDataOptions,
  LintDataOptions,
  LintResult,
  WriteDataOptions,
  WrittenData,
} from './types.js'
import { harnessVersion } from './version.js'
import { writeWhole } from './whole-file.js'

/** What is done with data for a suite, and what that is called once it is done. */
const DONE = { lint: 'checked', generate: 'generated', export: 'exported', import: 'imported' } as const

type DataVerb = keyof CorpusWork

/** The suite whose data is meant, and what it is told of it. */
interface AskedData<V extends DataVerb> {
  suite: Suite
  work: NonNullable<CorpusWork[V]>
  options: DataOptions
}

/** Whether corpora are what they should be. */
export async function lintData(asked: LintDataOptions = {}, control: Control = {}): Promise<LintResult> {
  const { suite, work, options } = await askedData('lint', asked)
  const told = hearControl(control)
  const corpora: LintResult['corpora'] = []
  let embedder: LocalEmbedder | undefined
  const lent = {
    judgeFacts: createLexicalJudge().judgeFacts,
    embedder: async () => (embedder ??= await openEmbedder('minilm', homeAt(asked.home))),
  }
  try {
    await stoppable(told, async () => {
      for await (const corpus of work.run({ ...options, ...lent })) {
        told.stopIfAsked(null)
        corpora.push(corpus.report)
        asked.onCorpus?.({ ...corpus, suite: suite.name, unit: work.unit })
      }
    })
  } finally {
    await embedder?.close()
  }
  const violations = corpora.reduce((sum, corpus) => sum + corpus.violations.length, 0)
  return { suite: suite.name, violations, corpora }
}

/** Makes a corpus for a seed, with models or without. */
export async function generateData(asked: GenerateDataOptions, control: Control = {}): Promise<WrittenData> {
  const { suite, work } = await askedData('generate', asked)
  if (asked.generator !== undefined && !asked.estimate) requireRoom(asked.out)
  const opened = await openMaking(asked, suite.name, work.paperModels, hearControl(control))
  if (!opened) return writeData('generate', asked, control)
  try {
    const made = await writeData(
      'generate',
      { ...asked, ...(opened.isEstimate && { out: () => false }) },
      control,
      opened.making,
    )
    return {
      files: opened.isEstimate ? [] : made.files,
      told: opened.isEstimate ? opened.words() : [...made.told, ...opened.words()],
    }
  } finally {
    await opened.close()
  }
}

/** What models make goes into a folder that holds nothing of the kind; it is looked at before anything is paid for. */
function requireRoom(out: GenerateDataOptions['out']): void {
  if (out === undefined) throw NO_OUT()
  if (typeof out !== 'string' || !existsSync(join(out, GENERATION_CONFIG))) return
  throw new UserError(`${resolve(out)} holds generated data already.`, 'Choose an empty folder.')
}

/** Writes a corpus that there is in a layout of its suite. */
export async function exportData(asked: WriteDataOptions, control: Control = {}): Promise<WrittenData> {
  return writeData('export', asked, control)
}

/** Makes a corpus of a file of the user’s own. */
export async function importData(asked: ImportDataOptions, control: Control = {}): Promise<WrittenData> {
  const { file, ...rest } = asked
  if (file === undefined) throw new UserError('Which file?', 'Usage: memscope data import <file.jsonl> --out <folder>')
  const suite = asked.suite ?? suites.find((one) => one.data?.import)!.name
  return writeData('import', { ...rest, suite, data: file }, control)
}

/** Has a suite make files, which are written to a folder or to a function. Nothing that is there is overwritten. */
async function writeData(
  verb: 'generate' | 'export' | 'import',
  asked: WriteDataOptions,
  control: Control,
  making?: ModelMaking,
): Promise<WrittenData> {
  const { out } = asked
  const { work, options } = await askedData(verb, asked)
  const told = hearControl(control)
  const make = () =>
    work.run({
      ...options,
      stdout: typeof out === 'function' && !making,
      harness: harnessVersion(),
      ...(making && { making }),
    })
  const made = await (making ? stoppable({ ...told, tell: () => {} }, make) : make())
  const { told: said, files = [] } = 'told' in made ? made : { told: [], files: made }
  if ('told' in made && !made.files) return { files: [], told: [...said] }
  if (out === undefined) throw NO_OUT()
  const write = () => (typeof out === 'function' ? pass(files, out) : writeFiles(resolve(out), files, told.stopIfAsked))
  return { files: await stoppable(told, write), told: [...said] }
}

/** The suite that is named, or whose data a folder holds; else the first that can do it. One at a time: each has a layout of its own. */
async function askedData<V extends DataVerb>(verb: V, asked: DataRequest): Promise<AskedData<V>> {
  const data = asked.data === undefined ? undefined : resolve(asked.data)
  const [named, ...others] =
    asked.suite === undefined
      ? [{ suite: usualSuite(verb, data), tasks: null }]
      : await suitesFrom(asked.suite, undefined, new Parts())
  if (others.length > 0)
    throw new UserError(`Corpora of two suites cannot be ${DONE[verb]} at once.`, 'Name one suite.')
  const { suite, tasks, ...more } = named!
  const [idle] = 'options' in more ? Object.keys(more.options) : []
  if (idle !== undefined)
    throw new UserError(`"${idle}" behind ${suite.name} is for runs.`, `What is done with data has flags: --${idle}`)
  const work = suite.data?.[verb]
  if (!work) {
    const able = suites.filter((other) => other.data?.[verb]).map(({ name }) => name)
    throw new UserError(`Corpora of ${suite.name} cannot be ${DONE[verb]}.`, `Those of ${able.join(' and ')} can.`)
  }
  const known = [...suites, suite].flatMap(({ data: all }) =>
    [all?.lint, all?.generate, all?.export].flatMap((work) => Object.keys(work?.flags ?? {})),
  )
  const extra: Record<string, string> = {}
  for (const [name, value] of Object.entries(asked.settings ?? {})) {
    if (!known.includes(name)) throw unknownName('setting of a suite', name, known)
    if (name in (work.flags ?? {}) && value !== false) extra[name] = String(value)
  }
  const seed = wholeNumber('seed', asked.seed ?? 42, 0)
  return { suite, work, options: { ...(tasks && { tasks }), ...(data !== undefined && { data }), seed, extra } }
}

/** Of several suites whose data a folder holds the first is meant last: its rows are told by little. */
function usualSuite(verb: DataVerb, data: string | undefined): Suite {
  const usual = suites.find((suite) => suite.data?.[verb])!
  if (data === undefined) return usual
  const held = suitesIn(data)
  return held.find((suite) => suite !== usual) ?? held[0]!
}

async function pass(
  files: readonly DataFile[],
  out: Exclude<WriteDataOptions['out'], string | undefined>,
): Promise<WrittenData['files']> {
  for (const { lines } of files) for await (const line of lines) if ((await out(line)) === false) return []
  return []
}

const NO_OUT = () =>
  new UserError('Where shall the files go?', 'Give a folder with --out <folder>, or --out - for standard output.')

/** A file that is there already and is another; one that was written before the same work was ended is not. */
async function findOther(out: string, files: readonly DataFile[]): Promise<DataFile | undefined> {
  for (const file of files) {
    const path = join(out, file.path)
    if (file.companion || !existsSync(path)) continue
    if (!file.isRepeated) return file
    const lines: string[] = []
    for await (const line of file.lines) lines.push(line)
    file.lines = lines
    if (lines.join('') !== readFileSync(path, 'utf8')) return file
  }
  return undefined
}

async function writeFiles(
  out: string,
  files: readonly DataFile[],
  stopIfAsked: (run: null) => void,
): Promise<WrittenData['files']> {
  const there = await findOther(out, files)
  if (there) throw new UserError(`${join(out, there.path)} is there already.`, 'Choose an empty folder.')
  for (const { path, lines } of files) {
    const file = join(out, path)
    makeFolder(dirname(file))
    await writeWhole(file, async (write) => {
      for await (const line of lines) {
        stopIfAsked(null)
        await write(line)
      }
    })
  }
  return files
    .filter(({ companion }) => !companion)
    .map(({ path, note }) => ({ path: join(out, path), ...(note !== undefined && { note }) }))
}
