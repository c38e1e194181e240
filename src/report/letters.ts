import { FAILURES, type Failure, type Outcome } from '../model/index.js'
import { outcomeWords } from './format.js'

/** What stands for outcomes where there is room for one letter. */
export const LETTERS: Record<Outcome, string> = {
  not_stored: 'S',
  summary_error: 'M',
  not_retrieved: 'R',
  unavailable: 'U',
  stale_memory: 'T',
  stale_answer: 'O',
  reasoning_error: 'A',
  correct: '✓',
  answerable: '✓',
  error: '!',
}

/** Stands for right answers that a suite does not count. */
const UNCOUNTED = '*'

/** The letter of what cost most questions; a space for nothing. */
export function lossLetter(loss: { outcome: Failure | null } | null): string {
  return loss === null ? ' ' : loss.outcome === null ? UNCOUNTED : LETTERS[loss.outcome]
}

/** Letters of losses with their words, in the order of stages, each once: `S not stored`. */
export function lossWords(losses: readonly ({ outcome: Failure | null; words: string } | null)[]): string[] {
  const seen = FAILURES.filter((failure) => losses.some((loss) => loss?.outcome === failure))
  const uncounted = new Set(losses.flatMap((loss) => (loss?.outcome === null ? loss.words : [])))
  return [
    ...seen.map((failure) => `${LETTERS[failure]} ${outcomeWords(failure)}`),
    ...[...uncounted].map((words) => `${UNCOUNTED} ${words}`),
  ]
}
