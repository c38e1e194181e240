import { fold, sentences } from '../../src/base/text.js'
import { ScriptedModel } from '../../src/gateway/index.js'
import { contentTokens } from '../../src/language/tokens.js'
import { isWord } from '../../src/language/wordnet.js'
import type { Meaning } from './meaning.js'
import { stepIn } from './planter.js'
import { looksBack, namesIn, problemOf } from './reader-essays.js'
import { conflictsOf } from './reader-fillers.js'
import { auditOf, type History, incoherence, ungrounded } from './reader-turns.js'

type Row = { row: number }

/**
 * A model that reads over what another wrote, as auditor and as judge: it compares claims with the words of the text, and has the entailment
 * model read what is said beside them. It sees what any auditor sees, and nothing of the ledger.
 */
export function readingModel(
  prompts: URL,
  meaning: Meaning,
  onAsk: (step: string, input: object) => void,
): ScriptedModel {
  return new ScriptedModel({
    rules: [],
    otherwise: async ({ request }) => {
      const [step, input] = stepIn(request.messages, prompts)
      onAsk(step, input)
      const read = READERS[step]
      if (!read) throw new Error(`${step} is no step of an auditor`)
      return { json: await read(input as never, meaning) }
    },
  })
}

/** A reply with a row for every row that was asked for. */
async function each<R extends Row, O extends object>(rows: readonly R[], read: (row: R) => Promise<O>) {
  return { rows: await Promise.all(rows.map(async (one) => ({ row: one.row, ...(await read(one)) }))) }
}

const READERS: Readonly<Record<string, (input: never, meaning: Meaning) => unknown>> = {
  audit: ({ rows }: { rows: (Row & { text: string; claims: string[] })[] }, meaning) =>
    each(rows, async ({ text, claims }) => {
      const found = await Promise.all(claims.map((claim) => problemOf(text, claim, meaning)))
      return { holds: found.map((why) => why === null), why: found.filter((why) => why !== null).join('; ') }
    }),
  guess: ({ rows }: { rows: (Row & { question: string })[] }, meaning) =>
    each(rows, ({ question }) => guessFrom(question, meaning)),
  'long-hop-conflicts': ({ chains }: { chains: { id: string; facts: string[] }[] }) => ({ drop: conflictsIn(chains) }),
  'session-audit': ({ history, rows }: { history: History; rows: (Row & { text: string })[] }, meaning) =>
    each(rows, ({ text }) => auditOf(history, text.replace(/^It is so of the user: /, ''), meaning)),
  'filler-conflict': async ({ filler, rows }: { filler: string; rows: (Row & { fact: string })[] }, meaning) => {
    const found = await conflictsOf(
      filler,
      rows.map(({ fact }) => fact),
      meaning,
    )
    return { rows: rows.map(({ row }, at) => ({ row, conflict: found[at] })) }
  },
  coherence: async ({ history, to_remember }: { history: History; to_remember: string }, meaning) => {
    const why = await incoherence(history, to_remember, meaning)
    return { coherent: why === null, why: why ?? '' }
  },
  grounding: ({ turns, rows }: { turns: History; rows: (Row & { question: string })[] }, meaning) =>
    each(rows, async ({ question }) => {
      const why = await ungrounded(turns, question, meaning)
      return { yes: why === null, why: why ?? '' }
    }),
}

/** A statement beside a question that looks back at what is asked of somebody tells the answer. */
async function guessFrom(question: string, meaning: Meaning): Promise<{ answer: string; sure: boolean }> {
  const told = sentences(question)
  const asked = told.filter((one) => one.trim().endsWith('?')).join(' ')
  // The first word of a sentence is no name by being written large.
  const name = [...asked.matchAll(/(?<!^|[.!?]\s)\p{Lu}[\p{L}-]+/gu)]
    .map(([one]) => one)
    .find((one) => !isWord(fold(one)))
  if (name !== undefined)
    for (const one of told) {
      if (one.trim().endsWith('?') || !(looksBack(one, name) || isShort(one, name))) continue
      const [does, wont] = await meaning.of(one.replaceAll(name, 'Alex'), 'Alex does it.', 'Alex will not do it.')
      if (does!.entailed >= 0.8 && wont!.contradicted >= 0.8) return { answer: 'Yes.', sure: true }
      if (does!.contradicted >= 0.8 && wont!.entailed >= 0.35) return { answer: 'No.', sure: true }
    }
  return { answer: 'cannot be known', sure: false }
}

function isShort(sentence: string, name: string): boolean {
  return sentence.includes(name) && contentTokens(sentence.replaceAll(name, ' ')).length <= 3
}

/** Chains that have a made-up name in common: the later one goes. */
function conflictsIn(chains: readonly { id: string; facts: string[] }[]) {
  const owner = new Map<string, string>()
  return chains.flatMap(({ id, facts }) => {
    const names = facts.flatMap(namesIn)
    const other = names.map((name) => owner.get(name)).find((one) => one !== undefined)
    if (other === undefined) for (const name of names) owner.set(name, id)
    return other === undefined ? [] : [{ id, because_of: other, why: 'a name in common' }]
  })
}
