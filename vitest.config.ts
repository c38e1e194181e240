import { availableParallelism, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import type { Reporter } from 'vitest/node'
import { SWEEPS, Sweeps } from './test/sweeps.js'

/** What a worker may take at its peak: the model that judges, and processes that a test starts. */
const WORKER_BYTES = 2 * 1024 ** 3

const sweeps = new Sweeps(import.meta.dirname)
const changed = sweeps.changed()

/** Tests of `test/` that only read sources. */
const PURE = ['test/{identity,layers,surroundings}.test.ts']
const SLOW = ['{test,bench,tools}/**/*.test.ts', 'src/**/*.slow.test.ts']
const SHARED = ['{src,test}/**/*.shared.test.ts']

const surroundings = 'test/surroundings.ts'
const globalSetup = [surroundings, 'test/global-setup.ts']

/** Keeps which sweeps passed, whole, so that they are not run again for the same. */
const keeper: Reporter = {
  onTestRunEnd(modules) {
    const whole = modules.filter((one) => one.state() === 'passed' && !one.project.config.testNamePattern)
    sweeps.keep(whole.map(({ relativeModuleId }) => relativeModuleId))
  },
}

/**
 * The tests in parts, told by their names: units; what starts processes or whole runs; what reads a folder beside the project; and sweeps, which
 * one waits for, all of them or those about what changed.
 */
export default defineConfig({
  test: {
    // Long enough for a busy machine: what hangs is found all the same.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    // A text that several tests embed is embedded once, and the model that judges is unpacked once.
    env: { MEMSCOPE_CACHE: fileURLToPath(new URL('node_modules/.cache/memscope', import.meta.url)) },
    pool: 'forks',
    maxWorkers: Math.max(1, Math.min(availableParallelism(), Math.floor(totalmem() / WORKER_BYTES))),
    // The built command line runs as it is, in processes of its own and in those of tests.
    server: { deps: { external: [/\/dist\//] } },
    reporters: ['default', keeper, ...(process.env.CI ? ['json' as const] : [])],
    outputFile: { json: 'coverage/tests.json' },
    coverage: { include: ['src/**/*.ts'] },
    projects: [
      {
        extends: true,
        test: {
          name: 'fast',
          isolate: false,
          include: ['src/**/*.test.ts', ...PURE],
          exclude: ['src/**/*.slow.test.ts', ...SHARED, ...Object.keys(SWEEPS)],
          globalSetup: [surroundings],
        },
      },
      {
        extends: true,
        test: { name: 'slow', include: SLOW, exclude: [...SHARED, ...PURE, ...Object.keys(SWEEPS)], globalSetup },
      },
      { extends: true, test: { name: 'shared', include: SHARED, globalSetup } },
      { extends: true, test: { name: 'sweeps', include: Object.keys(SWEEPS), globalSetup } },
      // An empty list would stand for all.
      ...(changed.length > 0
        ? [{ extends: true as const, test: { name: 'changed', include: changed, globalSetup } }]
        : []),
    ],
  },
})
