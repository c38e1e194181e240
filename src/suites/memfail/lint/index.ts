import { inPercent } from '../../../base/percent.js'
import type { Violation } from '../../../model/index.js'
import { compile } from '../compile.js'
import { guessers } from '../guessers.js'
import type { Material, MemfailTask } from '../material.js'
import { chainRules } from './chain-rules.js'
import { conditionalRules } from './conditional-rules.js'
import { type LintCorpus, readCorpus } from './corpus.js'
import { personaRules } from './persona-rules.js'
import { preferenceRules } from './preference-rules.js'
import { type LintRule, WHOLE } from './rule.js'

/** What lint found in the corpus of one task. */
export interface MemfailReport {
  task: MemfailTask
  rows: number
  rules: { name: string; about: string; broken: number }[]
  violations: Violation[]
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
  const { rules, violations } = checkAll(corpus)
  const guessed = guesserScores(material)
  const leaks = Object.entries(guessed).flatMap(([name, score]): Violation[] => {
    const limit = MOST_BY_GUESSING[name]
    if (limit === undefined || score <= limit) return []
    return [
      {
        rule: 'guessable',
        row: WHOLE,
        message: `${name} is right in ${inPercent(score)}, at most ${inPercent(limit)} is allowed`,
      },
    ]
  })
  return {
    task,
    rows: corpus.rows.length,
    rules: [...rules, { name: 'guessable', about: 'guessers that read no memory stay low', broken: leaks.length }],
    violations: [...violations, ...leaks],
    guessers: guessed,
  }
}

/** Every rule of a task over its rows. */
export function checkAll(corpus: LintCorpus): Pick<MemfailReport, 'rules' | 'violations'> {
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

function check<Row>(
  rules: readonly LintRule<Row>[],
  rows: readonly Row[],
): Pick<MemfailReport, 'rules' | 'violations'> {
  const violations: Violation[] = []
  const summary = rules.map(({ name, about, check: run }) => {
    const found = run(rows)
    violations.push(...found.map((violation) => ({ rule: name, ...violation })))
    return { name, about, broken: found.length }
  })
  return { rules: summary, violations }
}

function guesserScores(material: Material): Record<string, number> {
  const scenario = compile(material, { seed: 42, pack: 1, replies: 'none' })
  const scores: Record<string, number> = {}
  for (const { name, guess } of guessers) {
    const chances = guess(scenario).filter((chance) => chance !== null)
    if (chances.length > 0) scores[name] = chances.reduce((sum, chance) => sum + chance, 0) / chances.length
  }
  return scores
}
