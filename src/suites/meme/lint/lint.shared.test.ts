import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readRelease } from '../published/read.js'
import type { Released } from '../published/released.js'
import { lintPublished, lintRelease } from './published.js'

const counts = ({ rules }: { rules: { name: string; broken: number }[] }) =>
  Object.fromEntries(rules.flatMap(({ name, broken }) => (broken > 0 ? [[name, broken]] : [])))

const shared = join(import.meta.dirname, '../../../../../shared/data/meme')

describe.skipIf(!existsSync(shared))('the published skeletons (skipped when ../shared is absent)', () => {
  it('have the defects of the audit, and what the audit could not see', () => {
    const [report] = lintPublished(shared)
    expect(counts(report!)).toEqual({
      gold: 11,
      ABS_HAS_DECLARED_RULE: 10,
      DEL_IN_CASCADE_CHAIN: 7,
      CAS_BEFORE_NEVER_STATED: 2,
      CAS_AFTER_NULL_LIKE: 4,
      CAS_NOOP: 1,
      ABS_NEVER_STATED: 1,
      CAS2_MIDDLE_DOES_NOT_CHANGE: 2,
      RULE_VALUE_IS_LITERAL_deleted: 1,
      TR_NEVER_STATED: 2,
      'value-collision': 19,
      triples: 1,
      'exact-strings': 1,
      'tracking-order': 1,
    })
    const collided = report!.violations.filter(({ rule }) => rule === 'value-collision')
    expect(new Set(collided.map(({ row }) => row.split(' ')[0])).size).toBe(14)
    expect(report!.figures).toMatchObject({
      flagged: '23 of 100 episodes',
      'deleted entities': 'leaf 41, orphan 33, middle 14, root 12',
    })
    expect(report!.violations.find(({ rule }) => rule === 'triples')!.message).toMatch(/^48 of 50 in personal life/)
    expect(report!.violations.find(({ rule }) => rule === 'exact-strings')!.message).toMatch(/^12 strings for 100/)
  })

  it('are found out when a rule gives the root away', () => {
    const { episodes } = readRelease(shared, 'skeletons.json')
    const leaking = episodes.map((episode): Released => {
      const { root, root_change } = episode.skeleton
      const rule = { ...episode.facts[0]!, entity: root, value: root_change.after, kind: 'rule' as const }
      return { ...episode, facts: [...episode.facts, rule] }
    })
    expect(counts(lintRelease('x', leaking))['spurious-rule']).toBe(100)
  })
})
