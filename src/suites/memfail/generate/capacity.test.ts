import { describe, expect, it } from 'vitest'
import {
  Circumstances,
  CoexistingGrammar,
  FillerFile,
  PersonaGrammar,
} from '../../../corpora/memfail/grammar/schema.js'
import { capacity } from './expand.js'
import { lexiconOf, readGrammar } from './grammar.js'
import { MOST_ROWS } from './index.js'
import { nameCount } from './names.js'

const BLOCK = 60
const MOST_IN_FAMILY = 32
const MOST_OF_CLASS = 3
const MOST_PREFERENCES = 5

describe('the grammars are large enough for as many rows as may be asked for', () => {
  it('with names of everybody', () => {
    for (const kind of ['woman', 'man']) expect(2 * nameCount(kind), kind).toBeGreaterThanOrEqual(MOST_ROWS)
    for (const kind of ['family', 'pet', 'character']) expect(nameCount(kind), kind).toBeGreaterThanOrEqual(MOST_ROWS)
  })

  it('with circumstances and preferences', () => {
    const { categories, shapes } = readGrammar('coexisting', CoexistingGrammar)
    const { occasions, details } = readGrammar('circumstances', Circumstances)
    const fitting = occasions.map(({ without }) => details.filter(({ kind }) => !without.includes(kind)).length)
    const circumstances = fitting.reduce((sum, count) => sum + count, 0)
    // At most as many are left out as there are categories, so that no divisor is shared.
    expect(categories.length * (circumstances - categories.length)).toBeGreaterThanOrEqual(MOST_ROWS)
    for (const { name, shape, heads } of categories) {
      const size = capacity(shapes[shape]!.name, { ...lexiconOf('coexisting'), head: heads })
      expect(size, name).toBeGreaterThanOrEqual((MOST_PREFERENCES * MOST_ROWS) / categories.length)
    }
  })

  it('with anchors of every class', () => {
    const size = (kind: string) => capacity(`{anchor-${kind}}`, lexiconOf('long-hop'))
    for (const kind of ['thing', 'event', 'place', 'person', 'action'])
      expect(size(kind), kind).toBeGreaterThanOrEqual(MOST_OF_CLASS * MOST_ROWS)
    for (const kind of ['mood', 'dish'])
      expect(size(kind), kind).toBeGreaterThanOrEqual((MOST_IN_FAMILY * MOST_ROWS) / BLOCK)
  })

  it('with details and sentences that do not come back for a long time', () => {
    for (const { id, vars } of readGrammar('persona', PersonaGrammar).details)
      expect(capacity(vars, lexiconOf('persona')), id).toBeGreaterThanOrEqual(30_000)
    for (const [category, task] of [
      ['person', 'persona'],
      ['pet', 'conditional'],
      ['character', 'conditional'],
    ]) {
      for (const filler of readGrammar(`fillers-${category}`, FillerFile))
        expect(capacity(filler, lexiconOf(task!)), filler).toBeGreaterThanOrEqual(30_000)
    }
  })
})
