/*
 * Plays an export of questions against a memory that runs elsewhere, and writes what it retrieved, for memscope score. Copy it to where your
 * system lives; it needs nothing of Memscope. Replace what is in store and retrieve by calls of your system.
 *
 *     memscope data export --for-scoring --size quick --out questions.jsonl
 *     node make-traces.mjs < questions.jsonl > traces.jsonl
 *     memscope score traces.jsonl
 */
import { createInterface } from 'node:readline'

let notes = []

const requests = {
  // A new, empty memory: nothing of the one before may be seen in it.
  open: () => {
    notes = []
  },

  // Takes in one finished conversation: { id, time, turns: [{ role, text }] }.
  store: ({ conversation }) => {
    notes.push(...conversation.turns.map(({ text }) => ({ text })))
  },

  // If you can: everything that is held now. With it the report says at which stage a fact was lost.
  dump: ({ moment }) => ({ moment, memories: notes }),

  // The best memories for a question { id, text, time }, best first, at most k. An `answer` beside them is graded, too.
  retrieve: ({ query, k }) => {
    const asked = new Set(wordsIn(query.text))
    const scored = notes.map((note) => ({
      ...note,
      score: wordsIn(note.text).filter((word) => asked.has(word)).length,
    }))
    return { query: query.id, memories: scored.sort((a, b) => b.score - a.score).slice(0, k) }
  },
}

function wordsIn(text) {
  return text.toLowerCase().match(/[a-z0-9]+/g) ?? []
}

for await (const line of createInterface({ input: process.stdin })) {
  const { do: what, ...request } = JSON.parse(line)
  // The first line is the header: it says which questions these are, and the traces begin with the same.
  const trace = what === undefined ? { ...request, system: 'my-memory', version: '1' } : await requests[what]?.(request)
  if (trace) process.stdout.write(`${JSON.stringify(trace)}\n`)
}
