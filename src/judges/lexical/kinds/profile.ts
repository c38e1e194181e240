import type { Fact } from '../../../model/index.js'
import type { StoreIndex } from '../store/store-index.js'
import type { Passage } from '../store/view.js'
import { coverage, type WordMatch } from '../words/match.js'
import { type Finding, formsOf, type KindJudge, notStored } from './finding.js'
import { names } from './guards.js'

const MEMORIES = 80
/** A memory belongs to a profile when this much of what it says is said there too. */
const BELONGING = 0.62
const STRONG = 0.8

/** Many particulars of one person. Most of them must be kept, under the person's name. */
export const profile: KindJudge = {
  select(fact, index) {
    return { passages: belonging(fact, index), phrases: [] }
  },

  decide(fact, { passages }) {
    if (passages.length === 0) return notStored(`Nothing in the store tells of ${who(fact)}.`, false)
    const text = passages.map((passage) => passage.text).join(' ')
    const kept = detailShare(fact, text)
    const named = passages.some((passage) => names(passage.context, formsOf(fact.cues, 'who')) === 'full')
    if (named && kept >= 0.55) return finding('correct', fact, passages, `${percent(kept)} of the particulars are kept.`, kept < 0.62)
    if (named && kept >= 0.12) {
      return finding('summary_error', fact, passages, `Only ${percent(kept)} of the particulars are kept.`, kept > 0.48 || kept < 0.2)
    }
    if (!named && kept >= 0.25) {
      return finding('summary_error', fact, passages, `Particulars are kept, but not that they are ${who(fact)}'s.`, kept < 0.4)
    }
    return notStored(`Next to nothing of what was said of ${who(fact)} is there.`, kept > 0.1)
  },
}

/** Memories whose content is mostly found in the essay: so those of another person of the same name stay out. */
function belonging(fact: Fact, index: StoreIndex): Passage[] {
  const found: Passage[] = []
  for (const { view } of index.candidates([fact.text], MEMORIES)) {
    const text = view.statements.join(' ')
    if (strongShare(coverage(withoutName(fact, text), fact.text).matches) < BELONGING) continue
    found.push({ memory: view.id, text, context: text, span: view.statements.length })
  }
  return found
}

/** Mean share of every detail that the text keeps, in words that say it as exactly. */
export function detailShare(fact: Fact, text: string): number {
  const details = fact.cues.parts.filter(({ role }) => role === 'detail')
  const shares = details.map(({ forms }) =>
    Math.max(...forms.map((form) => strongShare(coverage(withoutName(fact, form), text).matches))),
  )
  return shares.length === 0 ? 0 : shares.reduce((sum, share) => sum + share, 0) / shares.length
}

function strongShare(matches: readonly WordMatch[]): number {
  const total = matches.reduce((sum, { token }) => sum + token.weight, 0)
  const kept = matches.reduce((sum, { token, strength }) => sum + (strength >= STRONG ? token.weight : 0), 0)
  return total === 0 ? 0 : kept / total
}

function withoutName(fact: Fact, text: string): string {
  const parts = formsOf(fact.cues, 'who').flatMap((name) => [name, ...name.split(/\s+/)])
  return parts.reduce((held, part) => held.replaceAll(part, ' '), text)
}

function finding(label: 'correct' | 'summary_error', fact: Fact, passages: readonly Passage[], reason: string, uncertain: boolean): Finding {
  const named = passages.filter((passage) => names(passage.context, formsOf(fact.cues, 'who')) !== undefined)
  const chosen = label === 'correct' ? named : passages
  return {
    label,
    uncertain,
    support: [chosen.map(({ memory }) => memory)],
    reason,
    quotes: chosen.slice(0, 3).map(({ memory, text }) => ({ memory, text })),
  }
}

function who(fact: Fact): string {
  return formsOf(fact.cues, 'who')[0] ?? 'this person'
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`
}
