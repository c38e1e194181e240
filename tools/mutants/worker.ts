import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import vm from 'node:vm'
import ts from 'typescript'
import { temporaryFolder } from '../temporary.js'
import type { Change } from './hook.js'
import { countedOf, type Mutant, transpiled } from './operators.js'
import { type Registered, testApi } from './shim.js'
import { filesOf, TOLD_BY } from './units.js'

const ROOT = process.cwd()
const [unit, ...tests] = process.argv.slice(2) as [string, ...string[]]

const told = TOLD_BY[unit] ?? [unit]
// Tests may work in other folders.
const files = filesOf(unit)

/** JavaScript of the sources, as they are. */
const plain = new Map<string, string>()

/** JavaScript of a file: with the mutant, or with its places counted where there is none; the build's where nothing changes. */
function compiled(file: string, mutant: Mutant | null): string {
  const source = () => readFileSync(join(ROOT, file), 'utf8')
  if (mutant?.file === file) return transpiled(source().slice(0, mutant.from) + mutant.text + source().slice(mutant.to))
  if (!mutant && files.includes(file)) return countedOf(file, source())
  const built = join(ROOT, builtOf(file))
  const known = plain.get(file) ?? (isBuilt(file) ? readFileSync(built, 'utf8') : transpiled(source()))
  plain.set(file, known)
  return known
}

/** The source of what is imported from a file: a relative path, or a built module by its address. */
function sourceOf(specifier: string, from: string): string | null {
  const path = specifier.startsWith('file:')
    ? fileURLToPath(specifier)
    : specifier.startsWith('.')
      ? resolve(ROOT, dirname(from), specifier)
      : null
  if (path === null) return null
  const file = relative(ROOT, path).replace(/^dist\//, 'src/')
  const source = file.replace(/\.js$/, '.ts')
  return existsSync(join(ROOT, source)) ? source : file
}

/** What is made anew for every mutant: the unit, and all that leads to it from the tests. The rest is the built project. */
const anew = new Set([...files, ...tests])
{
  const importers = new Map<string, string[]>()
  const seen = new Set<string>()
  const visit = (file: string): void => {
    if (seen.has(file) || !file.endsWith('.ts') || !existsSync(join(ROOT, file))) return
    seen.add(file)
    for (const { fileName } of ts.preProcessFile(readFileSync(join(ROOT, file), 'utf8')).importedFiles) {
      const source = sourceOf(fileName, file)
      if (source === null) continue
      importers.set(source, [...(importers.get(source) ?? []), file])
      visit(source)
    }
  }
  for (const file of [...tests, 'src/cli/command-line.ts', 'src/cli/ending.ts']) visit(file)
  const mark = (file: string): void => {
    for (const importer of importers.get(file) ?? []) {
      if (anew.has(importer)) continue
      anew.add(importer)
      mark(importer)
    }
  }
  for (const file of files) mark(file)
  // Helpers of tests are not built.
  for (const file of seen) if (/^(?:test|bench)\//.test(file)) anew.add(file)
}

/** What is known of a test from a run without a mutant: how long it takes, its file, and the places of mutants that it comes to. */
interface Known {
  ms: number
  file: string
  places: readonly string[]
}

/** Tests by title, and the places that are come to when modules are loaded, which are of every test. */
export interface Usual {
  tests: [title: string, Known][]
  loaded: string[]
}
const usual = { tests: new Map<string, Known>(), loaded: new Set<string>() }

/** Milliseconds: a test that takes longer is not asked of mutants, and what nobody else notices counts as a survivor. */
const SLOWEST = 15_000

/** How many mutants each test has killed: who tells most for its time is asked first. */
const kills = new Map<string, number>()

const folder = temporaryFolder('mutant')
const [change, elsewhere] = [join(folder, 'mutant.json'), join(folder, 'reached.txt')]
process.env.NODE_OPTIONS = `--import ${new URL('./hook.js', import.meta.url).href}`
process.env.MUTANT_FILE = change

/** Where what is come to is noted now. */
let places = usual.loaded
Object.assign(globalThis, { reached: (place: string) => places.add(place) })

/** What processes of tests came to since this was last asked. */
function reachedElsewhere(): string[] {
  const found = existsSync(elsewhere) ? readFileSync(elsewhere, 'utf8').split('\n').filter(Boolean) : []
  writeFileSync(elsewhere, '')
  return found
}

/** Runs the tests against a mutant, and says which one killed it; null when none did. */
async function killerOf(mutant: Mutant | null): Promise<string | null> {
  const changed = mutant ? [mutant.file] : files
  const sources = changed.map(
    (file) => [pathToFileURL(join(ROOT, builtOf(file))).href, compiled(file, mutant)] as const,
  )
  const instead: Change = { sources: Object.fromEntries(sources), reached: mutant ? null : elsewhere }
  writeFileSync(change, JSON.stringify(instead))
  const registered: (Registered & { file: string })[] = []
  const modules = new Map<string, vm.Module>()
  let linking = Promise.resolve()
  let file = ''
  const { api, inFile, end } = testApi((test) => registered.push({ ...test, file }))
  const fresh = (file: string): vm.Module => {
    const known = modules.get(file)
    if (known) return known
    // What stands beside a module, such as the file of another process, is taken from the build.
    const path = join(ROOT, isBuilt(file) ? builtOf(file) : file)
    const module = new vm.SourceTextModule(compiled(file, mutant), {
      identifier: file,
      initializeImportMeta: (meta) => {
        Object.assign(meta, { url: pathToFileURL(path).href, dirname: dirname(path), filename: path })
        meta.resolve = (specifier: string) => import.meta.resolve(specifier)
      },
      importModuleDynamically: async (specifier) => started(await linked(specifier, file)),
    })
    modules.set(file, module)
    return module
  }
  const linked = async (specifier: string, from: string): Promise<vm.Module> => {
    if (specifier === 'vitest') return synthetic('vitest', api)
    const file = sourceOf(specifier, from)
    if (file === null) return synthetic(specifier, await import(specifier))
    if (anew.has(file)) return fresh(file)
    const built = join(ROOT, builtOf(file))
    return synthetic(built, await import(pathToFileURL(built).href))
  }
  const synthetic = (name: string, values: object): vm.Module => {
    const known = modules.get(name)
    if (known) return known
    const names = Object.keys(values)
    const module = new vm.SyntheticModule(names, () => {
      for (const key of names) module.setExport(key, Reflect.get(values, key))
    })
    modules.set(name, module)
    return module
  }
  const started = async (module: vm.Module): Promise<vm.Module> => {
    // One after another: a module whose parts are being linked for another is not ready.
    linking = linking.then(async () => {
      if (module.status === 'unlinked') await module.link((specifier, { identifier }) => linked(specifier, identifier))
    })
    await linking
    const before = places
    places = usual.loaded
    await module.evaluate().finally(() => {
      places = before
    })
    return module
  }
  const asked = mutant ? askedOf(mutant) : null
  try {
    for (file of tests)
      if (!asked || [...asked].some((title) => usual.tests.get(title)!.file === file))
        await inFile(() => started(fresh(file)))
  } catch (error) {
    return `cannot be loaded: ${error instanceof Error ? error.message : error}`
  }
  const own = registered.filter(({ title }) => {
    if (mutant && (usual.tests.get(title)?.ms ?? 0) > SLOWEST) return false
    if (asked) return asked.has(title)
    return !/^the (?:defaults|prompts|rehearsal) of/.test(title) || told.some((name) => title.includes(`> ${name}:`))
  })
  const near = ({ title }: Registered) =>
    usual.tests.get(title)?.places.some((place) => place.startsWith(`${mutant?.file} `))
  const worth = (test: Registered) =>
    ((usual.tests.get(test.title)?.ms ?? 0) * (near(test) ? 1 : 10)) / (1 + (kills.get(test.title) ?? 0))
  const shared = new Map(tests.map((test) => [test, new Set<string>()]))
  try {
    for (const { title, run, file } of own.sort((a, b) => worth(a) - worth(b))) {
      const limitMs = mutant ? 15_000 + 8 * (usual.tests.get(title)?.ms ?? 0) : 300_000
      process.send!({ began: title, limitMs })
      const began = performance.now()
      const reached = new Set<string>()
      places = shared.get(file)!
      try {
        await run(() => {
          places = reached
        })
      } catch (error) {
        kills.set(title, (kills.get(title) ?? 0) + 1)
        return `${title}: ${error instanceof Error ? error.message.split('\n')[0] : error}`
      }
      if (mutant) continue
      for (const place of reachedElsewhere()) reached.add(place)
      usual.tests.set(title, { ms: performance.now() - began, file, places: [...reached] })
    }
  } finally {
    await end()
  }
  if (!mutant)
    for (const [title, test] of usual.tests)
      usual.tests.set(title, { ...test, places: [...test.places, ...shared.get(test.file)!] })
  return null
}

/** The tests that come to the place of a mutant; null for all, where it is come to when modules are loaded or its place is not known. */
function askedOf({ file, from, isNamed }: Mutant): ReadonlySet<string> | null {
  const place = `${file} ${from}`
  if (isNamed || usual.loaded.has(place)) return null
  return new Set([...usual.tests].flatMap(([title, { places }]) => (places.includes(place) ? title : [])))
}

/** Whether what is made anew of a file is as built: sources are, tests and their helpers are not. */
function isBuilt(file: string): boolean {
  return file.startsWith('src/') && !file.endsWith('.test.ts')
}

function builtOf(file: string): string {
  return file
    .replace(/^src\//, 'dist/')
    .replace(/^(?=(?:bench|tools)\/)/, 'build/')
    .replace(/\.ts$/, '.js')
}

// A promise that a mutant leaves behind is not the end of the others.
process.on('unhandledRejection', () => {})

process.on('message', async ({ mutant, known }: { mutant: Mutant | null; known?: Usual }) => {
  if (known && usual.tests.size === 0) {
    for (const [title, test] of known.tests) usual.tests.set(title, test)
    for (const place of known.loaded) usual.loaded.add(place)
  }
  const killer = await killerOf(mutant)
  const learnt: Usual | null = mutant ? null : { tests: [...usual.tests], loaded: [...usual.loaded] }
  process.send!({ killer, learnt })
})
