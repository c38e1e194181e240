import type { Statement } from './episode.js'
import { type Change, type Solution, solve, type World } from './solver.js'

/** What the solver needs to know, taken from what was said and from nothing else. */
function worldOf(statements: readonly Statement[]): World {
  const of = (...stances: Statement['stance'][]) => statements.filter(({ stance }) => stances.includes(stance))
  const before: Record<string, string> = {}
  for (const { entity, value } of of('held', 'dependent')) before[entity] ??= value
  const takenBack = new Map(of('revoked').map((statement) => [statement.entity, statement]))
  return {
    before,
    dependencies: of('dependent').map(({ entity, parent, id }) => ({ entity, parent: parent!.entity, fact: id })),
    rules: of('conditional').map(({ entity, parent, value, id }) => ({
      entity,
      parent: parent!.entity,
      value,
      fact: id,
      ...(parent!.becomes !== undefined && { when: parent!.becomes }),
    })),
    changes: of('changed', 'considered').flatMap(({ id, stance, entity, value }): Change[] => {
      if (id.startsWith('track:')) return []
      if (stance === 'considered') return [{ entity, value, status: 'considered', fact: id }]
      const back = takenBack.get(entity)
      return [back ? { entity, value, status: 'revoked', fact: back.id } : { entity, value, fact: id }]
    }),
    deletions: of('removed').map(({ entity, id }) => ({ entity, fact: id })),
  }
}

/** What holds at the end of an episode, by what was said in it. */
export function solutionOf(statements: readonly Statement[]): Solution {
  return solve(worldOf(statements))
}
