// Builds the workspaces in packages/, each on top of dist/ as an author outside would have it. Part of `npm run build`.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const tsc = fileURLToPath(import.meta.resolve('typescript/bin/tsc'))
for (const name of existsSync('packages') ? readdirSync('packages') : []) {
  const folder = join('packages', name)
  rmSync(join(folder, 'dist'), { recursive: true, force: true })
  execFileSync(process.execPath, [tsc, '-p', join(folder, 'tsconfig.json')], { stdio: 'inherit' })
}
