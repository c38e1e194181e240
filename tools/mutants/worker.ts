import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import vm from 'node:vm'
import { parentPort, workerData } from 'node:worker_threads'
import ts from 'typescript'
import type { Mutant } from './operators.js'
import { type Registered, Skipped, testApi } from './shim.js'

const ROOT = process.cwd()

/** Beside the system under test, what is made anew for every mutant because it leads to the system. */
const ANEW =
  /^(?:src\/builtins|src\/systems\/(?:registry|conformance|originals\.test)|bench\/story\/\w[\w-]*|bench\/markdown)\.ts$/

const { unit, tests, only } = workerData as { unit: string; tests: string[]; only: string | null }

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

function isContract({ title }: Registered): boolean {
  return title.includes(' as a memory system > ')
}

/** Runs the tests against a mutant, and says which one killed it; null when none did. */
async function killerOf(mutant: Mutant | null): Promise<string | null> {
  const registered: Registered[] = []
  const modules = new Map<string, vm.Module>()
  const api = testApi((test) => registered.push(test))
  const fresh = (file: string): vm.Module => {
    const known = modules.get(file)
    if (known) return known
    const module = new vm.SourceTextModule(compiled(file, mutant), {
      identifier: file,
      initializeImportMeta: (meta) => {
        meta.url = pathToFileURL(join(ROOT, file)).href
      },
      importModuleDynamically: async (specifier) => started(await linked(specifier, file)),
    })
    modules.set(file, module)
    return module
  }
  const linked = async (specifier: string, from: string): Promise<vm.Module> => {
    if (specifier === 'vitest') return synthetic('vitest', api)
    if (!specifier.startsWith('.')) return synthetic(specifier, await import(specifier))
    const file = relative(ROOT, resolve(ROOT, dirname(from), specifier)).replace(/\.js$/, '.ts')
    if (file.startsWith(`src/systems/${unit}/`) || ANEW.test(file)) {
      if (!existsSync(join(ROOT, file))) throw new Error(`There is no ${file}`)
      return fresh(file)
    }
    const built = join(ROOT, file.replace(/^src\//, 'dist/').replace(/\.ts$/, '.js'))
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
    if (module.status === 'unlinked') await module.link((specifier, { identifier }) => linked(specifier, identifier))
    await module.evaluate()
    return module
  }
  try {
    for (const test of tests) await started(fresh(test))
  } catch (error) {
    return `cannot be loaded: ${error instanceof Error ? error.message : error}`
  }
  const own = registered.filter(
    ({ title }) => !/^the (?:defaults|prompts) of/.test(title) || title.includes(`> ${unit}:`),
  )
  // The contract takes longest, and notices little that these do not.
  const wanted = own.filter((test) => !isContract(test))
  for (const { title, run } of wanted) {
    if (only !== null && !new RegExp(only).test(title)) continue
    try {
      await run({
        skip: (reason) => {
          throw new Skipped(reason)
        },
      })
    } catch (error) {
      if (!(error instanceof Skipped))
        return `${title}: ${error instanceof Error ? error.message.split('\n')[0] : error}`
    }
  }
  return null
}

// A promise that a mutant leaves behind is not the end of the others.
process.on('unhandledRejection', () => {})

parentPort!.on('message', async (mutant: Mutant | null) => parentPort!.postMessage(await killerOf(mutant)))
