import { z } from 'zod'
import { UserError, unknownName } from '../base/errors.js'
import { contentHash, findOwnFile, importOwnFile } from '../base/own-file.js'
import { splitOptions } from '../base/spec-options.js'
import { suites } from '../builtins.js'
import { defineSuite, type OwnSuite, type Suite } from '../model/index.js'

const FILE = /^(.+\.[cm]?[jt]s)(?:\/([^/]*))?$/

const isFunction = z.custom((value) => typeof value === 'function', 'expected a function')
const name = z.string().regex(/^[\w-]+$/, 'expected a name of letters, digits and hyphens')

const definition = z.looseObject({
  name,
  about: z.string(),
  version: z.string().optional(),
  tasks: z.array(z.looseObject({ name, about: z.string() })).min(1),
  defaultK: z.array(z.int().min(1)).min(1).optional(),
  flags: z.record(name, z.looseObject({ default: z.string(), about: z.string() })).optional(),
  load: isFunction,
  ...Object.fromEntries(['grade', 'score', 'overall', 'references'].map((part) => [part, isFunction.optional()])),
})

const EXAMPLE = `The file should hold, for example:
  import { defineSuite } from 'memscope'
  export default defineSuite({
    name: 'birthdays',
    about: 'who was born when',
    tasks: [{ name: 'date', about: 'the day on which somebody was born' }],
    async load({ seed, size }) { return { scenarios: […], datasetHash: '…', audit: [] } },
  })`

/** What a user typed behind `--suite`: a suite by its name or its file, a task of it where one was named, and options behind. */
export interface SuiteSpec {
  name: string
  task: string | null
  isFile: boolean
  options: Record<string, string>
}

/** @example suiteSpec('./my-suite.ts/date:year=9') // { name: './my-suite.ts', task: 'date', isFile: true, options: { year: '9' } } */
export function suiteSpec(typed: string): SuiteSpec {
  const { name: path, options } = splitOptions(typed)
  const [, file, inFile] = FILE.exec(path) ?? []
  if (file !== undefined) return { name: file, task: inFile ?? null, isFile: true, options }
  const at = path.indexOf('/')
  const [name, task] = at < 0 ? [path, null] : [path.slice(0, at), path.slice(at + 1)]
  return { name, task, isFile: false, options }
}

/** Suites from files, by path. One run reads a file once, however often it is named. */
const opened = new Map<string, Promise<Suite>>()

/**
 * A suite by its name, or from a file of the user's, which runs in this process. The version of one from a file follows its content, so that a
 * run cannot go on with another.
 *
 * @param given a name, or a path
 * @param own objects of the caller's, by name
 * @example await resolveSuite('./my-suite.ts', process.cwd())
 */
export async function resolveSuite(given: string, cwd: string, own?: ReadonlyMap<string, Suite>): Promise<Suite> {
  const object = own?.get(given)
  if (object) return object
  if (!FILE.test(given)) return builtinSuite(given)
  const file = findOwnFile(given, cwd)
  const known = opened.get(file) ?? loadSuite(file, given)
  opened.set(file, known)
  return known
}

/** A suite that comes with Memscope, by its name. */
function builtinSuite(name: string): Suite {
  const suite = suites.find((candidate) => candidate.name === name)
  if (suite) return suite
  const names = suites.map((candidate) => candidate.name)
  throw unknownName('suite', name, names)
}

async function loadSuite(file: string, shown: string): Promise<Suite> {
  return suiteFrom(await importOwnFile(file, shown, EXAMPLE), shown, contentHash(file))
}

/**
 * Reads the suite that a file exports, or that a caller gives as an object.
 *
 * @param content hash of what it is made of, which its version ends in
 */
export function suiteFrom(exported: unknown, shown: string, content: string): Suite {
  const parsed = definition.safeParse(exported)
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue) => `  ${issue.path.join('.') || 'default export'}: ${issue.message}`)
    throw new UserError(`"${shown}" does not define a suite:\n${faults.join('\n')}`, EXAMPLE)
  }
  const suite = defineSuite(exported as OwnSuite)
  if (suites.some((builtin) => builtin.name === suite.name))
    throw new UserError(`"${shown}" is called "${suite.name}", as a suite that is built in.`, 'Give it another name.')
  return { ...suite, version: `${suite.version}+${content}` }
}
