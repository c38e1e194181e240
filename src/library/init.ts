import { constants } from 'node:fs'
import { copyFile, mkdir, readdir } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { UserError, unknownName } from '../base/errors.js'
import type { InitOptions, InitResult } from './own-types.js'

/** A starter: a file of ours, and how it is used. */
interface Starter {
  about: string
  file: string
  /** What to type next, with the name of the file in the place of `*`. */
  next: string[]
}

const CHECK = 'memscope check'
const RUN = 'memscope run --system'

const STARTERS: Record<string, Starter> = {
  ts: { about: 'a TypeScript or JavaScript file', file: 'my-memory.ts', next: [`${CHECK} ./*`, `${RUN} ./*`] },
  python: {
    about: 'a Python class',
    file: 'python/my_memory.py',
    next: [`${CHECK} py:my_memory:MyMemory`, `${RUN} py:my_memory:MyMemory`],
  },
  command: {
    about: 'a program in any language, over standard input and output',
    file: 'my-server.mjs',
    next: [`${CHECK} "cmd:node *"`, `${RUN} "mine=cmd:node *"`],
  },
  http: {
    about: 'a server',
    file: 'my-http-server.mjs',
    next: ['node * &', `${CHECK} http://127.0.0.1:8787/memory`, `${RUN} "mine=http://127.0.0.1:8787/memory"`],
  },
  mcp: {
    about: 'an MCP server: which of its tools store, find and list',
    file: 'mcp-mapping.json',
    next: [
      `${CHECK} "mcp[map=./*]:npx -y @modelcontextprotocol/server-memory@2026.8.31"`,
      `${RUN} "mine=mcp[map=./*]:npx -y @modelcontextprotocol/server-memory@2026.8.31"`,
    ],
  },
  traces: {
    about: 'a script that answers exported questions, for memories that run elsewhere',
    file: 'make-traces.mjs',
    next: [
      'memscope data export --for-scoring --size quick --out questions.jsonl',
      'node * < questions.jsonl > traces.jsonl',
      'memscope score traces.jsonl',
    ],
  },
}

/** Writes a commented starter for a memory of the user’s own. */
export async function init({ kind, out = '.' }: InitOptions = {}): Promise<InitResult> {
  const folder = resolve(out)
  const chosen = kind ?? (await kindFor(folder))
  const starter = Object.hasOwn(STARTERS, chosen) ? STARTERS[chosen] : undefined
  if (!starter) throw unknownName('starter', chosen, Object.keys(STARTERS))
  const name = basename(starter.file)
  const file = join(folder, name)
  await mkdir(folder, { recursive: true })
  // Nothing that is there is written to, nor what a link leads to.
  await copyFile(
    fileURLToPath(new URL(`../../templates/${starter.file}`, import.meta.url)),
    file,
    constants.COPYFILE_EXCL,
  ).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
    throw new UserError(`${file} is there already.`, 'Rename it, or give another folder with --out.')
  })
  const others = Object.entries(STARTERS).filter(([one]) => one !== chosen)
  return {
    kind: chosen,
    file,
    next: starter.next.map((command) => command.replaceAll('*', name)),
    others: others.map(([one, { about }]) => ({ kind: one, about })),
  }
}

/** Python where a folder looks like it, else TypeScript. */
async function kindFor(folder: string): Promise<string> {
  const names = await readdir(folder).catch(() => [])
  return names.some((name) => /\.py$|^pyproject\.toml$|^requirements\.txt$|^\.venv$/.test(name)) ? 'python' : 'ts'
}
