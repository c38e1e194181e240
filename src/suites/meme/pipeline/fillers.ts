import { z } from 'zod'
import { entryOf } from '../../../base/group-by.js'
import { type Maker, rowStep } from '../../generation/maker.js'
import type { FillerPool, FillerSession, FolderPool } from '../filler/index.js'
import { poolOf } from '../filler/pool.js'
import type { Graph } from '../graph.js'

/** Fillers that are looked at for every gold sentence. */
export const CANDIDATES = 10
/** Turns among which they are found: of one filler several may be near. */
const TURNS = 3 * CANDIDATES

const CONFLICTS = ['none', 'contradiction', 'alternative', 'confusion'] as const

/** Whether a conversation would spoil facts: says the opposite, offers another value, or could be taken for the same thing. */
const fillerConflict = rowStep(
  'filler-conflict',
  z.object({ row: z.number().int(), conflict: z.enum(CONFLICTS) }),
  ({ row }: { row: number; fact: string }) => ({ row, conflict: 'none' as const }),
  'auditor',
)

/** Which fact a filler conflicts with, and how. */
interface FillerConflict {
  fact: string
  conflict: string
}

/**
 * A user's fillers without those that conflict with anything an episode may say: every value of every entity, near by words or by meaning. How
 * many there were and are (the paper's Table 10), and which went for which fact, goes into the funnel.
 */
export async function withoutConflicts(
  maker: Maker,
  pool: FolderPool,
  graph: Pick<Graph, 'data'>,
): Promise<FillerPool> {
  const sessions = Array.from({ length: pool.size }, (_, at) => pool.at(at))
  // By turns: a sentence that conflicts would drown in all that is said around it.
  const turns = sessions.flatMap((session) => session.turns.map(({ text }) => ({ session, text })))
  const nearest = await maker.making.nearest(turns.map(({ text }) => text))
  const facts = graph.data.entities.flatMap(({ facts: [fact], values }) =>
    values.map(({ text }) => fact!.replace('{value}', text)),
  )
  const near = new Map<FillerSession, string[]>()
  for (const fact of facts) {
    const found = new Set((await nearest(fact, TURNS)).map((at) => turns[at]!.session))
    for (const session of [...found].slice(0, CANDIDATES)) entryOf(near, session, () => []).push(fact)
  }
  const judged = await Promise.all(
    [...near].map(async ([session, own]): Promise<[FillerSession, FillerConflict[]]> => {
      const rows = own.map((fact, row) => ({ row, fact }))
      const found = await maker.rows(fillerConflict, rows, () => [], { filler: textOf(session) })
      const verdicts = [...found].map(([row, made]) => {
        return { fact: own[row]!, conflict: 'value' in made ? made.value.conflict : 'no verdict' }
      })
      return [session, verdicts.filter(({ conflict }) => conflict !== 'none')]
    }),
  )
  const bad = judged.filter(([, found]) => found.length > 0)
  const all = bad.flatMap(([, found]) => found)
  const flags = Object.fromEntries(
    CONFLICTS.slice(1).map((kind) => [kind, all.filter(({ conflict }) => conflict === kind).length]),
  )
  const blocked = bad.map(([{ id }, [first]]) => ({ id, ...first! })).sort((a, b) => (a.id < b.id ? -1 : 1))
  maker.funnel.pass('length', pool.size + pool.skipped, Array(pool.skipped).fill('too short or too long'))
  const left = maker.funnel.drop(
    'fillers',
    sessions,
    new Map(bad.map(([session, [first]]) => [session, first!.conflict])),
  )
  maker.funnel.figures.fillers = { before: sessions.length, after: left.length, removed: bad.length, flags, blocked }
  return poolOf(left)
}

function textOf({ turns }: FillerSession): string {
  return turns.map(({ role, text }) => `${role}: ${text}`).join('\n')
}
