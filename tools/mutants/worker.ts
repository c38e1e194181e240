import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import vm from 'node:vm'
import ts from 'typescript'
import type { Mutant } from './operators.js'
import { type Registered, testApi } from './shim.js'
import { filesOf, TOLD_BY } from './units.js'

const ROOT = process.cwd()
const [unit, ...tests] = process.argv.slice(2) as [string, ...string[]]

const told = TOLD_BY[unit] ?? [unit]

/** JavaScript of the sources, as they are. */
const plain = new Map<string, string>()

function compiled(file: string, mutant: Mutant | null): string {
  if (mutant?.file === file) {
    const source = readFileSync(join(ROOT, file), 'utf8')
    return transpiled(source.slice(0, mutant.from) + mutant.text + source.slice(mutant.to))
  }
  const known = plain.get(file) ?? transpiled(readFileSync(join(ROOT, file), 'utf8'))
  plain.set(file, known)
  return known
}

function transpiled(source: string): string {
  return ts.transpileModule(source, {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
  }).outputText
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
const anew = new Set([...filesOf(unit), ...tests])
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
  for (const file of filesOf(unit)) mark(file)
  // Helpers of tests are not built.
  for (const file of seen) if (/^(?:test|bench)\//.test(file)) anew.add(file)
}

/** How long tests take as things are, and how many mutants each has killed: who tells most for its time is asked first. */
const took = new Map<string, number>()
const kills = new Map<string, number>()

const change = join(mkdtempSync(join(tmpdir(), 'memscope-mutant-')), 'mutant.json')
process.env.NODE_OPTIONS = `--import ${new URL('./hook.js', import.meta.url).href}`
process.env.MUTANT_FILE = change

/** Runs the tests against a mutant, and says which one killed it; null when none did. */
async function killerOf(mutant: Mutant | null): Promise<string | null> {
  const changed = mutant ?? { file: filesOf(unit)[0]!, from: 0, to: 0, text: '' }
  const address = pathToFileURL(join(ROOT, builtOf(changed.file))).href
  writeFileSync(change, JSON.stringify({ address, source: compiled(changed.file, mutant) }))
  const registered: Registered[] = []
  const modules = new Map<string, vm.Module>()
  let linking = Promise.resolve()
  const { api, inFile, end } = testApi((test) => registered.push(test))
  const fresh = (file: string): vm.Module => {
    const known = modules.get(file)
    if (known) return known
    // What stands beside a module, such as the file of another process, is taken from the build.
    const path = join(ROOT, file.startsWith('src/') && !file.endsWith('.test.ts') ? builtOf(file) : file)
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
    await module.evaluate()
    return module
  }
  try {
    for (const test of tests) await inFile(() => started(fresh(test)))
  } catch (error) {
    return `cannot be loaded: ${error instanceof Error ? error.message : error}`
  }
  const own = registered.filter(
    ({ title }) =>
      !/^the (?:defaults|prompts|rehearsal) of/.test(title) || told.some((name) => title.includes(`> ${name}:`)),
  )
  const worth = ({ title }: Registered) => (took.get(title) ?? 0) / (1 + (kills.get(title) ?? 0))
  try {
    for (const { title, run } of own.sort((a, b) => worth(a) - worth(b))) {
      const limitMs = mutant ? 15_000 + 8 * (took.get(title) ?? 0) : 300_000
      process.send!({ began: title, limitMs })
      const began = performance.now()
      try {
        await run()
      } catch (error) {
        kills.set(title, (kills.get(title) ?? 0) + 1)
        return `${title}: ${error instanceof Error ? error.message.split('\n')[0] : error}`
      }
      if (!mutant) took.set(title, performance.now() - began)
    }
  } finally {
    await end()
  }
  return null
}

function builtOf(file: string): string {
  return file.replace(/^src\//, 'dist/').replace(/\.ts$/, '.js')
}

// A promise that a mutant leaves behind is not the end of the others.
process.on('unhandledRejection', () => {})

process.on('message', async ({ mutant, took: usual }: { mutant: Mutant | null; took?: [string, number][] }) => {
  if (took.size === 0) for (const [title, ms] of usual ?? []) took.set(title, ms)
  const killer = await killerOf(mutant)
  process.send!({ killer, ...(!mutant && { took: [...took] }) })
})
