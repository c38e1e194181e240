import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expectThat } from './play.js'

/** Stands in a row of a run where code may be named, by what it is. */
export interface HostileRow {
  name: string
  /** Changes what was kept of a run, as JSON. */
  change(kept: KeptRow): void
}

/** What is changed of a row. */
export interface KeptRow {
  request: {
    systems: string[]
    readers: string[]
    judge: { facts: string; answers: string }
    suites: { name: string; file?: string }[]
  }
  own?: object | undefined
}

/** A file that leaves a trace when it is loaded, whatever it is loaded as. */
const FILE = './x.mjs'
const TRACE = 'pwned'

export const HOSTILE_ROWS: readonly HostileRow[] = [
  ...['cmd:touch pwned', 'mcp:touch pwned', 'py:pwning:Notes', FILE].map((spec) => ({
    name: `the system ${spec}`,
    change: (kept: KeptRow) => {
      kept.request.systems = [spec]
      kept.own = undefined
    },
  })),
  {
    name: 'a file that judges facts',
    change: ({ request }) => {
      request.judge.facts = FILE
    },
  },
  {
    name: 'a file that judges answers',
    change: ({ request }) => {
      request.judge.answers = FILE
    },
  },
  {
    name: 'a file that answers',
    change: ({ request }) => {
      request.readers = [FILE]
    },
  },
  {
    name: 'a file as its suite',
    change: ({ request }) => {
      request.suites[0]!.file = FILE
    },
  },
]

/** Puts the files into a folder that hostile rows name. */
export function layTraps(folder: string): void {
  writeFileSync(join(folder, 'x.mjs'), `import { writeFileSync } from 'node:fs'\nwriteFileSync('${TRACE}', '')\n`)
  writeFileSync(join(folder, 'pwning.py'), `open('${TRACE}', 'w')\n`)
}

export function expectNoTrace(folder: string, what: string): void {
  expectThat(!existsSync(join(folder, TRACE)), () => `${what} ran what the row of a run names`)
}
