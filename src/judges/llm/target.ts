import { field } from '../../base/fence.js'
import type { CueRole, Fact, Stance } from '../../model/index.js'

/** How a fact is judged; each has a section of its own in the prompt. */
export type TargetKind = Exclude<Fact['cues']['kind'], 'state'> | 'spread-rule' | Stance

/** The variant by which a fact is judged: rules told in parts are looked for leniently and checked strictly, states by their stance. */
export function targetKind(fact: Fact): TargetKind {
  if (fact.cues.kind === 'state') return fact.cues.stance ?? 'held'
  return fact.cues.kind === 'rule' && fact.spread ? 'spread-rule' : fact.cues.kind
}

/**
 * A fact as a target of a judgement: its number and kind, and below what has to be looked for. Rules are told by their parts and the
 * sentences that state them, not by the essay around them.
 */
export function describeTarget(fact: Fact, number: number): string {
  return [`[${number}] ${targetKind(fact)}`, ...fieldsOf(fact)].join('\n')
}

/** The first form of a part of a fact: for imported facts the published one. */
export function formOf(fact: Fact, role: CueRole): string | undefined {
  return fact.cues.parts.find((part) => part.role === role)?.forms[0]
}

/** The sentences that state a fact, as narrowly as they are known. */
export function sayingsOf(fact: Fact): string[] {
  if (fact.evidence && fact.evidence.length > 0) return fact.evidence
  if (fact.cues.kind !== 'rule') return [fact.text]
  const stating = fact.cues.parts.filter(({ role }) => role === 'what' || role === 'condition')
  const derived = [...new Set(stating.flatMap(({ forms }) => forms.slice(1)))]
  return fact.cues.explicit || derived.length === 0 ? [fact.text] : derived
}

/** What of a fact may be found again in a store. */
export function textsOf(fact: Fact): string[] {
  const forms = fact.cues.parts.filter(({ role }) => role !== 'relation').map((part) => part.forms[0]!)
  return [...forms, ...sayingsOf(fact)]
}

function fieldsOf(fact: Fact): string[] {
  const { cues } = fact
  const shown: [string, string | undefined][] = []
  if (cues.kind === 'rule') {
    shown.push(['who', formOf(fact, 'who')], ['does', formOf(fact, 'what')], ['when', formOf(fact, 'condition')])
    if (cues.exclusive) shown.push(['only then', 'yes'])
    shown.push(fact.unsupported === undefined ? ['said', sayingsOf(fact).join(' ')] : ['source', fact.text])
  } else if (cues.kind === 'state') {
    shown.push(['thing', formOf(fact, 'what')], ['value', formOf(fact, 'value')])
    const parent = cues.parts.find(({ role }) => role === 'condition')?.forms
    if (cues.stance === 'dependent') shown.push(['rests on', parent && [parent[0], ...parent.slice(-1)].join(', ')])
    if (cues.stance === 'conditional') shown.push(['waits for', parent?.[0]])
    shown.push([fact.sources.length > 0 ? 'said' : 'concluded', fact.text])
  } else {
    if (cues.kind === 'preference') shown.push(['names', formOf(fact, 'value')])
    if (cues.kind === 'profile' || cues.kind === 'statement') shown.push(['who', formOf(fact, 'who')])
    shown.push(['said', sayingsOf(fact).join(' ')])
  }
  if (cues.when !== undefined) shown.push(['with its day', cues.when])
  return shown.flatMap(([name, text]) => (text === undefined || text === '' ? [] : [field(name, text)]))
}
