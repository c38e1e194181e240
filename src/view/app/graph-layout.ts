import type { SuiteGraph } from '../../model/suite-report.js'

/** The size of what stands for one thing. */
export const NODE = { width: 200, height: 56 }

const GAP = { x: 70, y: 16 }

/** Places of the things of a graph: what depends on others stands to their right, near them. What goes round in a circle is cut open. */
export function layOut({ nodes, edges }: Pick<SuiteGraph, 'nodes' | 'edges'>): {
  places: ReadonlyMap<string, { x: number; y: number }>
  width: number
  height: number
} {
  const known = new Set(nodes.map(({ id }) => id))
  const drawn = edges.filter(({ from, to }) => known.has(from) && known.has(to))
  const depth = new Map<string, number>()
  const depthOf = (id: string, above: ReadonlySet<string>): number => {
    const found = depth.get(id)
    if (found !== undefined) return found
    const parents = drawn.filter(({ to, from }) => to === id && !above.has(from))
    const deep = Math.max(0, ...parents.map(({ from }) => 1 + depthOf(from, new Set([...above, id]))))
    depth.set(id, deep)
    return deep
  }
  for (const { id } of nodes) depthOf(id, new Set([id]))
  const rows = new Map<string, number>()
  const columns: string[][] = []
  for (const { id } of nodes) {
    columns[depth.get(id)!] ??= []
    columns[depth.get(id)!]!.push(id)
  }
  for (const column of columns) {
    const near = (id: string) => {
      const parents = drawn.filter(({ to, from }) => to === id && rows.has(from)).map(({ from }) => rows.get(from)!)
      return parents.length === 0
        ? Number.POSITIVE_INFINITY
        : parents.reduce((sum, row) => sum + row, 0) / parents.length
    }
    const sorted = [...column].sort((a, b) => near(a) - near(b) || 0)
    for (const [row, id] of sorted.entries()) rows.set(id, row)
  }
  const places = new Map(
    nodes.map(({ id }) => [
      id,
      { x: 4 + depth.get(id)! * (NODE.width + GAP.x), y: 4 + rows.get(id)! * (NODE.height + GAP.y) },
    ]),
  )
  return {
    places,
    width: 8 + columns.length * (NODE.width + GAP.x) - GAP.x,
    height: 8 + Math.max(1, ...columns.map((column) => column.length)) * (NODE.height + GAP.y) - GAP.y,
  }
}
