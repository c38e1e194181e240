import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import { readData } from '../../src/base/data-file.js'
import { tableMarkdown } from '../markdown.js'

const Default = z
  .object({
    /** An option, or a number of the system's `fixed.ts`. */
    name: z.string(),
    value: z.union([z.string(), z.number()]),
    is: z.string(),
    /** What is compared with it, where it is a threshold. */
    score: z.string().optional(),
    /** Repository, version, file and line, or the function it stands in; or that it is Memscope's own, or a paper's. */
    source: z.string(),
  })
  .strict()

const Original = z
  .object({
    follows: z.string(),
    defaults: z.array(Default),
    /** How many memories each paper retrieved, by suite, and where it says so. */
    k: z.record(z.string(), z.tuple([z.number(), z.string()])),
    /** Words of the suites that stand in a prompt because they stand in the original's, and where. */
    words: z.record(z.string(), z.record(z.string(), z.string())),
  })
  .strict()

/** What a system is an image of, and where each of its defaults comes from. */
export type Original = z.infer<typeof Original>

const FILE = pathToFileURL(resolve('docs/systems/originals.json'))

/** Originals by system. */
export function readOriginals(): Record<string, Original> {
  return readData(FILE, z.record(z.string(), Original))
}

/** Words that name what the suites ask for; a default prompt has them only where the original's does. */
export const SUITE_WORDS =
  /\b(?:(?:pre)?condition|code|exact|rule|depend|later|only|verbatim|precise|literal|to the letter|qualifi|negat|exclusiv|quot[ei]|delet|forg[eo]t|outdated|supersed|unless)\w*/gi

/** A page with the tables of defaults of its systems put in their places. */
export function withDefaults(page: string, originals: Readonly<Record<string, Original>>): string {
  return page.replace(/(<!-- defaults:([\w-]+) -->\n)[\s\S]*?(<!-- \/defaults -->)/g, (_, begin, name: string, end) => {
    const original = originals[name]
    if (!original) throw new Error(`The page has a place for defaults of "${name}", of which nothing is known`)
    return `${begin}${defaultsTable(original)}\n${end}`
  })
}

function defaultsTable({ defaults, k }: Original): string {
  const rows = defaults.map(({ name, value, is, score = '', source }) => [
    `\`${name}\``,
    String(value),
    is,
    score,
    source,
  ])
  const asked = Object.entries(k).map(([suite, [most, source]]) => [
    `k in ${suite}`,
    String(most),
    '`--k paper`',
    '',
    source,
  ])
  return tableMarkdown({ columns: ['default', 'value', 'is', 'score', 'in the original'], rows: [...rows, ...asked] })
}
