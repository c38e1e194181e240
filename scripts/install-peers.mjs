// Installs optional packages beside the project, for the tests of systems that need them. Where that fails, those tests are skipped (in CI those
// of MCP and PostgreSQL fail) and this says why; nothing else depends on it.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const PACKAGES = {
  '@ai-sdk/amazon-bedrock': '4.0.186',
  '@ai-sdk/azure': '3.0.128',
  '@ai-sdk/deepseek': '2.0.69',
  '@ai-sdk/google-vertex': '4.0.208',
  '@ai-sdk/groq': '3.0.67',
  '@ai-sdk/mistral': '3.0.68',
  '@modelcontextprotocol/client': '2.4.0',
  '@modelcontextprotocol/server-memory': '2026.8.31',
  'better-sqlite3': '12.11.1',
  compromise: '14.17.0',
  mem0ai: '3.3.1',
  postgres: '3.4.9',
  zod: '4.6.7',
}

const folder = resolve(process.argv[2] ?? '.peers')

function isInstalled([name, version]) {
  const manifest = join(folder, 'node_modules', name, 'package.json')
  return existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version === version
}

/** The native part may be missing where scripts of packages are not allowed to run. */
function loads() {
  const program = "const Database = require('better-sqlite3'); new Database(':memory:').close()"
  return spawnSync(process.execPath, ['-e', program], { cwd: folder }).status === 0
}

if (Object.entries(PACKAGES).every(isInstalled) && loads()) {
  console.log(`Optional packages are in ${folder}.`)
} else {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true }))
  const specs = Object.entries(PACKAGES).map(([name, version]) => `${name}@${version}`)
  const flags = ['--no-audit', '--no-fund', '--legacy-peer-deps', '--no-package-lock', '--loglevel=error']
  const { status, error, stderr } = spawnSync('npm', ['install', ...flags, ...specs], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 900_000,
    shell: process.platform === 'win32',
  })
  if (status === 0 && loads()) console.log(`Optional packages were installed in ${folder}.`)
  else console.log(`Optional packages could not be installed: ${error?.message ?? stderr?.trim().slice(-600)}`)
}
