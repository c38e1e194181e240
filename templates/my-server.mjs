/*
 * A memory in a process of its own, in the protocol of docs/protocol.md: a request a line on standard input, a reply a line on standard output.
 * The same can be written in any language. Standard output is for replies alone; write to standard error what you want to see when it fails.
 *
 *     memscope check "cmd:node my-server.mjs"
 *     memscope run --system "mine=cmd:node my-server.mjs"
 */
import { createInterface } from 'node:readline'

let held = []

const requests = {
  // A new, empty memory. `workdir` is a folder of its own, `now` the time of the simulation, `options` what stands in brackets behind cmd.
  // What is returned says what this memory can do; all of it may be left out.
  open: () => {
    held = []
    return { version: '1', offers: ['dump'], atomic: true, time: true }
  },

  // Takes in one finished conversation: { id, time, turns: [{ role, text }] }.
  store: ({ conversation }) => {
    conversation.turns.forEach(({ role, text }, i) => {
      if (role === 'user') held.push({ id: `${conversation.id}#${i}`, text, time: conversation.time })
    })
  },

  // The best memories for a question { id, text, time }, best first, at most k.
  retrieve: ({ query, k }) => {
    const asked = new Set(wordsIn(query.text))
    const scored = held.map((one) => ({ ...one, score: wordsIn(one.text).filter((word) => asked.has(word)).length }))
    return scored.sort((a, b) => b.score - a.score).slice(0, k)
  },

  // Everything that is held now; only for diagnosis.
  dump: () => held,

  close: () => {
    held = []
  },
}

function wordsIn(text) {
  return text.toLowerCase().match(/[a-z0-9]+/g) ?? []
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line)
  let reply
  try {
    reply = { id: request.id, value: await requests[request.do](request) }
  } catch (error) {
    reply = { id: request.id, error: String(error) }
  }
  process.stdout.write(`${JSON.stringify(reply)}\n`)
}
