// Makes bench/ and tools/ runnable: build/ has their files without types and their data, and what they import from src/ is the built project,
// so that what is measured is what users run. Types are checked by `npm run typecheck`. Part of `npm run build`.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import ts from 'typescript'
import { copyData } from './copy-data.mjs'

const FOLDERS = ['bench', 'tools'].filter((folder) => existsSync(folder))
const OPTIONS = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, verbatimModuleSyntax: true }

rmSync('build', { recursive: true, force: true })
mkdirSync('build')
// A junction needs no rights on Windows; elsewhere it is a plain link.
symlinkSync(resolve('dist'), 'build/src', 'junction')
for (const folder of FOLDERS) {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.ts') || name.endsWith('.test.ts')) continue
    const file = join('build', folder, name.replace(/\.ts$/, '.js'))
    mkdirSync(dirname(file), { recursive: true })
    const { outputText } = ts.transpileModule(readFileSync(join(folder, name), 'utf8'), { compilerOptions: OPTIONS })
    writeFileSync(file, outputText)
  }
  copyData(folder, join('build', folder))
}
