import { inPercent } from '../../../base/percent.js'
import { fold } from '../../../base/text.js'
import { coverage } from '../../../language/match.js'
import { strongShare } from '../../../language/strong.js'
import type { Fact } from '../../../model/index.js'
import type { StoreIndex } from '../store/store-index.js'
import type { Passage } from '../store/view.js'
import { type Finding, formsOf, type KindJudge, notStored } from './finding.js'
import { names } from './guards.js'

const MEMORIES = 80
/** A memory surely belongs to a profile when this much of what it says is said there too. */
const SURE = 0.7
/** With the person's name, less may do: summaries speak in wider words. */
const MAYBE = 0.42

const OPENING_PRONOUN = /^(?:he|she|his|her|they|their)\b/i
const FULL_NAME = /\b\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}+/gu

/** Many particulars of one person. Most of them must be kept, under the person's name. */
export const profile: KindJudge = {
  async select(fact, index) {
    return { passages: belonging(fact, index), phrases: [] }
  },

  decide(fact, { passages }) {
    if (passages.length === 0) return notStored(`Nothing in the store tells of ${who(fact)}.`, false)
    const own = passages.filter((passage) => belongs(fact, passage) >= SURE)
    const [kept, surely] = [detailShare(fact, passages), detailShare(fact, own)]
    const named = passages.some((passage) => isNamed(fact, passage))
    if (named && kept >= 0.58 && surely >= 0.35) {
      return finding('correct', fact, passages, `${inPercent(kept, 0)} of the particulars are kept.`, kept < 0.66)
    }
    if (named && (kept >= 0.38 || surely >= 0.15)) {
      return finding(
        'summary_error',
        fact,
        passages,
        `Only ${inPercent(kept, 0)} of the particulars are kept.`,
        kept > 0.5 || surely < 0.15,
      )
    }
    if (!named && surely >= 0.31) {
      return finding(
        'summary_error',
        fact,
        own,
        `Particulars are kept, but not that they are ${who(fact)}'s.`,
        surely < 0.36,
      )
    }
    return notStored(`Next to nothing of what was said of ${who(fact)} is there.`, surely > 0.25)
  },
}

/** Memories whose content is mostly found in the essay: so those of another person of the same name stay out. */
function belonging(fact: Fact, index: StoreIndex): Passage[] {
  return index
    .candidates([fact.text], MEMORIES)
    .map(({ view }): Passage => {
      const text = view.statements.join(' ')
      return { memory: view.id, text, context: text, span: view.statements.length }
    })
    .filter((passage) =>
      isNamed(fact, passage)
        ? belongs(fact, passage) >= MAYBE
        : isNameless(fact, passage) && belongs(fact, passage) >= SURE,
    )
}

/** Tells of somebody without saying whom: no name of another, and no pronoun for one named elsewhere. */
function isNameless(fact: Fact, { text }: Passage): boolean {
  if (OPENING_PRONOUN.test(text)) return false
  const essay = fold(fact.text)
  const strange = [...text.matchAll(FULL_NAME)].some(([name]) => !essay.includes(fold(name)))
  return !strange
}

/** How much of what a memory says is said in the essay too. */
function belongs(fact: Fact, { text }: Passage): number {
  return strongShare(withoutName(fact, text), fact.text)
}

function isNamed(fact: Fact, { context }: Passage): boolean {
  return names(context, formsOf(fact.cues, 'who')) === 'full'
}

/** Mean share of every detail that the memories keep. */
function detailShare(fact: Fact, passages: readonly Passage[]): number {
  const text = passages.map((passage) => passage.text).join(' ')
  const details = fact.cues.parts.filter(({ role }) => role === 'detail')
  const shares = details.map(({ forms }) =>
    Math.max(...forms.map((form) => coverage(withoutName(fact, form), text).score)),
  )
  return shares.length === 0 ? 0 : shares.reduce((sum, share) => sum + share, 0) / shares.length
}

function withoutName(fact: Fact, text: string): string {
  const parts = formsOf(fact.cues, 'who').flatMap((name) => [name, ...name.split(/\s+/)])
  return parts.reduce((held, part) => held.replaceAll(part, ' '), text)
}

function finding(
  label: 'correct' | 'summary_error',
  fact: Fact,
  passages: readonly Passage[],
  reason: string,
  uncertain: boolean,
): Finding {
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
