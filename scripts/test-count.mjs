// Prints what the test runner counted in its last run; see vitest.config.ts.
import { readFileSync } from 'node:fs'

const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync('coverage/tests.json', 'utf8'))
process.stdout.write(`${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} skipped\n`)
