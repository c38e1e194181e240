import { describe, expect, it } from 'vitest'
import type { Embedder, Entailment, Fact, Memory } from '../../model/index.js'
import { createLexicalJudge } from './index.js'

const DAYS = ['Monday', 'Tuesday', 'Friday', 'Sunday']
const THINGS = ['rye bread', 'plum tart', 'fig jam', 'oat cakes', 'apple pie']
const facts: Fact[] = DAYS.flatMap((day) =>
  THINGS.map((thing) => {
    const text = `Ada bakes ${thing} for her neighbours every ${day}.`
    return { id: text, text, sources: [text], cues: { kind: 'statement', parts: [], explicit: false } }
  }),
)
const store: Memory[] = THINGS.flatMap((thing, i) => [
  { id: `kept ${i}`, text: `${thing}: Ada makes it on ${DAYS[i % 4]} for those next door` },
  { id: `other ${i}`, text: `Ben buys ${thing} on ${DAYS[(i + 1) % 4]}` },
])

/** A number between 0 and 1 for every text, the same each time. */
function numberOf(text: string): number {
  let hash = 7
  for (const sign of text) hash = (hash * 31 + sign.codePointAt(0)!) % 99_991
  return hash / 99_991
}

function vectorOf(text: string, error: number): Float32Array {
  const angle = numberOf(text) + error
  return Float32Array.from([Math.cos(angle), Math.sin(angle)])
}

const embed: Embedder = {
  id: 'fake',
  dimensions: 2,
  embed: async (texts) => texts.map((text) => vectorOf(text, 0)),
}

function logitsOf(pair: { fact: string; memories: string }, error: number): Float32Array {
  const own = (head: number) => 4 * numberOf(`${head} ${pair.fact} ${pair.memories}`) - 2
  return Float32Array.from([0, 0, 0, own(0) + error, own(1) - error, own(2)])
}

describe('a fast reading', () => {
  it('leads to the same verdicts as the exact one, which is asked for where it is close', async () => {
    let again = 0
    let asked = 0
    const read: Entailment['read'] = async (pairs) => pairs.map((pair) => logitsOf(pair, 0))
    const exact = createLexicalJudge({ embed, entail: { id: 'exact', read } })
    const fast = createLexicalJudge({
      embed,
      entail: {
        id: 'exact',
        read: (pairs) => {
          again += pairs.length
          return read(pairs)
        },
        readFast: async (pairs) => {
          asked += pairs.length
          return pairs.map((pair) => logitsOf(pair, 0.0001 * (numberOf(pair.memories) - 0.5)))
        },
      },
    })
    const wanted = await exact.judgeFacts(facts, store)
    expect(wanted.filter(({ probability }) => probability !== undefined).length).toBe(facts.length)
    expect(await fast.judgeFacts(facts, store)).toEqual(wanted)
    expect(again).toBeGreaterThan(0)
    expect(again).toBeLessThan(asked)
  })

  it('by fast vectors leads to the same verdicts, and asks for exact ones only where it is close', async () => {
    const entail = {
      id: 'exact',
      read: async (pairs: readonly { fact: string; memories: string }[]) => pairs.map((pair) => logitsOf(pair, 0)),
    }
    const many = Array.from({ length: 30 }, (_, i) =>
      store.map(({ id, text }) => ({ id: `${id} ${i}`, text: `${text} (${i})` })),
    )
    const asked: string[] = []
    const fast: Embedder = {
      ...embed,
      embed: (texts) => {
        asked.push(...texts)
        return embed.embed(texts)
      },
      embedFast: async (texts) => texts.map((text) => vectorOf(text, 2e-6 * (numberOf(`${text}!`) - 0.5))),
    }
    const wanted = await createLexicalJudge({ embed, entail }).judgeFacts(facts, many.flat())
    expect(await createLexicalJudge({ embed: fast, entail }).judgeFacts(facts, many.flat())).toEqual(wanted)
    expect(new Set(asked).size).toBeGreaterThan(0)
    expect(new Set(asked).size).toBeLessThan(many.flat().length)
  })

  it('is not asked for where there is none', async () => {
    const entail = {
      id: 'exact',
      read: async (pairs: readonly { fact: string; memories: string }[]) => pairs.map((pair) => logitsOf(pair, 0)),
    }
    expect(await createLexicalJudge({ embed, entail }).judgeFacts(facts, store)).toHaveLength(facts.length)
  })
})
