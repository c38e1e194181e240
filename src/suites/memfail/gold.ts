import type { Cues, FactLabel } from '../../model/index.js'
import type { FactDraft, Material } from './material.js'

/** One labelled case in the format that `memscope judge eval` reads. */
export interface OwnGoldCase {
  id: string
  dataset: string
  style: string
  source: string[]
  memories: string[]
  facts: {
    id: string
    text: string
    evidence?: string[]
    cues: Cues
    label: FactLabel
    support: number[]
    source_supports: true
  }[]
}

/**
 * A corpus as labelled cases: every fact intact, as said and as a plain statement, and in each of its damaged versions. The damaged versions
 * are taken out of the cues, so that a judge has to see the damage for itself. A style holds one version of every fact, for the store of a
 * case is the union of all cases of its style.
 */
export function* goldCases(material: Material): Generator<OwnGoldCase> {
  for (const row of material.rows) {
    for (const [index, fact] of row.facts.entries()) {
      const { damaged = [], ...cues } = fact.cues
      const make = (style: string, memory: string, label: FactLabel): OwnGoldCase => ({
        id: `${material.task}/${row.id}#${index + 1}/${style}`,
        dataset: material.task,
        style,
        source: [row.units[fact.unit]!.text],
        memories: [memory],
        facts: [
          {
            id: 'f',
            text: fact.text,
            ...(fact.evidence && { evidence: fact.evidence }),
            cues,
            label,
            support: [0],
            source_supports: true,
          },
        ],
      })
      yield make('verbatim', row.units[fact.unit]!.text, 'correct')
      yield make('plain', plainStatement(fact), 'correct')
      for (const [i, text] of damaged.entries()) yield make(`damaged-${i + 1}`, text, 'summary_error')
    }
  }
}

/** The fact in one short sentence, from the accepted forms other than those of the source where there are any. */
function plainStatement({ cues, text }: FactDraft): string {
  const form = (role: string, at: number) => {
    const forms = cues.parts.find((part) => part.role === role)?.forms ?? []
    return forms[Math.min(at, forms.length - 1)] ?? ''
  }
  switch (cues.kind) {
    case 'rule':
      return `${form('who', 0)}: ${form('what', 1)}, only ${form('condition', 1)}.`
    case 'preference':
      return `The user likes ${form('value', 1)}.`
    case 'link':
      return `${form('what', 0)} ${form('relation', 0)} ${form('value', 0)}.`
    default:
      return text
  }
}
