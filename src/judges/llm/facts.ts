import { z } from 'zod'
import { splitIntoBatches } from '../../base/batches.js'
import { fenced } from '../../base/fence.js'
import { type Fact, type FactVerdict, type Llm, type Memory, UnjudgedError } from '../../model/index.js'
import type { PromptFile } from './prompt.js'
import { byNumber, type Round, runBatches, settle } from './settle.js'
import { type Shown, type StoreLimits, StoreView } from './store-view.js'
import { describeTarget, targetKind } from './target.js'

/** Most targets of one call. */
export const MOST_TARGETS = 20

/** Reason first: what is written before a verdict can still change it. */
const Reply = z.object({
  verdicts: z.array(
    z.object({
      id: z.number().int(),
      reason: z.string(),
      memories: z.array(z.array(z.number().int())),
      stored: z.boolean(),
      faithful: z.boolean(),
    }),
  ),
})

type Entry = z.infer<typeof Reply>['verdicts'][number]

/**
 * Has a model say what became of facts in a store, many facts a call, the store first. Facts without a usable verdict are told by an
 * `UnjudgedError`, which holds the verdicts on all others.
 */
export async function judgeFactsWith(
  llm: Llm,
  facts: readonly Fact[],
  store: readonly Memory[],
  limits: StoreLimits,
  prompts: PromptFile,
  signal?: AbortSignal,
): Promise<FactVerdict[]> {
  if (store.length === 0) return facts.map((fact) => absent(fact, 'The store is empty.', false))
  const view = new StoreView(store, limits)
  const settled = await runBatches(splitIntoBatches(facts, MOST_TARGETS), (batch) => {
    const shown = view.shownFor(batch)
    if (shown.count === 0) {
      const verdicts = batch.map((fact) => absent(fact, 'Nothing in the store shares a word with it.', true))
      return Promise.resolve(verdicts.map((verdict) => ({ verdict })))
    }
    return settle(batch, (targets, complaint) => askOnce(llm, prompts, targets, shown, complaint, signal))
  })
  const verdicts = settled.flatMap((one) => ('verdict' in one ? [one.verdict] : []))
  const failures = settled.flatMap((one, i) => ('failure' in one ? [{ fact: facts[i]!.id, reason: one.failure }] : []))
  if (failures.length > 0) throw new UnjudgedError(verdicts, failures)
  return verdicts
}

async function askOnce(
  llm: Llm,
  prompts: PromptFile,
  targets: readonly Fact[],
  shown: Shown,
  complaint: string | null,
  signal?: AbortSignal,
): Promise<Round<FactVerdict>> {
  const { object } = await llm.generate(
    {
      messages: [
        { role: 'system', content: prompts.system() },
        { role: 'user', ...messageOf(prompts, targets, shown, complaint) },
      ],
      schema: Reply,
      temperature: 0,
    },
    { role: 'judge', label: `${targets.length} facts from ${targets[0]!.id}`, ...(signal && { signal }) },
  )
  const { entries, complaint: wrong } = byNumber(object.verdicts, targets.length)
  const complaints = new Set(wrong === null ? [] : [wrong])
  const verdicts = entries.map((entry, i) => {
    if (entry === null) return null
    const verdict = verdictOf(targets[i]!, entry, shown)
    if (typeof verdict !== 'string') return verdict
    complaints.add(verdict)
    return null
  })
  return { verdicts, complaint: complaints.size > 0 ? [...complaints].join('; ') : null }
}

/** The same beginning for every call over the same store: nothing about the targets stands before the memories. */
function messageOf(
  prompts: PromptFile,
  targets: readonly Fact[],
  shown: Shown,
  complaint: string | null,
): { content: string; shared: number } {
  const listed = targets.map((fact, i) => describeTarget(fact, i + 1)).join('\n')
  const kinds = [...new Set(targets.map(targetKind))].sort()
  const vague = targets.some(({ unsupported }) => unsupported !== undefined)
  const store = fenced('memories', shown.text, listed)
  const content = [
    store,
    [...kinds, ...(vague ? ['source'] : [])].map((kind) => prompts.section(kind)).join('\n'),
    fenced('targets', listed, shown.text),
    prompts.fill('close', { targets: targets.length, memories: shown.count }),
    ...(complaint === null ? [] : [prompts.fill('complaint', { complaint })]),
  ].join('\n\n')
  return { content, shared: store.length }
}

/** A verdict, or what is wrong with the entry. */
function verdictOf(fact: Fact, { stored, faithful, memories, reason }: Entry, shown: Shown): FactVerdict | string {
  if (faithful && !stored) return 'a target was called faithful but not stored'
  const support = shown.idsOf(memories)
  if (support === null) return `a memory number was not between 1 and ${shown.count}`
  if (faithful && support.length === 0) return 'a faithful target had no memories'
  const told = shown.partial ? `${reason} (Read: the ${shown.count} likeliest memories of a large store.)` : reason
  if (!stored) return absent(fact, told, shown.partial)
  return {
    fact: fact.id,
    label: faithful ? 'correct' : 'summary_error',
    uncertain: false,
    support,
    reason: told,
    quotes: [],
  }
}

/** What was not found among a part of the store may be in the rest. */
function absent(fact: Fact, reason: string, uncertain: boolean): FactVerdict {
  return { fact: fact.id, label: 'not_stored', uncertain, support: [], reason, quotes: [] }
}
