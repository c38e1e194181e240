import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { releasedSessions } from '../../src/suites/memora/published/write-release.js'
import { tellSessions } from '../../src/suites/memora/talk/talk.js'
import type { LifeTrace } from '../../src/suites/memora/trace.js'

/** A criterion as it is published, without its id. */
export type Wanted = [type: 'memory_presence' | 'forgetting_absence', part: string, text: string]

/** A question as it is published. */
export interface Written {
  task: 'remembering' | 'reasoning' | 'recommending'
  id: string
  text: string
  criteria: Wanted[]
  evidence?: Record<string, unknown>
  /** Items it names as forgotten, with the session that withdrew each. */
  forgotten?: { value: string; session_id: number }[]
}

/** Writes a simulated life in the published layout, with the questions given. */
export function writeRelease(root: string, duration: string, trace: LifeTrace, questions: readonly Written[]): void {
  const folder = join(root, duration, trace.persona)
  mkdirSync(join(folder, 'conversations'), { recursive: true })
  for (const file of releasedSessions(trace, [...tellSessions(trace, 1)])) {
    const name = `session_${String((file as { session_id: number }).session_id).padStart(4, '0')}.json`
    writeFileSync(join(folder, 'conversations', name), JSON.stringify(file))
  }
  const of = (task: Written['task']) => questions.filter((one) => one.task === task).map((one) => published(one, trace))
  const file = {
    persona: trace.persona,
    date_range: { start_date: trace.start, end_date: trace.end },
    questions: { remembering: of('remembering'), reasoning: of('reasoning'), recommending: of('recommending') },
  }
  writeFileSync(join(folder, `evaluation_questions_${trace.persona}.json`), JSON.stringify(file))
}

function published({ id, text, criteria, evidence = {}, forgotten = [] }: Written, { end }: LifeTrace) {
  return {
    question_id: id,
    question: text,
    question_date: end,
    memory_evidence: evidence,
    forgetting_evidence: { forgotten_items: forgotten, total_forgotten_items: forgotten.length },
    evaluation: {
      evaluation_questions: criteria.map(([type, part, wording], at) => ({
        evaluation_question_id: `${id}_eval_${part === '' ? `${type}_${at}` : `memory_presence_${part}_${at}`}`,
        evaluation_question: wording,
        expected_answer: type === 'memory_presence' ? 'yes' : 'no',
        evaluation_type: type,
      })),
    },
  }
}
