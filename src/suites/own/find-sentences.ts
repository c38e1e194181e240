/** A place in the tree of all sentences. */
interface Node {
  next: Map<number, Node>
  /** Where it goes on when the next sign does not fit: the longest end of this beginning that begins another sentence. */
  fallback: Node | null
  /** The sentence that ends here. */
  sentence: string | null
  /** The nearest fallback at which a sentence ends. */
  shorter: Node | null
}

/**
 * The first text in which each of many sentences stands, by sentence. All texts are read once, whatever the number of sentences and however they
 * begin (Aho and Corasick, 1975).
 */
export function findSentences(sentences: Iterable<string>, texts: Iterable<string>): Map<string, number> {
  const root = treeOf(sentences)
  const found = new Map<string, number>()
  let number = 0
  for (const text of texts) {
    let node = root
    for (let at = 0; at < text.length; at++) {
      const sign = text.charCodeAt(at)
      while (node !== root && !node.next.has(sign)) node = node.fallback!
      node = node.next.get(sign) ?? root
      for (let end: Node | null = node.sentence === null ? node.shorter : node; end; end = end.shorter)
        if (!found.has(end.sentence!)) found.set(end.sentence!, number)
    }
    number++
  }
  return found
}

function treeOf(sentences: Iterable<string>): Node {
  const root = emptyNode()
  for (const sentence of sentences) {
    let node = root
    for (let at = 0; at < sentence.length; at++) {
      const sign = sentence.charCodeAt(at)
      const known = node.next.get(sign)
      const next = known ?? emptyNode()
      if (!known) node.next.set(sign, next)
      node = next
    }
    if (node !== root) node.sentence = sentence
  }
  // Nearer to the root first, so that every fallback is known when it is needed.
  let level = [root]
  while (level.length > 0) {
    const below: Node[] = []
    for (const node of level)
      for (const [sign, child] of node.next) {
        let at = node.fallback
        while (at && !at.next.has(sign)) at = at.fallback
        const fallback = at?.next.get(sign) ?? root
        child.fallback = fallback
        child.shorter = fallback.sentence === null ? fallback.shorter : fallback
        below.push(child)
      }
    level = below
  }
  return root
}

function emptyNode(): Node {
  return { next: new Map(), fallback: null, sentence: null, shorter: null }
}
