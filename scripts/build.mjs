// Builds all: dist/, which is the package, packages/ on top of it, and build/, which is bench/ and tools/. With --if-changed, only where sources differ
// from those of the last build; what changes while it works counts as changed.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const PACKAGES = existsSync('packages') ? readdirSync('packages').map((name) => join('packages', name)) : []
const SOURCES = [
  ...['src', 'bench', 'tools', 'scripts', 'package.json', 'tsconfig.json', 'tsconfig.build.json'],
  ...PACKAGES.flatMap((folder) => ['src', 'package.json', 'tsconfig.json'].map((path) => join(folder, path))),
]
const BUILT_FROM = 'build/sources.txt'

const from = SOURCES.filter((path) => existsSync(path))
  .flatMap(linesOf)
  .sort()
  .join('\n')
const built = ['dist/cli/main.js', ...PACKAGES.map((folder) => join(folder, 'dist/index.js'))]
const isBuilt =
  built.every((file) => existsSync(file)) && existsSync(BUILT_FROM) && readFileSync(BUILT_FROM, 'utf8') === from
if (process.argv.includes('--if-changed') && isBuilt) process.exit(0)
rmSync(BUILT_FROM, { force: true })
try {
  const tsc = fileURLToPath(import.meta.resolve('typescript/bin/tsc'))
  execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { stdio: 'inherit' })
} catch {
  process.exit(1)
}
await import('./finish-build.mjs')
await import('./build-view.mjs')
await import('./build-packages.mjs')
await import('./build-tools.mjs')
writeFileSync(BUILT_FROM, from)

/** Every file of a path with its size and the time of its last change. */
function linesOf(path) {
  const { size, mtimeMs } = statSync(path)
  if (!statSync(path).isDirectory()) return path.endsWith('.test.ts') ? [] : [`${path} ${size} ${mtimeMs}`]
  return readdirSync(path).flatMap((name) => linesOf(join(path, name)))
}
