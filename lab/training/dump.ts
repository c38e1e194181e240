/**
 * What the judge weighs for each fact of labelled cases, one line a fact, for `fit.py`: with the entailment model and by words alone.
 *
 *     node --import jiti/register lab/training/dump.ts cases.jsonl out.jsonl <folder of caches>
 *
 * `own` in place of a file stands for rows of the bundled corpora: every fact in a plain statement, in one damaged version, and left out. With
 * `gone` behind the folder the facts of every sixth case are looked for among the memories of all other cases of their kind, where they are not stored.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createEmbedder } from '../../src/gateway/embed/index.js'
import { createEntailment } from '../../src/gateway/entailment/index.js'
import { factOf, type GoldCase, memoriesOf, parseGold } from '../../src/judges/gold.js'
import { featuresOf } from '../../src/judges/lexical/features.js'
import { cluesOf } from '../../src/judges/lexical/reading.js'
import { StoreIndex } from '../../src/judges/lexical/store/store-index.js'
import { goldCases } from '../../src/suites/memfail/gold.js'
import { TASKS } from '../../src/suites/memfail/material.js'
import { loadOwn } from '../../src/suites/memfail/own-material.js'

const ROWS = 10

/** Each fact once in every third of the cases, in turn: kept, damaged, left out. */
function ownCases(): GoldCase[] {
  const lines = TASKS.flatMap((task) => {
    const material = loadOwn(task)
    const cases = [...goldCases({ ...material, rows: material.rows.slice(0, ROWS) })]
    const facts = [...new Set(cases.map(({ id }) => id.replace(/\/[^/]*$/, '')))]
    return facts.flatMap((id, i) => {
      const own = cases.filter((one) => one.id.startsWith(`${id}/`))
      const damaged = own.filter(({ style }) => style.startsWith('damaged'))
      const versions = [own.find(({ style }) => style === 'plain')!, damaged[i % damaged.length]!]
      const made = versions.map((one, k) => ({ ...one, style: `own-${(i + k) % 3}` }))
      const gone = { ...versions[0]!, style: `own-${(i + 2) % 3}`, memories: [] as string[] }
      const absent = gone.facts.map((fact) => ({ ...fact, label: 'not_stored' as const, support: [] }))
      return [...made, { ...gone, id: `${id}/gone`, facts: absent }]
    })
  })
  return parseGold(lines.map((one) => JSON.stringify({ ...one, id: `own-${one.id}` })).join('\n'), 'own')
}

/** Every sixth case by itself, its facts not stored. */
function withoutSource(all: readonly GoldCase[]): [string, GoldCase[]][] {
  const label = 'not_stored' as const
  return all
    .filter((_, i) => i % 6 === 0)
    .map((one) => [one.id, [{ ...one, facts: one.facts.map((fact) => ({ ...fact, label, support: [] })) }]])
}

const [from = '', to = '', cacheDir = '', gone] = process.argv.slice(2)
const cases = from === 'own' ? ownCases() : parseGold(readFileSync(from, 'utf8'), from)
const embed = await createEmbedder({ model: 'minilm', cacheDir })
const entail = createEntailment({ cacheDir })
const groups = new Map<string, GoldCase[]>()
for (const one of cases) {
  const name = `${one.dataset}/${one.style}`
  groups.set(name, [...(groups.get(name) ?? []), one])
}
const lines: string[] = []
for (const [group, some] of gone ? withoutSource(cases) : groups) {
  const own = gone ? cases.filter(({ id, dataset }) => dataset === some[0]!.dataset && id !== some[0]!.id) : some
  const index = new StoreIndex(own.flatMap(memoriesOf))
  const labelled = some.flatMap((one) => one.facts.map((gold) => ({ one, gold, fact: factOf(one, gold) })))
  const facts = labelled.map(({ fact }) => fact)
  const [model, words] = [await cluesOf(facts, index, { embed, entail }), await cluesOf(facts, index)]
  labelled.forEach(({ one, gold, fact }, i) => {
    const { near, statement } = model[i]!
    const support = gold.support.map((at) => `${one.id}#${at}`)
    const about = { id: fact.id, group, kind: fact.cues.kind, supported: gold.source_supports, gold: gold.label }
    const weighed = { model: featuresOf(model[i]!), words: featuresOf(words[i]!) }
    const { nearest = [], together = [] } = model[i]!.logits ?? {}
    const logits = { nearest: Array.from(nearest), together: Array.from(together) }
    lines.push(JSON.stringify({ ...about, statement, near, support, logits, ...weighed }))
  })
  console.error(group, facts.length)
}
writeFileSync(to, `${lines.join('\n')}\n`)
await Promise.all([embed.close(), entail.close()])
