import { defineSystem, type Memory } from 'memscope'

/*
 * A memory of your own. Replace what is in store and retrieve by calls of your system.
 *
 *     memscope check ./my-memory.ts          does it keep the contract?
 *     memscope run --system ./my-memory.ts   where does it lose facts?
 */
export default defineSystem({
  // Another version is another subject: two of them can be compared. The content of this file is part of it anyway.
  version: '1',
  // A store that fails leaves the memory as it was.
  atomic: true,

  // One call makes the memory of one simulated life. Nothing may be shared between two: use context.namespace on a server, context.workdir
  // for files. context.now() is the time of the simulation; the real clock means nothing in it.
  create: (_context) => {
    const held: Memory[] = []
    return {
      // Takes in one finished conversation: { id, time, turns: [{ role, text }] }.
      async store(conversation) {
        conversation.turns.forEach(({ role, text }, i) => {
          if (role === 'user')
            held.push({ id: `${conversation.id}#${i}`, text, time: conversation.time, sources: [conversation.id] })
        })
      },

      // The best memories for a question { id, text, time }, best first, at most k. It must not change what is held.
      async retrieve(query, k) {
        const asked = new Set(wordsIn(query.text))
        const scored = held.map((memory) => ({
          ...memory,
          score: wordsIn(memory.text).filter((word) => asked.has(word)).length,
        }))
        return scored.sort((a, b) => b.score - a.score).slice(0, k)
      },

      // Everything that is held now. Only for diagnosis, and optional: with it a report says at which stage a fact was lost.
      async dump() {
        return held
      },
    }
  },
})

function wordsIn(text: string): string[] {
  return text.toLowerCase().match(/[a-z0-9]+/g) ?? []
}
