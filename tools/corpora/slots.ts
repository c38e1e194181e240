import { nodesOf, type PhraseNode } from '../../src/suites/memora/talk/phrase.js'

/** Names of the slots that a phrase may ask for, whatever is chosen. */
export function slotsOf(phrase: string): Set<string> {
  const names = new Set<string>()
  const visit = (nodes: readonly PhraseNode[]): void => {
    for (const node of nodes) {
      if (typeof node === 'string') continue
      if ('slot' in node) names.add(node.slot)
      else for (const way of node.ways) visit(way)
    }
  }
  visit(nodesOf(phrase))
  return names
}
