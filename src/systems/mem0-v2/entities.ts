/** Words that begin with a capital only because a sentence does, or that never belong to a name. */
const PLAIN = new Set(
  `a an the this that these those i my your his her its our their user assistant he she it we they you in on at of for from to with when where
  what which who why how if as and or but so not no yes every each some any all both on by after before since until while there here is are
  was were has have had do does did will would can could should may might must monday tuesday wednesday thursday friday saturday sunday`.split(
    /\s+/,
  ),
)
const QUOTED = /["“«]([^"“”«»]{2,60})["”»]/gu
const NAME = /\p{Lu}[\p{L}\p{N}'’-]*(?:\s+(?:(?:of|de|van|von|the)\s+)?\p{Lu}[\p{L}\p{N}'’-]*)*/gu
const IDENTIFIER = /\b(?=[\p{L}\p{N}._-]*\p{N})(?=[\p{L}\p{N}._-]*[\p{L}._-])[\p{L}\p{N}]+(?:[._-][\p{L}\p{N}]+)+\b/gu

/** Names, quoted phrases and identifiers of a text, folded, each once. Common noun phrases, which Mem0 tags too, are left to the words here. */
export function entitiesIn(text: string): string[] {
  const found = [
    ...[...text.matchAll(QUOTED)].map(([, phrase]) => phrase!),
    ...[...text.matchAll(IDENTIFIER)].map(([id]) => id),
    ...[...text.matchAll(NAME)].map(([name]) => withoutPlain(name)),
  ]
  return [...new Set(found.map((name) => name.toLowerCase().trim()))].filter((name) => name.length > 1)
}

/** A name without plain words and possessives at its ends. */
function withoutPlain(name: string): string {
  const words = name.replace(/['’]s$/u, '').split(/\s+/)
  const isPlain = (word: string) => PLAIN.has(word.toLowerCase().replace(/['’]s$/u, ''))
  while (words.length > 0 && isPlain(words[0]!)) words.shift()
  while (words.length > 0 && isPlain(words.at(-1)!)) words.pop()
  return words.join(' ')
}
