/*
 * Memories behind HTTP, in the protocol of docs/protocol.md: every request is POSTed to one address. One server has the memories of many
 * simulated lives at a time; `memory` says which is meant.
 *
 *     node my-http-server.mjs &
 *     memscope check http://127.0.0.1:8787/memory
 *     memscope run --system "mine=http://127.0.0.1:8787/memory"
 */
import { createServer } from 'node:http'

const PORT = Number(process.env.PORT ?? 8787)

/** What each memory holds, by its name. */
const memories = new Map()

const requests = {
  // A new, empty memory. `now` is the time of the simulation. What is returned says what it can do; all of it may be left out.
  open: ({ memory }) => {
    memories.set(memory, [])
    return { version: '1', offers: ['dump'], atomic: true, time: true, concurrency: 8 }
  },

  // Takes in one finished conversation: { id, time, turns: [{ role, text }] }.
  store: ({ memory, conversation }) => {
    conversation.turns.forEach(({ role, text }, i) => {
      if (role === 'user') memories.get(memory).push({ id: `${conversation.id}#${i}`, text, time: conversation.time })
    })
  },

  // The best memories for a question { id, text, time }, best first, at most k.
  retrieve: ({ memory, query, k }) => {
    const asked = new Set(wordsIn(query.text))
    const scored = memories
      .get(memory)
      .map((one) => ({ ...one, score: wordsIn(one.text).filter((word) => asked.has(word)).length }))
    return scored.sort((a, b) => b.score - a.score).slice(0, k)
  },

  // Everything that is held now; only for diagnosis.
  dump: ({ memory }) => memories.get(memory),

  close: ({ memory }) => {
    memories.delete(memory)
  },
}

function wordsIn(text) {
  return text.toLowerCase().match(/[a-z0-9]+/g) ?? []
}

const server = createServer(async (incoming, outgoing) => {
  const parts = []
  for await (const part of incoming) parts.push(part)
  const request = JSON.parse(Buffer.concat(parts).toString())
  let reply
  try {
    reply = { id: request.id, value: await requests[request.do](request) }
  } catch (error) {
    reply = { id: request.id, error: String(error) }
  }
  outgoing.setHeader('content-type', 'application/json').end(JSON.stringify(reply))
})

server.listen(PORT, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/memory`))
