import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const SLOW = ['{test,bench,tools}/**/*.test.ts', 'src/**/*.slow.test.ts']
const SHARED = ['{src,test}/**/*.shared.test.ts']

/** The tests in three parts, told by their names: what starts processes or whole runs, what reads a folder beside the project, and the rest. */
export default defineConfig({
  test: {
    // Long enough for a busy machine: what hangs is found all the same.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    // A text that several tests embed is embedded once, and the model that judges is unpacked once.
    env: { MEMSCOPE_CACHE: fileURLToPath(new URL('node_modules/.cache/memscope', import.meta.url)) },
    pool: 'forks',
    maxWorkers: 2,
    // The built command line runs as it is, in processes of its own and in those of tests.
    server: { deps: { external: [/\/dist\//] } },
    reporters: process.env.CI ? ['default', 'json'] : ['default'],
    outputFile: { json: 'coverage/tests.json' },
    coverage: { include: ['src/**/*.ts'] },
    projects: [
      {
        extends: true,
        test: { name: 'fast', isolate: false, include: ['src/**/*.test.ts'], exclude: [...SLOW, ...SHARED] },
      },
      {
        extends: true,
        test: { name: 'slow', include: SLOW, exclude: SHARED, globalSetup: ['test/global-setup.ts'] },
      },
      {
        extends: true,
        test: { name: 'packages', include: ['packages/*/test/**/*.test.ts'], globalSetup: ['test/global-setup.ts'] },
      },
      { extends: true, test: { name: 'shared', include: SHARED, globalSetup: ['test/global-setup.ts'] } },
    ],
  },
})
