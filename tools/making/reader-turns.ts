import { sentences } from '../../src/base/text.js'
import { coverage } from '../../src/language/match.js'
import { contentTokens } from '../../src/language/tokens.js'
import type { Meaning } from './meaning.js'
import { tellsOfSpeaker } from './own-statements.js'
import { isNamed } from './reader-essays.js'

export type History = { speaker: string; text: string }[]

/** The user's turn that comes nearest to something. */
function turnFor(history: History, told: string): string {
  const turns = history.filter(({ speaker }) => speaker === 'user').map(({ text }) => text)
  const verbatim = turns.find((text) => text.includes(told))
  if (verbatim !== undefined) return verbatim
  return turns.reduce(
    (best, text) => (coverage(told, text).score > coverage(told, best).score ? text : best),
    turns[0] ?? '',
  )
}

/** What stands before and behind something in a turn, where it stands there word for word; else sentences that say nothing of it. */
function around(turn: string, told: string): { before: string; rest: string[] } {
  const at = turn.indexOf(told)
  if (at < 0) return { before: '', rest: sentences(turn).filter((one) => coverage(one, told).score < 0.5) }
  const before = turn.slice(0, at).trim()
  return {
    before,
    rest: [...sentences(before), ...sentences(turn.slice(at + told.length))].filter((one) => /\p{L}/u.test(one)),
  }
}

/**
 * Whoever tells something tells that alone: they may ask, but what they state besides takes it back, says that it is not theirs, or is
 * something else to remember.
 */
async function besides(
  turn: string,
  told: string,
  meaning: Meaning,
): Promise<{ framed?: string; back?: string; added?: string }> {
  const { before, rest } = around(turn, told)
  const stated = rest.filter((one) => !one.trim().endsWith('?') && contentTokens(one).length > 0)
  const added: string[] = []
  for (const one of rest) if (await tellsOfSpeaker(one, meaning)) added.push(one)
  const others = stated.filter((one) => !added.includes(one))
  // What leads to it without an end of its own, such as "My neighbour says:", makes it somebody's words.
  const framed = before !== '' && !/[.!?]["”']?$/.test(before) ? before : undefined
  const back = others.find((one) => one !== framed)
  return { ...(framed && { framed }), ...(back && { back }), ...(added[0] && { added: added[0] }) }
}

export async function auditOf(history: History, fact: string, meaning: Meaning) {
  const turn = turnFor(history, fact)
  const { framed, back, added } = await besides(turn, fact, meaning)
  const checks = {
    said: coverage(fact, turn).score >= 0.6,
    exact: isNamed(fact, turn),
    as_fact: framed === undefined,
    alone: back === undefined,
    nothing_added: added === undefined,
  }
  const wrong = Object.entries(checks).flatMap(([name, is]) => (is ? [] : name))
  return { ...checks, why: wrong.join(', ') }
}

/** Why a conversation is not coherent, or tells more of the user than it should. */
export async function incoherence(history: History, toRemember: string, meaning: Meaning): Promise<string | null> {
  for (const { speaker, text } of history) {
    if (speaker !== 'user' || toRemember.includes(text)) continue
    const told = sentences(toRemember).find((one) => contentTokens(one).length > 1 && text.includes(one))
    if (told !== undefined) {
      const why = await unmeant(text, toRemember, meaning)
      if (why !== null) return why
      continue
    }
    for (const one of sentences(text))
      if (await tellsOfSpeaker(one, meaning)) return `This would have to be remembered, too: ${one}`
  }
  return null
}

/** What is wrong with how a turn says something. */
async function unmeant(turn: string, told: string, meaning: Meaning): Promise<string | null> {
  const own = sentences(told).filter((one) => turn.includes(one))
  const first = own[0] === undefined ? -1 : turn.indexOf(own[0])
  const last = own.at(-1)
  const said = last === undefined ? told : turn.slice(first, turn.indexOf(last) + last.length)
  const { framed, back, added } = await besides(turn, said, meaning)
  if (framed !== undefined) return `It is not said as a fact: ${turn}`
  if (back !== undefined) return `It is taken back: ${turn}`
  return added === undefined ? null : `This would have to be remembered, too: ${added}`
}

/** Why a question about what was told is answered by no. */
export async function ungrounded(turns: History, question: string, meaning: Meaning): Promise<string | null> {
  const [, told] = /what these words say: "(.*)"\?$/s.exec(question) ?? []
  if (told === undefined) return null
  for (const { speaker, text } of turns) {
    if (speaker !== 'user' || told.includes(text)) continue
    const own = sentences(told).some((one) => contentTokens(one).length > 1 && text.includes(one))
    const why = own ? await unmeant(text, told, meaning) : null
    if (why !== null) return why
  }
  return null
}
