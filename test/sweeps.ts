import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Tests that one waits for, with what each is about: sweeps over corpora and caches, and tests of tools. `npm run test:all` runs them all,
 * `npm test` those where the test or what it is about changed.
 */
export const SWEEPS: Readonly<Record<string, readonly string[]>> = {
  // Over corpora: all rows, lives or answers of a generator or a judge.
  'src/suites/memfail/generate/generate.slow.test.ts': ['src/suites/memfail', 'src/corpora/memfail'],
  'src/suites/memfail/generate/rules.slow.test.ts': ['src/suites/memfail', 'src/corpora/memfail'],
  'src/suites/memora/published/needs.slow.test.ts': ['src/suites/memora', 'src/corpora/memora'],
  'src/suites/memora/published/quarter.slow.test.ts': ['src/suites/memora', 'src/corpora/memora'],
  'src/suites/memora/questions/questions.slow.test.ts': ['src/suites/memora', 'src/corpora/memora'],
  'src/judges/lexical/own.slow.test.ts': ['src/judges/lexical', 'src/language', 'src/corpora/memfail'],
  'src/judges/lexical/life.slow.test.ts': ['src/judges/lexical', 'src/language', 'src/corpora/memora'],
  'test/judge-attacks.test.ts': ['src/judges/lexical', 'src/language', 'src/gateway/entailment', 'test/judge-attacks'],
  'test/hostile-text.test.ts': [
    'src/judges/lexical',
    'src/language',
    'test/hostile-shapes.ts',
    'test/hostile-subjects.ts',
  ],
  'test/oracle-ceiling.test.ts': ['src/suites', 'src/corpora', 'src/analysis', 'src/systems/oracle', 'test/ceiling.ts'],
  'bench/loads.test.ts': ['bench/loads.ts', 'src/suites/memora', 'src/corpora/memora'],
  // Over texts and caches of millions.
  'src/base/tokens.slow.test.ts': ['src/base/tokens.ts', 'src/base/token-counter.ts', 'package-lock.json'],
  'src/gateway/embed/vector-cache.slow.test.ts': ['src/gateway/embed'],
  // Of tools, which no user has.
  'bench/bench.test.ts': ['bench/bench.ts', 'bench/markdown.ts', 'bench/synthetic.ts', 'bench/systems'],
  'bench/judge/near-copies.test.ts': ['bench/judge'],
  'bench/messy/messy.test.ts': ['bench/messy', 'bench/story', 'src/systems', 'src/gateway'],
  'bench/paired/paired.test.ts': ['bench/paired', 'src/analysis'],
  'bench/story/script.test.ts': ['bench/story'],
  'bench/story/signatures.test.ts': ['bench/story', 'src/systems', 'docs/systems.md'],
  'bench/systems/inside.test.ts': ['bench/systems'],
  'test/attack.test.ts': ['tools/attack'],
  'test/fillers.test.ts': ['tools/making', 'src/suites/meme/filler', 'src/suites/generation'],
  'test/kill.test.ts': ['tools/kill', 'src/engine', 'src/store'],
  'test/making.test.ts': ['tools/making', 'src/suites', 'src/library/making.ts'],
  'tools/fillers/fillers.test.ts': ['tools/fillers'],
}

/** What is known of sweeps in a checkout: what each is about as it stands, and as it was when it last passed. */
export class Sweeps {
  readonly #present: Map<string, string>
  readonly #blobs = new Map<string, string>()

  constructor(
    private readonly root: string,
    private readonly table: Readonly<Record<string, readonly string[]>> = SWEEPS,
  ) {
    this.#present = this.#hashed((parts) =>
      parts.flatMap((part) => this.#filesOf(part)).map((path) => [path, this.#blobOf(path)]),
    )
  }

  /** Sweeps about what changed. Where nothing is known yet, as in a fresh clone, what is committed counts as passed: CI runs all of them. */
  changed(): string[] {
    const passed = this.#passed()
    return [...this.#present].flatMap(([test, hash]) => ((passed[test] ?? hash) === hash ? [] : [test]))
  }

  /** Keeps that some passed, on what they were about when this was made; of those of which nothing was known, what is committed. */
  keep(tests: readonly string[]): void {
    const fresh = tests.flatMap((test) => (this.#present.has(test) ? [[test, this.#present.get(test)!]] : []))
    mkdirSync(dirname(this.#file), { recursive: true })
    writeFileSync(this.#file, `${JSON.stringify({ ...this.#passed(), ...Object.fromEntries(fresh) }, null, 1)}\n`)
  }

  get #file(): string {
    return join(this.root, 'node_modules/.cache/sweeps.json')
  }

  #passed(): Record<string, string> {
    const kept = existsSync(this.#file) ? (JSON.parse(readFileSync(this.#file, 'utf8')) as Record<string, string>) : {}
    const isWhole = Object.keys(this.table).every((test) => test in kept)
    return isWhole ? kept : { ...Object.fromEntries(this.#committed()), ...kept }
  }

  #committed(): Map<string, string> {
    const args = ['ls-tree', '-r', '-z', 'HEAD', '--', ...new Set(Object.entries(this.table).flat(2))]
    let listed: string
    try {
      listed = execFileSync('git', args, { cwd: this.root, encoding: 'utf8', stdio: 'pipe', maxBuffer: 1e8 })
    } catch {
      // No repository, or one without a commit: all that is there counts as passed.
      return this.#present
    }
    const blobs = [...listed.matchAll(/\d+ blob (\w+)\t([^\0]+)\0/g)].map(([, id, path]) => [path!, id!] as const)
    const isIn = (path: string, part: string) => path === part || path.startsWith(`${part}/`)
    return this.#hashed((parts) => blobs.filter(([path]) => parts.some((part) => isIn(path, part))))
  }

  #hashed(entriesOf: (parts: string[]) => (readonly [path: string, blob: string])[]): Map<string, string> {
    const hashOf = (parts: string[]) => {
      const lines = new Set(entriesOf(parts).map((entry) => entry.join(' ')))
      return createHash('sha256')
        .update([...lines].sort().join('\n'))
        .digest('hex')
    }
    return new Map(Object.entries(this.table).map(([test, parts]) => [test, hashOf([test, ...parts])]))
  }

  #filesOf(part: string): string[] {
    const path = join(this.root, part)
    if (!existsSync(path)) return []
    if (!statSync(path).isDirectory()) return [part]
    return readdirSync(path).flatMap((name) => this.#filesOf(`${part}/${name}`))
  }

  /** The id that git gives the contents of a file. */
  #blobOf(path: string): string {
    const known = this.#blobs.get(path)
    if (known !== undefined) return known
    const bytes = readFileSync(join(this.root, path))
    const id = createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
    this.#blobs.set(path, id)
    return id
  }
}
