import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Attack, Ground, Group, Served } from './attack.js'
import { expectOrder, expectThat, play, tail } from './play.js'

/** Config files that say nothing anybody means. */
const CONFIGS: readonly string[] = [
  ...['"no"', '"false"', '0', '1', '"on"', '[]', '{}'].map((value) => `export default { strict: ${value} }`),
  'export default { quiet: "false" }',
  ...['constructor', 'toString', 'hasOwnProperty', 'valueOf', 'isPrototypeOf'].map(
    (key) => `export default { ${key}: 1 }`,
  ),
  'export default JSON.parse(\'{"__proto__": {"strict": true}}\')',
  'export default { suite: { toString: 1 } }',
  'export default { suite: [{ use: { toString: 1 } }] }',
  'export default { suite: { get use() { throw 1 } } }',
  'export default { k: [() => 1] }',
  'export default { k: [Symbol.iterator] }',
  'export default { get k() { throw { toString() { throw 1 } } } }',
  'export default { budget: 1e400 }',
  'const a = {}; a.a = a; export default { prices: a }',
  'throw { toString() { throw 1 } }',
  'throw null',
  'export default null',
  'export default []',
]

const VALUES: readonly string[][] = [
  ['--suite', 'memfail/constructor'],
  ['--suite', 'memfail/__proto__'],
  ['--suite', 'constructor'],
  ['--suite', '__proto__'],
  ['--budget', '1e400'],
  ['--budget', 'Infinity'],
  ['--size', '1e400'],
  ['--k', '1e400'],
]

/** Files and values that are no settings: mistakes in words, never faults, never taken for something else. */
export const config: Group = {
  name: 'config',
  attacks: (ground) => [
    ...CONFIGS.map((text): Attack => ({ kind: 'a config file', name: text, strike: () => configured(ground, text) })),
    { kind: 'odd values', name: 'of flags', strike: (served) => valued(ground, served) },
    { kind: 'a result over a config', name: 'run c.mjs --html c.mjs', strike: (served) => over(ground, served) },
  ],
}

async function configured(ground: Ground, text: string): Promise<void> {
  const cwd = ground.folder()
  writeFileSync(join(cwd, 'c.mjs'), text)
  const played = await play(['run', 'c.mjs', '--estimate'], { cwd })
  expectOrder(played, [2])
  expectThat(/^memscope: /m.test(played.err), () => tail(played.err))
}

async function valued(ground: Ground, served: Served): Promise<void> {
  for (const flags of VALUES) {
    served('odd values')
    const system = flags[0] === '--suite' ? ['--suite', flags[1]!] : ['--suite', 'memfail', ...flags]
    expectOrder(await play(['run', '--estimate', '--system', 'bm25', ...system], { cwd: ground.folder() }), [2])
  }
}

async function over(ground: Ground, served: Served): Promise<void> {
  const cwd = ground.folder()
  const text = 'export default { suite: ["memfail/long-hop"], system: ["bm25"], size: 1 }'
  writeFileSync(join(cwd, 'c.mjs'), text)
  for (const flag of ['html', 'json', 'md', 'csv', 'junit', 'badge', 'save-baseline']) {
    served('a result over a config')
    expectOrder(await play(['run', 'c.mjs', `--${flag}`, './c.mjs'], { cwd }), [2])
    expectThat(readFileSync(join(cwd, 'c.mjs'), 'utf8') === text, () => `--${flag} wrote over the config`)
  }
}
