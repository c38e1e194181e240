import { existsSync, readFileSync, statSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'

const FROM = /^[ \t]*from[ \t]+(\.*)([\w.]*)[ \t]+import[ \t]+(\([^)]*\)|[^\n#;]*)/gm
const IMPORT = /^[ \t]*import[ \t]+([^\n#;]+)/gm

/**
 * The files of a module and of what it imports, however deep, as far as they lie in the working folder or on `PYTHONPATH`: what makes a memory
 * another one when it changes. Of what is installed nothing is read.
 *
 * @param module a name, or the path of a file
 */
export function pythonFiles(module: string, cwd: string, pythonPath = process.env.PYTHONPATH ?? ''): string[] {
  const asked = module.endsWith('.py') ? resolve(cwd, module) : null
  const folders = [
    cwd,
    ...(asked ? [dirname(asked)] : []),
    ...pythonPath.split(delimiter).filter((path) => path !== ''),
  ]
  const found = new Set<string>()
  const visit = (file: string): void => {
    if (found.has(file)) return
    found.add(file)
    for (const { dots, names } of importsIn(readFileSync(file, 'utf8'))) {
      const from = dots === 0 ? folders : [resolve(dirname(file), ...Array<string>(dots - 1).fill('..'))]
      for (const name of names) for (const one of moduleFiles(name, from)) visit(one)
    }
  }
  const entries = asked ? (isFile(asked) ? [asked] : []) : moduleFiles(module, folders)
  for (const file of entries) visit(file)
  return [...found].sort()
}

/** Names that may be modules; of `from a import b` these are `a` and `a.b`. */
function importsIn(source: string): { dots: number; names: string[] }[] {
  const words = (list: string) => list.split(',').flatMap((part) => /[\w.]+/.exec(part)?.[0] ?? [])
  return [
    ...[...source.matchAll(FROM)].map(([, dots = '', from = '', list = '']) => ({
      dots: dots.length,
      names: [...(from ? [from] : []), ...words(list).map((name) => (from ? `${from}.${name}` : name))],
    })),
    ...[...source.matchAll(IMPORT)].map(([, list = '']) => ({ dots: 0, names: words(list) })),
  ]
}

/** The files of a module in the first of these folders that has it, with those of the packages it is in. */
function moduleFiles(name: string, folders: readonly string[]): string[] {
  const parts = name.split('.').filter((part) => part !== '')
  for (const folder of folders) {
    const own = [`${join(folder, ...parts)}.py`, join(folder, ...parts, '__init__.py')].find(isFile)
    if (!own) continue
    const packages = parts.slice(0, -1).map((_, i) => join(folder, ...parts.slice(0, i + 1), '__init__.py'))
    return [own, ...packages.filter(isFile)]
  }
  return []
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile()
}
