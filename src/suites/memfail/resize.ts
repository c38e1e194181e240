import { fold } from '../../base/text.js'
import type { SuiteOptions } from '../../model/index.js'
import type { Material, MaterialRow } from './material.js'

/** Rows a task in the tour. */
const QUICK = 24

/**
 * Fewer rows when fewer are asked for, evenly spaced so that all kinds of rows stay represented. Options of a chain that are ends of other
 * chains keep those chains in the store, unasked: a slice must not make the right option the only one that was ever said.
 */
export function resize(material: Material, size: SuiteOptions['size']): Material {
  const { rows } = material
  const count = size === 'quick' ? QUICK : size === 'paper' ? rows.length : size
  if (count >= rows.length) return material
  const asked = Array.from({ length: count }, (_, i) => rows[Math.floor((i * rows.length) / count)]!)
  const ids = new Set(asked.map(({ id }) => id))
  const unasked = endsOf(rows, optionsOf(asked)).filter(({ id }) => !ids.has(id))
  const kept = [...asked, ...unasked.map((row): MaterialRow => ({ ...row, questions: [] }))]
  return {
    ...material,
    rows: kept,
    audit: material.audit.filter(({ row }) => ids.has(row) || ids.has(row.split('.')[0]!)),
  }
}

function optionsOf(rows: readonly MaterialRow[]): Set<string> {
  return new Set(
    rows.flatMap(({ questions }) => questions.flatMap(({ choices }) => (choices ?? []).map(({ text }) => fold(text)))),
  )
}

/** Rows whose own answer is one of these options. */
function endsOf(rows: readonly MaterialRow[], options: ReadonlySet<string>): MaterialRow[] {
  return rows.filter(({ questions }) =>
    questions.some(({ gold }) => gold.kind === 'choice' && options.has(fold(gold.text))),
  )
}
