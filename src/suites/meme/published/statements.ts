import type { Statement } from '../episode.js'
import { entityWords } from '../solver.js'
import type { Released, ReleasedFact } from './released.js'

/** A statement before it is known where it stands. */
export type Bare = Omit<Statement, 'text' | 'session'>

/**
 * What each fact of an episode states, in the order of its facts: ids tell the kind (`value:`, `dep:`, `rule:`, `track:`, …) as in
 * generated episodes, with a number behind them where a fact is given twice.
 */
export function statementsOf({ skeleton, facts }: Released): Bare[] {
  const taken = new Map<string, number>()
  return facts.map((fact) => {
    const statement = stated(skeleton, fact)
    const times = (taken.get(statement.id) ?? 0) + 1
    taken.set(statement.id, times)
    return times === 1 ? statement : { ...statement, id: `${statement.id}:again ${times}` }
  })
}

/** A statement that a question rests on and no session says, marked as unsupported. */
export function unsupportedStatement(id: string, session: string, bare: Omit<Bare, 'id'>): Statement {
  const { entity, value } = bare
  const why = `No sentence says that ${entityWords(entity)} was "${value}".`
  return { ...bare, id, session, text: `${entityWords(entity)}: ${value}`, unsupported: why }
}

function stated({ entities, root }: Released['skeleton'], { entity, value, parent, kind, exact }: ReleasedFact): Bare {
  const said = (name: string, stance: Statement['stance']): Bare => ({ id: `${name}:${entity}`, stance, entity, value })
  if (kind === 'change') return said('change', 'changed')
  if (kind === 'delete') return said('delete', 'removed')
  if (kind === 'rule') return { ...said('rule', 'conditional'), parent: { entity: parent ?? root } }
  const place = entities[entity]?.history?.indexOf(value) ?? -1
  if (place >= 0) return { ...said('track', place === 0 ? 'held' : 'changed'), id: `track:${entity}:${place + 1}` }
  // The string itself is what must be kept, in whatever sentence.
  if (exact) return { ...said('exact', 'held'), exact: true, evidence: [value] }
  if (parent === undefined) return said('value', 'held')
  const held = entities[parent]?.before ?? undefined
  return { ...said('dep', 'dependent'), parent: { entity: parent, ...(held !== undefined && { value: held }) } }
}
