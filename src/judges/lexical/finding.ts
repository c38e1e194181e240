import type { FactVerdict } from '../../model/index.js'

/** What a fact was found to have become, before it is made a verdict. */
export type Finding = Pick<FactVerdict, 'label' | 'uncertain' | 'probability' | 'support' | 'reason' | 'quotes'>

/** A finding that nothing in the store carries the fact. */
export function notStored(reason: string, uncertain: boolean): Finding {
  return { label: 'not_stored', uncertain, support: [], reason, quotes: [] }
}
