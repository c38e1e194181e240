import { execFileSync } from 'node:child_process'

/** End-to-end tests run the built command line; build it so that they never test yesterday's code. */
export default function setup(): void {
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' })
}
