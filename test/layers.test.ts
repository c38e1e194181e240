import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { describe, expect, it } from 'vitest'
import { suites } from '../src/builtins.js'
import * as library from '../src/library.js'
import { root } from './cli.js'

/** A folder imports only folders listed above it; `library.ts`, `index.ts` and `conformance.ts` at the top export from all. What is beside `src` imports
 * from it, never the other way round. */
const LAYERS = [
  'base',
  'model',
  'language',
  'corpora',
  'suites',
  'systems',
  'judges',
  'readers',
  'gateway',
  'engine',
  'store',
  'analysis',
  'report',
  'view',
  'library',
  'cli',
]

/** What must not know a suite; `builtins.ts`, which names them all, stands beside it. */
const CORE = ['model', 'engine', 'analysis', 'report', 'view', 'gateway', 'store', 'library', 'cli']

/** What of the world a folder can touch, and how that looks in code. */
const WORLD: Record<string, RegExp> = {
  disk: /'node:fs(?:\/promises)?'|'libsql'/,
  network: /'node:(?:https?|net|tls)'|'@hono\/node-server'|\bfetch\(|'postgres'/,
  processes: /'node:(?:child_process|worker_threads)'/,
  environment: /\bprocess\.env\b/,
  date: /\bDate\.now\b|new Date\(\)/,
  chance: /\bMath\.random\b|\brandom(?:UUID|Bytes)\b/,
}

/**
 * Words of suites that are plain English, too, and what the core means by them. They may stand in its code, but never as the name of a task, a score
 * or a flag.
 */
const ENGLISH: Record<string, string> = {
  audit: 'what was repaired, flagged or dropped on the way from published data',
  before: 'earlier than',
  criteria: 'a kind of gold, which any suite may have',
  damaged: 'of facts that were not kept faithful',
  file: 'on a disk',
  own: 'of the user',
  pack: 'of vectors',
  partial: 'a run that is not complete, and a type of TypeScript',
  reasoning: 'what models do, and may be told not to',
  removed: 'of memories, and a stance of facts',
  replies: 'of models',
  score: 'what suites have many of',
}

/** A word where only something that a suite declares can stand, and an example of each that must be found. */
const AS_A_NAME: [where: (word: string) => string, example: string][] = [
  [
    (word) => `\\b(?:scores|settings|extra|tags)(?:\\?\\.)?(?:\\.${word}\\b|\\[['"]${word}['"]\\])`,
    'cell.scores.partial ?? 0',
  ],
  [(word) => `\\b(?:task|score|flag|suite)(?:\\.name)? ?[!=]==? ?['"]${word}['"]`, "if (task === 'partial') return"],
  [
    (word) => `['"]${word}['"] ?[!=]==? ?(?:\\w+\\.)*(?:task|score|flag|suite)\\b`,
    "if ('partial' === one.score) return",
  ],
  [(word) => `\\b(?:task|score|flag|suite): ['"]${word}['"]`, "{ task: 'partial' }"],
  [(word) => `['"]\\w+/${word}['"]`, "--suite 'memory/partial'"],
]

const source = join(root, 'src')
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && file.includes(sep),
)

describe('the folders of the project', () => {
  it('are those that docs/architecture.md lists, in the order of the layers', () => {
    const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8')
    const listed = [...page.matchAll(/^\| `(\w+)\/` \|/gm)].map(([, name]) => name!)
    expect(listed.slice(0, LAYERS.length)).toEqual(LAYERS)
    const beside = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
      .split('\0')
      .filter((file) => /^\w[^/]*\//.test(file))
      .map((file) => file.split('/')[0]!)
    const others = [...new Set(beside)].filter((name) => name !== 'src' && name !== 'docs').sort()
    expect(listed.slice(LAYERS.length).sort()).toEqual(others)
  })

  it('import only folders above them', () => {
    const wrong: string[] = []
    for (const file of files) {
      const layer = LAYERS.indexOf(file.split(sep)[0]!)
      expect(layer, file).toBeGreaterThanOrEqual(0)
      for (const [, path] of readFileSync(join(source, file), 'utf8').matchAll(
        /(?:from|import\()\s*'(\.{1,2}\/[^']+)'/g,
      )) {
        const target = relative(source, join(source, file, '..', path!)).split(sep)[0]!
        const outside = target === '..' || LAYERS.indexOf(target) > layer
        if (outside && !file.endsWith('.test.ts')) wrong.push(`${file} imports ${path}`)
      }
    }
    expect(wrong).toEqual([])
  })

  it('import nothing of the laboratory, which is neither built nor packed', () => {
    const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0')
    const code = tracked.filter((file) => /^(?!lab\/).*\.(?:ts|mjs)$/.test(file) && existsSync(join(root, file)))
    expect(code.length).toBeGreaterThan(800)
    const imports = /(?:from|import|import\()\s*'(?:[^']*\/)?lab\/[^']*'/
    expect(`import { x } from '../${'lab'}/kinds/main.js'`).toMatch(imports)
    expect(code.filter((file) => imports.test(readFileSync(join(root, file), 'utf8')))).toEqual([])
    const built = ['package.json', 'tsconfig.json', 'scripts/build-tools.mjs', '.ci/run']
    for (const file of built) expect(readFileSync(join(root, file), 'utf8'), file).not.toMatch(/\blab\b/)
  })

  it('touch of the world what docs/architecture.md says, no more and no less', () => {
    const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8')
    for (const layer of LAYERS) {
      const said = new RegExp(`^\\| \`${layer}/\` \\|.*\\| ([^|]+) \\|$`, 'm').exec(page)?.[1]
      const own = files.filter((file) => file.startsWith(`${layer}${sep}`) && !file.endsWith('.test.ts'))
      const code = own.map((file) =>
        readFileSync(join(source, file), 'utf8').replace(/^ *(?:\*|\/[*/]).*$|^import type .*$/gm, ''),
      )
      const touched = Object.keys(WORLD).filter((part) => code.some((text) => WORLD[part]!.test(text)))
      expect(`${layer}: ${said}`).toBe(`${layer}: ${touched.join(', ') || '—'}`)
    }
  })

  it('leave suites, systems, readers and judges to be handed to the core', () => {
    const named = /(?:from|import\()\s*'(?:\.\.\/)+(?:suites|systems|readers|judges\/(?:lexical|llm|hybrid|paper))\//
    const core = files.filter((file) => CORE.includes(file.split(sep)[0]!) && !file.endsWith('.test.ts'))
    const wrong = core.filter((file) => named.test(readFileSync(join(source, file), 'utf8')))
    expect(wrong.filter((file) => !file.startsWith(`library${sep}`))).toEqual([])
  })

  it('leave all work to the library: the command line reads flags and prints', () => {
    const lines = files.filter((file) => file.startsWith(`cli${sep}`) && !file.endsWith('.test.ts'))
    const works =
      /from '\.\.\/(?:engine|store|gateway|systems|suites|readers)\/|from '\.\.\/library\/(?!secrets|version|whole-file|settings\/)/
    const wrong = lines.filter((file) =>
      works.test(readFileSync(join(source, file), 'utf8').replace(/import type .*\n/g, '')),
    )
    expect(wrong).toEqual([])
  })

  it('let nothing but the command line print or end the process', () => {
    const works = /process\.(?:(?:stdout|stderr)\.write|argv|exit\b|on\()|console\.(?:log|error|warn)/
    const told = files.filter((file) => CORE.includes(file.split(sep)[0]!) && !/^cli|\.test\.ts$/.test(file))
    const wrong = told.filter((file) =>
      works.test(readFileSync(join(source, file), 'utf8').replace(/^ *(?:\*|\/[*/]).*$/gm, '')),
    )
    expect(wrong).toEqual([])
  })

  it('keep every file short enough to be read', () => {
    const long = files.filter((file) => readFileSync(join(source, file), 'utf8').split('\n').length > 400)
    expect(long).toEqual([])
  })

  it('leave systems and judges unnamed in the engine', () => {
    for (const file of files.filter((name) => name.startsWith(`engine${sep}`))) {
      expect(readFileSync(join(source, file), 'utf8')).not.toMatch(/'(?:bm25|lexical)'/)
    }
  })

  it('know nothing of a suite behind its scenarios: no name, task, score or flag of one', () => {
    const declared = suites.flatMap(({ name, tasks, scores, flags }) => [
      name,
      ...[...tasks, ...scores].map((part) => part.name),
      ...Object.keys(flags),
    ])
    const words = [...new Set(declared)]
    expect(words.length).toBeGreaterThan(100)
    expect(Object.keys(ENGLISH).filter((word) => !words.includes(word))).toEqual([])
    const core = files.filter((file) => CORE.includes(file.split(sep)[0]!) && !file.endsWith('.test.ts'))
    const places = (pattern: RegExp) =>
      core.flatMap((file) =>
        [...readFileSync(join(source, file), 'utf8').matchAll(pattern)].map(([word]) => `${file} says ${word}`),
      )
    const [plain, special] = [true, false].map((isPlain) => words.filter((word) => word in ENGLISH === isPlain))
    expect(places(new RegExp(`(?<![\\w-])(?:${special!.join('|')})(?![\\w-])`, 'gi'))).toEqual([])
    for (const [where, example] of AS_A_NAME) {
      expect(example).toMatch(new RegExp(where('partial')))
      expect(places(new RegExp(where(`(?:${plain!.join('|')})`), 'g'))).toEqual([])
    }
  })

  it('export no two types of one name, so that a name says which is meant', () => {
    const homes = new Map<string, string[]>()
    for (const file of files.filter((name) => !name.endsWith('.test.ts'))) {
      const text = readFileSync(join(source, file), 'utf8')
      for (const [, name] of text.matchAll(/^export (?:abstract )?(?:interface|type|class|enum) (\w+)/gm))
        homes.set(name!, [...(homes.get(name!) ?? []), file])
    }
    expect(homes.size).toBeGreaterThan(400)
    const doubles = [...homes].filter(([, where]) => where.length > 1)
    expect(doubles.map(([name, where]) => `${name}: ${where.join(', ')}`)).toEqual([])
  })

  it('export no two functions or values of one name in the core, but for commands and the calls they are clients of', () => {
    const homes = new Map<string, string[]>()
    const core = files.filter((file) => ['base', ...CORE].includes(file.split(sep)[0]!) && !file.endsWith('.test.ts'))
    for (const file of core) {
      const text = readFileSync(join(source, file), 'utf8')
      const names = [...text.matchAll(/^export (?:async )?(?:function\*?|const) (\w+)/gm)].map(([, name]) => name!)
      for (const name of new Set(names)) homes.set(name, [...(homes.get(name) ?? []), file])
    }
    expect(homes.size).toBeGreaterThan(500)
    const calls = Object.keys(library)
    const doubles = [...homes].filter(([name, where]) => where.length > 1 && !calls.includes(name))
    expect(doubles.map(([name, where]) => `${name}: ${where.join(', ')}`)).toEqual([])
  })
})
