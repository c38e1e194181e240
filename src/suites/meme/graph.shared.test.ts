import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { DOMAINS, readGraph } from './graph.js'

const file = join(import.meta.dirname, '../../../../shared/data/meme/graphs.json')

interface Published {
  entities: { id: string; role: string; category: string; exact_recall: boolean }[]
  edges: { source: string; target: string; pattern: string }[]
}

describe.skipIf(!existsSync(file))('the graphs of the paper (skipped when ../shared is absent)', () => {
  it.each(DOMAINS)('have the entities, roles and edges of %s', (domain) => {
    const published = JSON.parse(readFileSync(file, 'utf8'))[domain.replace('-', '_')] as Published
    const { entities, edges } = readGraph(domain).data
    const sorted = (list: string[]) => [...list].sort()
    expect(
      sorted(entities.map(({ id, role, category, exact = false }) => `${id} ${role} ${category} ${exact}`)),
    ).toEqual(
      sorted(
        published.entities.map(({ id, role, category, exact_recall }) => `${id} ${role} ${category} ${exact_recall}`),
      ),
    )
    const line = ({ source, target, pattern }: Published['edges'][number]) => `${source}->${target} ${pattern}`
    expect(sorted(edges.map(line))).toEqual(sorted(published.edges.map(line)))
  })
})
