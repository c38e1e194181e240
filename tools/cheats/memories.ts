import type { Random } from '../../src/base/random.js'
import type { Memory, MemorySystem, OwnSystem, Query } from '../../src/model/index.js'

/** A small change to an honest memory, by which somebody might hope to buy a score. */
export interface MemoryCheat {
  /** What it is known by in tables and in known.json. */
  name: string
  system: OwnSystem & { name: string }
}

/** What a cheat may change: what is kept of each turn, and what comes of a search. */
interface Change {
  keep?(text: string, at: number): string
  /** On every memory, when all of them are known. */
  held?(memories: readonly Memory[]): Memory[]
  /** Throws, cuts or orders; best first. */
  found?(memories: readonly Scored[], query: Query): readonly Memory[]
}

type Scored = Memory & { score: number }

const wordsOf = (text: string) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])

/** Keeps every turn, with its time, and finds by shared words that are rare: the honest memory that all cheats change one thing of. */
function notebook({
  keep = (text) => text,
  held = (memories) => [...memories],
  found = (memories) => memories,
}: Change): MemorySystem {
  const said: Memory[] = []
  const words: ReadonlySet<string>[] = []
  const counts = new Map<string, number>()
  return {
    async store({ id, time, turns }) {
      for (const [at, { text }] of turns.entries()) {
        const kept = keep(text, said.length)
        if (kept.trim() === '') continue
        said.push({ id: `${id}#${at}`, text: kept, time, sources: [id] })
        const own = wordsOf(text)
        words.push(own)
        for (const word of own) counts.set(word, (counts.get(word) ?? 0) + 1)
      }
    },
    async retrieve(query, k) {
      const asked = [...wordsOf(query.text)]
      const weight = (word: string) => Math.log(1 + said.length / (counts.get(word) ?? said.length))
      const memories = held(said)
      const scored = memories.map((memory, at) => ({
        ...memory,
        score: asked.reduce((sum, word) => (words[at]!.has(word) ? sum + weight(word) : sum), 0),
      }))
      return found(
        scored.sort((a, b) => b.score - a.score),
        query,
      ).slice(0, k)
    },
    async dump() {
      return held(said)
    },
  }
}

const cheat = (name: string, change: Change): MemoryCheat => ({
  name,
  system: {
    name: name.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, ''),
    version: '1',
    create: () => notebook(change),
  },
})

/** The memory that nothing is changed of. */
export const honest: MemoryCheat = cheat('honest', {})

/** Words that might stand on everything. Some are in no list of any judge: a cheat would look for such. */
const WORDS = [
  ...[
    'unsure',
    'may be outdated',
    'unclear',
    'may have changed',
    'stale',
    'needs to be confirmed',
    'to be deleted',
    'forgotten',
  ],
  ...[
    'was considered',
    'just an idea',
    'called off',
    'still holds',
    'if nothing changes',
    'depends on the rest',
    'only',
    'not',
    'now',
  ],
  ...['no information', 'or not', 'maybe', 'formerly', 'as of today', 'everything else is wrong', 'yes and no'],
]

const PLACES: Record<string, (text: string, words: string) => string> = {
  'at the end': (text, words) => `${text} ${words}`,
  'in brackets': (text, words) => `${text} (${words})`,
  'before it': (text, words) => `${words}: ${text}`,
  'after every sentence': (text, words) => text.replace(/[.!?](?=\s|$)/g, (end) => ` (${words})${end}`),
  'as a heading': (text, words) => `# ${words}\n- ${text}`,
}

/** Ways of putting a text that take it back, or make it somebody else's. */
const FRAMES: Record<string, (text: string) => string> = {
  'not so': (text) => `Not so: ${text}`,
  'wrongly noted': (text) => `Wrongly noted: ${text}`,
  never: (text) => `${text.replace(/[.!]$/, '')} - never.`,
  lied: (text) => `I lied when I said: ${text}`,
  'said by another': (text) => `My neighbour Sven said of himself: ${text}`,
  asked: (text) => `${text.replace(/[.!]$/, '')}?`,
  'in Spanish': (text) => `Es falso que: ${text}`,
  'struck through': (text) => `~~${text}~~`,
}

/** All that is done to memories; which words stand where, and what is left to chance, the random numbers say. */
export function memoryCheats(random: Random, words: number): MemoryCheat[] {
  const places = Object.keys(PLACES)
  const blanket = random
    .shuffle([...WORDS])
    .slice(0, words)
    .map((word, i) => {
      // The reproduction that the search began with is always among them.
      const [said, place] = i === 0 ? ['unsure', 'at the end'] : [word, random.pick(places)]
      const every = i % 3 === 2 ? 2 + random.below(3) : 1
      const share = every === 1 ? 'every' : `one in ${every}`
      return cheat(`"${said}" ${place}, ${share} memory`, {
        keep: (text, at) => (at % every === 0 ? PLACES[place]!(text, said) : text),
      })
    })
  const framed = Object.entries(FRAMES).map(([name, put]) => cheat(`frame: ${name}`, { keep: put }))
  return [...blanket, ...framed, ...TRICKS]
}

/** Everything that is kept, as far as a name can hold it. */
const allOf = (memories: readonly Memory[]) =>
  memories
    .map(({ text }) => text)
    .join(' ')
    .slice(0, 20_000)

const shiftedYear = (time: string) => `${Number(time.slice(0, 4)) + 1}${time.slice(4)}`

const TRICKS: readonly MemoryCheat[] = [
  cheat('superset: each memory with the two before it', {
    held: (memories) =>
      memories.map((one, at) => ({
        ...one,
        text: memories
          .slice(Math.max(0, at - 2), at + 1)
          .map(({ text }) => text)
          .join(' '),
      })),
  }),
  cheat('superset: all in the first that is found', {
    held: (memories) =>
      memories.map((one, at) => (at === 0 ? { ...one, text: memories.map(({ text }) => text).join(' ') } : one)),
    found: (memories) => memories.toSorted((a, b) => b.text.length - a.text.length),
  }),
  cheat('time: everything in it', {
    held: (memories) => memories.map((one) => ({ ...one, time: allOf(memories) })),
  }),
  cheat('time: none', { held: (memories) => memories.map(({ time: _, ...one }) => one) }),
  cheat('time: a year later', {
    held: (memories) => memories.map((one) => ({ ...one, ...(one.time && { time: shiftedYear(one.time) }) })),
  }),
  cheat('id: everything in it', {
    held: (memories) => memories.map((one, at) => ({ ...one, id: `${at} ${allOf(memories)}` })),
  }),
  cheat('status: none holds', {
    held: (memories) => memories.map((one) => ({ ...one, status: 'invalidated' as const })),
  }),
  cheat('status: all to be removed', {
    held: (memories) => memories.map((one) => ({ ...one, status: 'tombstone' as const })),
  }),
  cheat('order: shortest first', { found: (memories) => memories.toSorted((a, b) => a.text.length - b.text.length) }),
  cheat('order: newest first', {
    found: (memories) => memories.toSorted((a, b) => ((a.time ?? '') < (b.time ?? '') ? 1 : -1)),
  }),
  cheat('errors: throws where little is found', {
    found: (memories) => {
      const [best, second] = memories
      if ((best?.score ?? 0) < 1.2 * (second?.score ?? 0)) throw new Error('unsure')
      return memories
    },
  }),
  cheat('errors: throws at long questions', {
    found: (memories, { text }) => {
      if (text.split(' ').length > 14) throw new Error('too long')
      return memories
    },
  }),
]
