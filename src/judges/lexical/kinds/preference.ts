import { attitude } from '../../../language/markers.js'
import { coverage } from '../../../language/match.js'
import { contentTokens } from '../../../language/tokens.js'
import type { Fact } from '../../../model/index.js'
import type { Passage } from '../store/view.js'
import { type FactReading, type Finding, formsOf, inPassages, type KindJudge, notStored, short } from './finding.js'
import { isRefused, ofRelative, ofSomebodyElse, ofThirdPerson } from './guards.js'
import { naming } from './naming.js'
import { judgeExplicitPreference, selectPreference } from './preference-explicit.js'
import { bestPassages } from './select.js'

/** How well a passage names a preference and tells what was told of it. */
interface Evidence {
  passage: Passage
  /** Whether the thing itself is named, by a word that means no other thing. */
  named: number
  /** How much of what is said about it is there. */
  told: number
  /** How much of what the passage says was said of it; another thing of the same sort brings words of its own. */
  own: number
  near: number
}

/** How much of a trace makes a damaged version; learned on labelled cases and on facts whose source was removed. */
const TRACE = 0.76
const WIDTH = { memories: 14, span: 3, keep: 6 }

/** A thing the user likes or uses. It must be named; a wider word ("Asia" for "Japan") is a damaged version. */
export const preference: KindJudge = {
  async select(fact, index) {
    if (fact.cues.explicit) return selectPreference(fact, index)
    const names = formsOf(fact.cues, 'value')
    const passages = await bestPassages(
      index,
      [...names, fact.text],
      WIDTH,
      ({ text }) => naming(names, text) + 0.8 * telling(fact, text) + coverage(text, fact.text).core,
    )
    return { passages, phrases: [fact.text] }
  },

  decide(fact, selection, reading) {
    if (fact.cues.explicit) return judgeExplicitPreference(fact, selection, reading)
    const { passages } = selection
    const found = passages.map((passage) => weigh(fact, passage, reading))
    const faithful = found.filter((one) => isNamed(one) && !isTurned(fact, one.passage))
    if (faithful.length > 0) return kept(fact, faithful)
    const turned = found.find(isNamed)
    if (turned)
      return inPassages(
        'summary_error',
        [turned.passage],
        `${name(fact)} is there, but turned round or told of somebody else.`,
        true,
      )
    return damagedOrGone(fact, found)
  },
}

function weigh(fact: Fact, passage: Passage, reading: FactReading): Evidence {
  return {
    passage,
    named: naming(formsOf(fact.cues, 'value'), passage.text),
    told: telling(fact, passage.text),
    own: coverage(passage.text, fact.text).core,
    near: reading.similarity(fact.text, passage.text),
  }
}

/**
 * Named outright in a passage that is about the same thing; or by a relative of its name ("Italian" for "Italy") or part of it in one that
 * tells the same of it or little else, for siblings have relatives in common.
 */
function isNamed({ named, told, own, near }: Evidence): boolean {
  if (named >= 0.99) return near >= 0.36
  if (named >= 0.78) return near >= 0.7 || (near >= 0.4 && (told >= 0.35 || own >= 0.7))
  return named >= 0.55 && near >= 0.55 && told >= 0.4
}

function isTurned(fact: Fact, passage: Passage): boolean {
  return (
    (attitude(passage.text) < 0 && attitude(fact.text) >= 0) ||
    ofSomebodyElse(fact, passage) ||
    ofRelative(fact, passage) ||
    ofThirdPerson(fact, passage) ||
    isRefused(fact, passage)
  )
}

function kept(fact: Fact, faithful: Evidence[]): Finding {
  const ranked = [...faithful].sort((a, b) => strength(b) - strength(a))
  const best = ranked[0]!
  const equals = ranked.filter((one) => one.named >= 0.78 && strength(one) >= strength(best) - 0.35)
  const chosen = equals.length > 0 ? equals : [best]
  const uncertain = best.named < 0.9 || best.near < 0.5
  return inPassages(
    'correct',
    narrow(chosen).map(({ passage }) => passage),
    `${name(fact)} is named in ${best.passage.memory}.`,
    uncertain,
  )
}

function damagedOrGone(fact: Fact, found: readonly Evidence[]): Finding {
  const best = [...found].sort((a, b) => trace(b) - trace(a))[0]
  if (!best || trace(best) < TRACE) {
    return notStored(
      `Nothing in the store names ${name(fact)} or tells what was said of it.`,
      best !== undefined && (trace(best) > TRACE - 0.12 || found.some(({ named }) => named >= 0.6)),
    )
  }
  const reason = `What was said of ${name(fact)} is in ${best.passage.memory}, but it is no longer named.`
  return inPassages(
    'summary_error',
    [best.passage],
    reason,
    trace(best) < TRACE + 0.15 || best.named > 0.3 || best.told > 0.8,
  )
}

function trace({ near, told, own }: Evidence): number {
  return own + 0.33 * told + 0.25 * near
}

/** The shortest passage of each memory; longer ones only repeat it. */
function narrow(found: readonly Evidence[]): Evidence[] {
  const shortest = new Map<string, Evidence>()
  for (const one of found) {
    const held = shortest.get(one.passage.memory)
    if (!held || one.passage.span < held.passage.span) shortest.set(one.passage.memory, one)
  }
  return [...shortest.values()]
}

function strength({ named, told, near }: Evidence): number {
  return named + 0.5 * told + near
}

/** What the sentence says beside the name. */
function telling(fact: Fact, text: string): number {
  const named = new Set(formsOf(fact.cues, 'value').flatMap((form) => contentTokens(form).map((token) => token.text)))
  const rest = contentTokens(fact.text).filter((token) => !named.has(token.text))
  return rest.length === 0 ? 0 : coverage(rest.map((token) => token.text).join(' '), text).score
}

function name(fact: Fact): string {
  return short(formsOf(fact.cues, 'value')[0] ?? fact.text)
}
