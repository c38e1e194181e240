import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from './cli.js'

/** A folder imports only folders listed above it; `index.ts` and `conformance.ts` at the top export from all. What is beside `src` imports
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
  'cli',
]

const source = join(root, 'src')
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && file.includes(sep),
)

describe('the folders of the project', () => {
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

  it('keep every file short enough to be read', () => {
    const long = files.filter((file) => readFileSync(join(source, file), 'utf8').split('\n').length > 400)
    expect(long).toEqual([])
  })

  it('leave suites, systems and judges unnamed in the engine', () => {
    for (const file of files.filter((name) => name.startsWith(`engine${sep}`))) {
      expect(readFileSync(join(source, file), 'utf8')).not.toMatch(/'(?:memfail|memora|meme|bm25|lexical)'/)
    }
  })
})
