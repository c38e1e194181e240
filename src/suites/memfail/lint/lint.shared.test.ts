import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadTask } from '../load.js'
import type { MemfailTask } from '../material.js'
import { lint } from './index.js'

const release = join(import.meta.dirname, '../../../../../shared/data/memfail')
const auditFile = join(import.meta.dirname, '../../../../../shared/data/memfail-figures/data_audit.json')

describe.skipIf(!existsSync(release))('the published data (skipped when ../shared is absent)', () => {
  const found = (task: MemfailTask, ...rules: string[]) => {
    const { violations } = lint(task, release, loadTask(task, release, 'released'))
    return new Set(violations.filter(({ rule }) => rules.includes(rule)).map(({ row }) => row))
  }
  const audit: Record<string, Record<string, unknown>> = existsSync(auditFile)
    ? JSON.parse(readFileSync(auditFile, 'utf8'))
    : {}
  const listed = (section: string, beginning: string): string[] => {
    const [, value] = Object.entries(audit[section]!).find(([name]) => name.startsWith(beginning))!
    if (Array.isArray(value)) return value.map((row: unknown) => (Array.isArray(row) ? row.join('.') : String(row)))
    return Object.values(value as Record<string, string[]>).flat()
  }

  const findable: [task: MemfailTask, section: string, beginning: string, rules: string[]][] = [
    ['conditional-easy', 'conditional_easy', 'negative_polarity', ['label']],
    ['conditional-easy', 'conditional_easy', 'condition_met_label', ['situation']],
    ['conditional-easy', 'conditional_easy', 'rows_sharing', ['unique-name']],
    ['conditional-easy', 'conditional_easy', 'no_exclusive', ['explicit-connective']],
    ['conditional-hard', 'conditional_hard', 'numeric_threshold', ['entailment']],
    ['conditional-hard', 'conditional_hard', 'negative_polarity', ['label']],
    ['conditional-hard', 'conditional_hard', 'explicit_forbidden', ['forbidden-connective']],
    ['conditional-hard', 'conditional_hard', 'condition_not_met', ['exclusivity']],
    ['conditional-hard', 'conditional_hard', 'rows_sharing', ['unique-name']],
    ['coexisting', 'coexisting', 'rows_affected', ['preference-collision']],
    ['persona', 'persona', 'misleading_question_names', ['misleading-names-entity']],
    ['persona', 'persona', 'essays_under', ['sentence-count']],
    ['persona', 'persona', 'misleading_distractor_has_essay', ['distractor-absent']],
    ['long-hop', 'long_hop', 'anchor_not_literal', ['anchor-in-facts']],
    ['long-hop', 'long_hop', 'anchors_shared', ['anchor-shared']],
    ['long-hop', 'long_hop', 'distractor_equals', ['distractor-is-anchor']],
    ['long-hop', 'long_hop', 'chains_with_anchor', ['anchor-elsewhere']],
  ]
  for (const [task, section, beginning, rules] of findable) {
    it(`has every audited defect found: ${section}, ${beginning}`, () => {
      const rows = found(task, ...rules)
      expect(listed(section, beginning).filter((row) => !rows.has(row))).toEqual([])
    })
  }

  it('is called defective no more often than people did where people read every row', () => {
    const numbers = found('conditional-hard', 'entailment')
    expect([...numbers].filter((row) => !listed('conditional_hard', 'numeric_threshold').includes(row))).toEqual([])
    const strangers = found('persona', 'distractor-absent')
    expect(strangers.size).toBe(157 - listed('persona', 'misleading_distractor_has_no').length)
  })
})
