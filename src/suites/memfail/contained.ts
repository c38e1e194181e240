/** A place in the tree of patterns: where each letter leads, where to go on when none fits, and which patterns end here. */
interface Node {
  next: Map<number, Node>
  fallback: Node | null
  ends: string[]
}

/**
 * Which of many patterns stand in a text, found in one pass over it (Aho–Corasick).
 *
 * @example contained(['red kite', 'kit'], 'a red kite') // Set { 'red kite', 'kit' }
 */
export function contained(patterns: Iterable<string>, text: string): Set<string> {
  const root: Node = { next: new Map(), fallback: null, ends: [] }
  for (const pattern of new Set(patterns)) {
    let node = root
    for (let i = 0; i < pattern.length; i++) {
      const letter = pattern.charCodeAt(i)
      let child = node.next.get(letter)
      if (!child) {
        child = { next: new Map(), fallback: null, ends: [] }
        node.next.set(letter, child)
      }
      node = child
    }
    node.ends.push(pattern)
  }
  const queue: Node[] = [root]
  for (let at = 0; at < queue.length; at++) {
    const node = queue[at]!
    for (const [letter, child] of node.next) {
      let fallback = node.fallback
      while (fallback && !fallback.next.has(letter)) fallback = fallback.fallback
      child.fallback = fallback?.next.get(letter) ?? root
      child.ends.push(...child.fallback.ends)
      queue.push(child)
    }
  }
  const found = new Set<string>(root.ends)
  let node = root
  for (let i = 0; i < text.length; i++) {
    const letter = text.charCodeAt(i)
    while (node !== root && !node.next.has(letter)) node = node.fallback!
    node = node.next.get(letter) ?? root
    for (const pattern of node.ends) found.add(pattern)
  }
  return found
}
