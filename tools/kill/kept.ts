import { cpSync, existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import Database from 'libsql'
import { removeTemporary, temporaryFolder } from '../temporary.js'

/** What a run may be doing when it is killed; several at once, for lives run side by side. */
export const PHASES = ['start', 'ingest', 'ask', 'answer', 'judge', 'report'] as const
export type Phase = (typeof PHASES)[number]

const COUNTS = ['attempts', 'ingested', 'asked', 'answered', 'judged'] as const

/** How much of a life is kept. */
type Life = Record<(typeof COUNTS)[number], number>

const NOTHING: Life = { attempts: 0, ingested: 0, asked: 0, answered: 0, judged: 0 }

/** How much of a run is kept, by life. */
export type Kept = ReadonlyMap<string, Life>

const LIVES = `
SELECT subject || ' ' || scenario AS life,
  COALESCE((SELECT count FROM attempt WHERE life = id), 0) AS attempts,
  (SELECT COUNT(*) FROM ingest WHERE life = id) AS ingested,
  (SELECT COUNT(*) FROM witness WHERE life = id) AS asked,
  (SELECT COUNT(*) FROM answer WHERE life = id) AS answered,
  (SELECT COUNT(*) FROM grade WHERE life = id) + (
    SELECT COUNT(*) FROM fact_verdict WHERE snapshot IN (
      SELECT snapshot FROM moment WHERE life = id UNION SELECT retrieved_snapshot FROM witness WHERE life = id
    )
  ) AS judged
FROM life WHERE run = ?`

/**
 * Asks a database that a killed process left. A copy is asked: opening the file would put right what the resumed run is to find as it is.
 *
 * @returns no rows where no table was made yet
 */
export function rowsLeftIn<Row>(file: string, query: string, ...given: string[]): Row[] {
  if (!existsSync(file)) return []
  const folder = temporaryFolder('kept')
  try {
    for (const part of [file, `${file}-wal`]) if (existsSync(part)) cpSync(part, join(folder, basename(part)))
    const db = new Database(join(folder, basename(file)))
    try {
      return db.prepare(query).all(...given) as Row[]
    } catch (error) {
      const made = db.prepare("SELECT COUNT(*) AS n FROM sqlite_master WHERE type = 'table'").get() as { n: number }
      if (made.n === 0) return []
      throw error
    } finally {
      db.close()
    }
  } finally {
    removeTemporary(folder)
  }
}

export function keptOf(home: string, run: string | null): Kept {
  if (run === null) return new Map()
  const rows = rowsLeftIn<Life & { life: string }>(join(home, 'memscope.db'), LIVES, run)
  return new Map(rows.map(({ life, ...counts }) => [life, counts]))
}

/**
 * What a start was doing when it was killed, by what it has added to what was kept before: whatever is not whole in the lives that it worked
 * on. Facts are judged while readers answer.
 */
export function phasesOf(before: Kept, after: Kept, whole: Kept, begun: boolean): Phase[] {
  if (!begun) return ['start']
  const open = [...whole].map(([life, all]) => {
    const [old, now] = [before.get(life) ?? NOTHING, after.get(life) ?? NOTHING]
    return { phases: unfinished(old, now, all), worked: COUNTS.some((name) => old[name] !== now[name]) }
  })
  if (open.every(({ phases }) => phases.length === 0)) return ['report']
  return [...new Set(open.flatMap(({ phases, worked }) => (worked ? phases : [])))]
}

/** The share of questions that are still to be asked. */
export function shareLeft(now: Kept, whole: Kept): number {
  const asked = (kept: Kept) => [...kept.values()].reduce((sum, life) => sum + life.asked, 0)
  return 1 - asked(now) / asked(whole)
}

function unfinished(old: Life, now: Life, all: Life): Phase[] {
  if (now.ingested < all.ingested) return ['ingest']
  if (now.asked < all.asked) return ['ask']
  const answering = now.answered < all.answered
  const judging = now.judged < all.judged && (!answering || now.judged > old.judged)
  return [...(answering ? (['answer'] as const) : []), ...(judging ? (['judge'] as const) : [])]
}
