import { execFileSync } from 'node:child_process'

/** End-to-end tests run the built command line; build it where sources changed, so that they never test yesterday's code. */
export default function setup(): void {
  execFileSync(process.execPath, ['scripts/build.mjs', '--if-changed'], { stdio: 'inherit' })
}
