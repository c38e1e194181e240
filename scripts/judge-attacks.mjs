// Every attack on the judge, not a few of each kind: npm run judge:attacks
import { spawnSync } from 'node:child_process'

const asked = ['vitest', 'run', '--project', 'sweeps', 'test/judge-attacks.test.ts']
const env = { ...process.env, ATTACKS: 'all' }
process.exitCode = spawnSync('npx', asked, { stdio: 'inherit', env, shell: process.platform === 'win32' }).status ?? 1
