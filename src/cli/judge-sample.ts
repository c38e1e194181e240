import { existsSync } from 'node:fs'
import { readRun } from '../analysis/results.js'
import { type BlindCase, blindCase, drawStratified, stratumOf } from '../analysis/sample.js'
import { UserError } from '../base/errors.js'
import type { Fact, FactVerdict, Memory, RunStore, Scenario } from '../model/index.js'
import { type Flags, type Typed, wholeNumber } from './args.js'
import { resultKeys, type Workshop } from './compose.js'
import { withKeptRun } from './kept-run.js'
import { writeWhole } from './whole-file.js'

/** Flags of `judge sample`. */
export const SAMPLE_FLAGS: Flags = {
  n: { type: 'text', value: '<n>', about: 'sample: how many cases to draw (default 60)' },
  out: { type: 'text', value: '<file.jsonl>', about: 'sample: where they go (default cases.jsonl)' },
  seed: { type: 'text', value: '<n>', about: 'sample: seed of the draw (default 42)' },
}

interface Drawable {
  stratum: string
  dataset: string
  style: string
  fact: Fact
  verdict: FactVerdict
  snapshot: string
  scenario: Scenario
}

/**
 * `memscope judge sample <run>`: draws cases for people to label, blind: the file holds no verdict, and neither order nor size tells one.
 * `judge eval --gold` reads it back once labels are written.
 */
export async function sampleCases({ words, text }: Typed): Promise<number> {
  const n = wholeNumber('n', text.n ?? '60', 1, 100_000)
  const seed = wholeNumber('seed', text.seed ?? '42', 0)
  const out = text.out ?? 'cases.jsonl'
  const usage = 'Usage: memscope judge sample <run> [--n 60] [--out cases.jsonl]'
  return withKeptRun(words[1], { home: text.home, usage }, async ({ record, workshop, store }) => {
    const all = await drawable(record.id, workshop, store)
    if (all.length === 0) {
      throw new UserError(
        `The judge ${workshop.judge.name} left no verdicts on facts in the run ${record.id}.`,
        'Judge it first, with a judge that goes by fact: memscope rejudge <run> --judge lexical',
      )
    }
    const drawn = drawStratified(all, n, seed)
    await write(out, await casesOf(drawn, store))
    process.stdout.write(noteOn(drawn, all, n, out))
    return 0
  })
}

/** Every verdict of a run once, however many systems, depths or readers share it. */
async function drawable(run: string, workshop: Workshop, store: RunStore): Promise<Drawable[]> {
  const found = new Map<string, Drawable>()
  for await (const { life, results, probes, verdictIn } of readRun(run, workshop.plan, resultKeys(workshop), store)) {
    const facts = new Map(life.scenario.facts.map((fact) => [fact.id, fact]))
    for (const { question, witness } of results) {
      const snapshot = probes.get(witness.probe)?.snapshot
      if (snapshot === undefined || snapshot === null) continue
      for (const id of [...question.needs.flat(), ...question.outdated]) {
        const key = `${snapshot} ${life.scenario.id} ${id}`
        const verdict = found.has(key) ? undefined : verdictIn(snapshot, id)
        if (!verdict) continue
        found.set(key, {
          stratum: stratumOf(verdict),
          dataset: question.task,
          style: life.subject.label,
          fact: facts.get(id)!,
          verdict,
          snapshot,
          scenario: life.scenario,
        })
      }
    }
  }
  return [...found.values()]
}

async function casesOf(drawn: readonly Drawable[], store: RunStore): Promise<BlindCase[]> {
  const snapshots = new Map<string, Memory[]>()
  const cases: BlindCase[] = []
  for (const [at, one] of drawn.entries()) {
    const held = snapshots.get(one.snapshot) ?? (await store.getSnapshot(one.snapshot))
    snapshots.set(one.snapshot, held)
    cases.push(blindCase({ ...one, id: `case-${String(at + 1).padStart(3, '0')}`, held }))
  }
  return cases
}

async function write(out: string, cases: readonly BlindCase[]): Promise<void> {
  // Never over a file that is there: somebody's labels may be in it.
  if (existsSync(out)) throw new UserError(`${out} is there already, perhaps with labels.`, 'Give --out another name.')
  await writeWhole(out, (write) => write(cases.map((one) => `${JSON.stringify(one)}\n`).join('')))
}

function noteOn(drawn: readonly Drawable[], all: readonly Drawable[], n: number, out: string): string {
  const strata = new Set(all.map(({ stratum }) => stratum)).size
  const fewer = drawn.length < n ? ` There were no more than ${all.length} distinct verdicts.` : ''
  return `${drawn.length} cases in ${out}, drawn alike from ${strata} kinds of verdicts out of ${all.length}; the file does not say which is which.${fewer}

Read every fact beside its memories and write its "label":
  "correct"        a careful reader recovers the fact exactly from these memories
  "summary_error"  a version is there, but damaged: a condition, number, name or direction is lost or changed
  "not_stored"     no version of it is there
and, if you like, in "support" the places (from 0) of the memories that carry it. Do not look at the report while you do.
Two people who label alone and compare afterwards are better than one. Rare kinds are drawn as often as common ones, so
the agreement that follows is that of kinds, not of the run as a whole.

Then: memscope judge eval --gold ${out} --judge <name>
`
}
