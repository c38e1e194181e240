import { inPercent } from '../../../base/figures.js'
import { meanOfKnown } from '../../../base/sums.js'
import { type LintReport, type Ruled, reportOf, WHOLE } from '../../lint-report.js'
import { compile } from '../compile.js'
import { guessers } from '../guessers.js'
import type { Material, MemfailTask } from '../material.js'
import { chainRules } from './chain-rules.js'
import { conditionalRules } from './conditional-rules.js'
import { type LintCorpus, readCorpus } from './corpus.js'
import { personaRules } from './persona-rules.js'
import { preferenceRules } from './preference-rules.js'
import type { LintRule } from './rule.js'

/** What lint found in the corpus of one task. */
export interface MemfailReport extends Omit<LintReport, 'corpus' | 'figures'> {
  task: MemfailTask
  /** Accuracy of guessers that read nothing, or only the options. */
  guessers: Record<string, number>
}

/** Above these a corpus can be answered without a memory. */
const MOST_BY_GUESSING: Record<string, number> = {
  'always-yes': 0.55,
  'always-no': 0.55,
  'always-abstain': 0.55,
  'rarest-option': 0.3,
  'option-in-store': 0.35,
}

/** Checks a corpus against every rule of its task. `material` is the same corpus as it would be run. */
export function lint(task: MemfailTask, folder: string | undefined, material: Material): MemfailReport {
  const corpus = readCorpus(task, folder)
  const guessed = guesserScores(material)
  const leaks = Object.entries(guessed).flatMap(([name, score]) => {
    const limit = MOST_BY_GUESSING[name]
    if (limit === undefined || score <= limit) return []
    return [{ row: WHOLE, message: `${name} is right in ${inPercent(score)}, at most ${inPercent(limit)} is allowed` }]
  })
  const { rows, rules, violations } = reportOf(task, corpus.rows.length, [
    ...checkAll(corpus),
    { name: 'guessable', about: 'guessers that read no memory stay low', found: leaks },
  ])
  return { task, rows, rules, violations, guessers: guessed }
}

/** Every rule of a task over its rows. */
export function checkAll(corpus: LintCorpus): Ruled[] {
  switch (corpus.task) {
    case 'conditional-easy':
      return check(conditionalRules('easy'), corpus.rows)
    case 'conditional-hard':
      return check(conditionalRules('hard'), corpus.rows)
    case 'coexisting':
      return check(preferenceRules, corpus.rows)
    case 'persona':
      return check(personaRules, corpus.rows)
    case 'long-hop':
      return check(chainRules, corpus.rows)
  }
}

function check<Row>(rules: readonly LintRule<Row>[], rows: readonly Row[]): Ruled[] {
  return rules.map(({ name, about, check: run }) => ({ name, about, found: run(rows) }))
}

function guesserScores(material: Material): Record<string, number> {
  const scenario = compile(material, { seed: 42, pack: 1, replies: 'none' })
  const scores: Record<string, number> = {}
  for (const { name, guess } of guessers) {
    const score = meanOfKnown(guess(scenario))
    if (score !== null) scores[name] = score
  }
  return scores
}
