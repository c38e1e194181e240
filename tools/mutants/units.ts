import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'

const FOLDER = 'src/systems'

/** What is changed: every folder of `src/systems`, and its own files. */
export const UNITS: readonly string[] = [
  ...readdirSync(FOLDER).filter((name) => statSync(`${FOLDER}/${name}`).isDirectory()),
  'systems',
]

/** Tests that tell of a unit beside its own. */
const FURTHER: Record<string, readonly string[]> = {
  systems: ['src/systems/bm25/bm25.test.ts'],
  conformance: ['src/systems/bm25/bm25.test.ts'],
  dense: ['src/systems/hybrid/hybrid.test.ts'],
  bm25: ['src/systems/bm25-hops/bm25-hops.test.ts', 'src/systems/hybrid/hybrid.test.ts'],
  parts: ['mem0-v1', 'nemori'].map((name) => `src/systems/${name}/index.test.ts`),
  outside: ['src/base/outside-spec.test.ts', 'src/systems/user-file.slow.test.ts'],
  mcp: ['test/mcp.test.ts', 'test/mcp-faults.test.ts'],
}

/** Tests of what is no TypeScript, and those that every unit has. */
const ELSEWHERE = /(?:memscope_memory\.slow|originals)\.test\.ts$/

/** Systems whose defaults and rehearsals tell of a unit that is part of many. */
export const TOLD_BY: Record<string, readonly string[]> = {
  systems: ['bm25', 'hybrid', 'full-context', 'mem0-v1', 'md-flat'],
  parts: ['mem0-v1', 'nemori', 'memory-tool', 'graphiti'],
}

/** All that tells of a unit, as text: where it is the same, what survived is not tried again. */
export function toldOf(unit: string): string {
  const names = TOLD_BY[unit] ?? [unit]
  const fixtures = ['rehearsed', 'option-ranges'].map((name) => {
    const all: Record<string, unknown> = JSON.parse(readFileSync(`test/fixtures/systems/${name}.json`, 'utf8'))
    return JSON.stringify(names.map((one) => all[one] ?? null))
  })
  return [...testsOf(unit).map((file) => readFileSync(file, 'utf8')), ...fixtures].join('\n')
}

/** The sources of a unit, without tests. */
export function filesOf(unit: string): string[] {
  return allOf(unit).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
}

/** The tests of a unit. */
export function testsOf(unit: string): string[] {
  const own = allOf(unit).filter((file) => file.endsWith('.test.ts') && !ELSEWHERE.test(file))
  return [...own, ...(FURTHER[unit] ?? []), 'src/systems/originals.test.ts']
}

function allOf(unit: string): string[] {
  const folder = unit === 'systems' ? FOLDER : `${FOLDER}/${unit}`
  if (!existsSync(folder)) throw new Error(`There is no folder ${folder}`)
  return readdirSync(folder)
    .map((name) => `${folder}/${name}`)
    .filter((path) => statSync(path).isFile())
}
