import { contentTokens, type Token } from './tokens.js'
import { follow, PARTS_OF_SPEECH, type PartOfSpeech, type Synset, senseCount, synsets } from './wordnet.js'

/** Words, each in its first sense, whose narrower words all speak against something. */
const SEEDS: Record<PartOfSpeech, string> = {
  v: `avoid abandon refuse reject dislike discard discontinue hate fear hurt injure bore annoy disgust repel harm spoil disappoint regret
  complain ban forbid exclude shun boycott dismiss despise dread ignore neglect quit renounce forsake irritate exasperate displease offend
  frighten discourage dishearten sicken worsen mock ridicule disapprove oppose resent throw_away give_up give_away get_rid_of break_up
  swear_off cancel unsubscribe tire exhaust weary`,
  n: `dislike hatred fear pain disgust boredom nausea annoyance irritation disappointment regret aversion displeasure harm failure
  illness rejection refusal abandonment headache fatigue contempt`,
  a: `bad unpleasant ugly boring dull painful unhappy harmful disagreeable unsatisfactory worthless useless unhealthy afraid averse tired
  disappointed annoyed disgusted ridiculous foolish disgusting unwilling reluctant cruel nauseous ill angry sad uncomfortable unbearable`,
  r: '',
}
const LEVELS = 2

let seeds: ReadonlySet<string> | undefined
const known = new Map<string, boolean>()

/** The words of a text that by the dictionary speak against something: avoiding, ending, disliking, harming. */
export function adverseTokens(text: string): Token[] {
  return contentTokens(text).filter((token) => token.lemmas.some(({ lemma, pos }) => isAdverse(lemma, pos)))
}

function isAdverse(lemma: string, parts: string): boolean {
  const key = `${lemma}/${parts}`
  let found = known.get(key)
  if (found === undefined) {
    const mostly = Math.max(...PARTS_OF_SPEECH.map((pos) => senseCount(lemma, pos)))
    found = (['v', 'n', 'a'] as const).some((pos) => {
      const [first] = synsets(lemma, pos)
      return (
        parts.includes(pos) && first !== undefined && senseCount(lemma, pos) === mostly && leadsToSeed(first, LEVELS)
      )
    })
    known.set(key, found)
  }
  return found
}

function leadsToSeed(sense: Synset, levels: number): boolean {
  seeds ??= seedIds()
  if (seeds.has(sense.id)) return true
  if (levels === 0) return false
  return sense.pointers.some(
    (pointer) =>
      (pointer.symbol === '@' || pointer.symbol === '&') &&
      leadsToSeed(follow(pointer), pointer.symbol === '&' ? 0 : levels - 1),
  )
}

function seedIds(): ReadonlySet<string> {
  const ids = new Set<string>()
  for (const pos of ['v', 'n', 'a'] as const) {
    for (const word of SEEDS[pos].split(/\s+/)) {
      const [first] = synsets(word.replaceAll('_', ' '), pos)
      if (first) ids.add(first.id)
    }
  }
  return ids
}
