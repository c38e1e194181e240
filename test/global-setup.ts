import { execSync } from 'node:child_process'

/** End-to-end tests run the built command line; build it so that they never test yesterday's code. Tests of `src` and
 * `bench` alone need no build. */
export default function setup(): void {
  const filters = process.argv.slice(2).filter((word) => !word.startsWith('-') && word !== 'run')
  if (filters.length > 0 && filters.every((filter) => /^(?:src|bench)\//.test(filter))) return
  execSync('npm run --silent build', { stdio: 'inherit' })
}
