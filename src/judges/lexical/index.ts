import { giveWay, mapGivingWay } from '../../base/give-way.js'
import { daySpans, isNamed } from '../../language/days.js'
import { defineJudge, type Embedder, type Fact, type FactVerdict, type Judge, type Memory } from '../../model/index.js'
import { gradeAnswer } from './answer.js'
import { tellingAsSaid } from './kinds/core.js'
import { type Finding, type KindJudge, notStored, type Selection } from './kinds/finding.js'
import { link } from './kinds/link.js'
import { preference } from './kinds/preference.js'
import { profile } from './kinds/profile.js'
import { rule } from './kinds/rule.js'
import { judgeState, mentionedOnlyToForget } from './kinds/state.js'
import { statement } from './kinds/statement.js'
import { readingOf } from './similarity.js'
import { StoreIndex } from './store/store-index.js'
import { findAltered, findVerbatim, findWhole, sentencesSaid } from './store/verbatim.js'
import { storeSide } from './store-side.js'

/** Bumped whenever a verdict may change. */
const VERSION = '9'

const KINDS: Record<Exclude<Fact['cues']['kind'], 'state'>, KindJudge> = { link, preference, profile, rule, statement }

/**
 * The deterministic judge: recognises facts by their cues, with inflection, synonyms, numbers, negation, exclusivity and direction. What
 * stands word for word in the store is settled first and with certainty; the rest is weighed. With an embedder, nearness in meaning
 * helps; without one it is judged by shared words.
 *
 * @example await createLexicalJudge({ embed }).judgeFacts(facts, store)
 */
export function createLexicalJudge({ embed }: { embed?: Embedder } = {}): Judge {
  return {
    name: 'lexical',
    key: `lexical:${VERSION}:${embed?.id ?? 'words'}`,
    judgeFacts: (facts, store, signal) => judgeFacts(facts, store, embed, signal),
    judgeStore: storeSide,
    judgeAnswer: async (question, answer) => gradeAnswer(question, answer),
  }
}

export const lexicalJudge = defineJudge({
  name: 'lexical',
  about: 'deterministic, without a key: recognises facts by their words',
  create: ({ embed }) => createLexicalJudge({ embed }),
})

async function judgeFacts(
  facts: readonly Fact[],
  store: readonly Memory[],
  embed: Embedder | undefined,
  signal?: AbortSignal,
): Promise<FactVerdict[]> {
  await giveWay()
  const index = new StoreIndex(store)
  const findings: (Finding | undefined)[] = await mapGivingWay(facts, (fact) => verbatim(fact, index))
  const said = sentencesSaid(facts, index)
  const open = new Map<number, Selection & { kind: KindJudge }>()
  for (const [i, fact] of facts.entries()) {
    await giveWay()
    signal?.throwIfAborted()
    findings[i] ??= altered(fact, index)
    if (findings[i]) continue
    if (fact.cues.kind === 'state') findings[i] = judgeState(fact, index)
    else open.set(i, { kind: KINDS[fact.cues.kind], ...(await KINDS[fact.cues.kind].select(fact, index)) })
  }
  const texts = [...open.values()].flatMap(
    ({ passages, phrases, texts: given }) =>
      given ?? (phrases.length > 0 ? [...phrases, ...passages.map(({ text }) => text)] : []),
  )
  const reading = await readingOf(texts, embed)
  for (const [i, selection] of open) {
    await giveWay()
    signal?.throwIfAborted()
    findings[i] =
      selection.passages.length === 0
        ? notStored('Nothing in the store comes near it.', false)
        : selection.kind.decide(
            facts[i]!,
            { ...selection, asSaid: tellingAsSaid(facts[i]!, selection.passages, said) },
            reading,
          )
  }
  return facts.map((fact, i) => verdict(fact, withDay(fact, findings[i]!, index)))
}

/**
 * What nobody said stands there word for word only where a memory is nothing else; and a value repeated in order to be forgotten is not
 * kept.
 */
function verbatim(fact: Fact, index: StoreIndex): Finding | undefined {
  const isState = fact.cues.kind === 'state'
  const found = isState && fact.sources.length === 0 ? findWhole(fact, index) : findVerbatim(fact, index)
  if (!found) return undefined
  if (isState && fact.cues.stance !== 'removed') {
    found.support = found.support.filter((set) => set.some((id) => !mentionedOnlyToForget(fact, index.memory(id)!)))
    if (found.support.length === 0) return undefined
    const kept = new Set(found.support.flat())
    found.quotes = found.quotes.filter(({ memory }) => kept.has(memory))
  }
  const [first] = found.support
  const where = first!.length === 1 ? first![0] : `${first!.length} memories`
  return { label: 'correct', uncertain: false, reason: `Its own words stand in ${where}.`, ...found }
}

/** Word for word but for its numbers, and from where it was told. */
function altered(fact: Fact, index: StoreIndex): Finding | undefined {
  const found = findAltered(fact, index)
  if (!found) return undefined
  const reason = `Its own words stand in ${found.support[0]!.join(', ')}, but with other numbers.`
  return { label: 'summary_error', uncertain: false, reason, ...found }
}

/**
 * Only what carries the day of a fact beside it keeps it: in its text, or as the time of the memory. Words without their day are not the day;
 * with another one they are a damaged version of it.
 */
function withDay({ cues: { when } }: Fact, finding: Finding, index: StoreIndex): Finding {
  if (when === undefined || finding.label !== 'correct') return finding
  const bears = (id: string) => {
    const { text, time } = index.memory(id)!
    return time?.startsWith(when) === true || isNamed(when, daySpans(text))
  }
  const support = finding.support.filter((set) => set.some(bears))
  if (support.length > 0) return { ...finding, support, reason: `${finding.reason} Its day stands there, too.` }
  const other = finding.support.find((set) => set.some((id) => index.memory(id)!.time !== undefined))
  if (other)
    return { ...finding, label: 'summary_error', support: [other], reason: `${other[0]} tells it of another day.` }
  return { ...notStored('It is there, but without its day.', finding.uncertain) }
}

/** Sets and their members in a fixed order, whatever the order of the store. */
function verdict(fact: Fact, { support, ...rest }: Finding): FactVerdict {
  const sets = support.map((set) => [...new Set(set)].sort())
  const seen = new Map(sets.map((set) => [JSON.stringify(set), set]))
  return { fact: fact.id, ...rest, support: [...seen.keys()].sort().map((key) => seen.get(key)!) }
}
