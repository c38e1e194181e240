import { contentTokens } from './tokens.js'
import { follow, synsets } from './wordnet.js'

/** Whether a text puts the opposite in the place of a word that was said. */
export function opposes(text: string, was: string): boolean {
  const [there, said] = [contentLemmas(text), contentLemmas(was)]
  return [...there].some(
    (word) => !said.has(word) && antonyms(word).some((other) => said.has(other) && !there.has(other)),
  )
}

function contentLemmas(text: string): Set<string> {
  return new Set(contentTokens(text).flatMap(({ lemmas }) => lemmas.map(({ lemma }) => lemma)))
}

function antonyms(word: string): string[] {
  return (['a', 'n', 'v'] as const).flatMap((pos) =>
    synsets(word, pos)
      .slice(0, 2)
      .flatMap((sense) =>
        sense.pointers
          .filter(({ symbol, source }) => symbol === '!' && sense.words[source - 1] === word)
          .map((pointer) => follow(pointer).words[pointer.target - 1]!),
      ),
  )
}
