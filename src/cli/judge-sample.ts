import { existsSync } from 'node:fs'
import { type LifeResults, readRun } from '../analysis/results.js'
import { UserError, unknownName } from '../base/errors.js'
import { GOLD_KINDS, type GoldKind } from '../judges/gold.js'
import { blindCase, drawStratified, stratumOf } from '../judges/sample.js'
import { answerStratum, blindAnswer, blindCriterion, criterionStratum } from '../judges/sample-answers.js'
import { type Memory, probesByQuestion, type RunStore } from '../model/index.js'
import { plural } from '../report/format.js'
import { type Flags, type Typed, wholeNumber } from './args.js'
import { resultKeys, type Workshop } from './compose.js'
import { withKeptRun } from './kept-run.js'
import { writeWhole } from './whole-file.js'

/** Flags of `judge sample`. */
export const SAMPLE_FLAGS: Flags = {
  of: { type: 'list', value: 'facts|answers|criteria', about: 'sample: what is drawn (default: all that there are)' },
  n: { type: 'text', value: '<n>', about: 'sample: how many cases to draw of each (default 60)' },
  out: { type: 'text', value: '<file.jsonl>', about: 'sample: where they go (default cases.jsonl)' },
  seed: { type: 'text', value: '<n>', about: 'sample: seed of the draw (default 42)' },
}

/** A verdict that may be drawn, and how it becomes a case. */
interface Drawable {
  stratum: string
  blind(id: string): Promise<object>
}

type Found = Record<GoldKind, Map<string, Drawable>>

/**
 * `memscope judge sample <run>`: draws cases for people to label, blind: the files hold no verdict, and neither order nor size tells one.
 * `judge eval --gold` reads them back once labels are written.
 */
export async function sampleCases({ words, text, list }: Typed): Promise<number> {
  const n = wholeNumber('n', text.n ?? '60', 1, 100_000)
  const seed = wholeNumber('seed', text.seed ?? '42', 0)
  const asked = list.of?.map(kindFrom)
  const usage = 'Usage: memscope judge sample <run> [--of facts|answers|criteria] [--n 60] [--out cases.jsonl]'
  return withKeptRun(words[1], { home: text.home, usage }, async ({ record, workshop, store }) => {
    const found = await drawable(record.id, workshop, store)
    const kinds = (asked ?? GOLD_KINDS).filter((kind) => found[kind].size > 0)
    const missing = asked?.find((kind) => found[kind].size === 0) ?? (kinds.length === 0 ? 'facts' : undefined)
    if (missing !== undefined) throw nothingOf(missing, record.id, workshop)
    const files = kinds.map((kind) => ({ kind, out: fileFor(text.out ?? 'cases.jsonl', kind, kinds.length > 1) }))
    for (const { out } of files) if (existsSync(out)) throw refusal(out, 'EEXIST')
    for (const { kind, out } of files) {
      const all = [...found[kind].values()]
      const drawn = drawStratified(all, n, seed)
      const cases = await Promise.all(drawn.map((one, at) => one.blind(`case-${String(at + 1).padStart(3, '0')}`)))
      await write(out, cases)
      process.stdout.write(noteOn(kind, drawn, all, n, out))
    }
    return 0
  })
}

function kindFrom(typed: string): GoldKind {
  const kind = GOLD_KINDS.find((one) => one === typed)
  if (!kind) throw unknownName('kind of case', typed, GOLD_KINDS)
  return kind
}

/** Every verdict of a run once, however many systems, depths or readers share it. */
async function drawable(run: string, workshop: Workshop, store: RunStore): Promise<Found> {
  const found: Found = { facts: new Map(), answers: new Map(), criteria: new Map() }
  const snapshots = new Map<string, Promise<Memory[]>>()
  const heldIn = (snapshot: string) => {
    const held = snapshots.get(snapshot) ?? store.getSnapshot(snapshot)
    snapshots.set(snapshot, held)
    return held
  }
  for await (const life of readRun(run, workshop.plan, resultKeys(workshop), store)) {
    addFacts(found.facts, life, heldIn)
    addAnswers(found, life)
  }
  return found
}

function addFacts(
  found: Map<string, Drawable>,
  { planned: { scenario, subject }, results, moments, verdictIn }: LifeResults,
  heldIn: (snapshot: string) => Promise<Memory[]>,
): void {
  const facts = new Map(scenario.facts.map((fact) => [fact.id, fact]))
  for (const { question, witness } of results) {
    const snapshot = moments.get(witness.probe)?.snapshot
    if (snapshot === undefined || snapshot === null) continue
    for (const id of [...question.needs.flat(), ...question.outdated]) {
      const key = `${snapshot} ${scenario.id} ${id}`
      const verdict = found.has(key) ? undefined : verdictIn(snapshot, id)
      if (!verdict) continue
      const about = { dataset: question.task, style: subject.system, fact: facts.get(id)!, verdict, scenario }
      const blind = async (name: string) => blindCase({ ...about, id: name, held: await heldIn(snapshot) })
      found.set(key, { stratum: stratumOf(verdict), blind })
    }
  }
}

/** Answers that a judge graded, and criteria one by one. What a suite grades by rule needs nobody's eye. */
function addAnswers(found: Found, { planned: { scenario, suite }, results }: LifeResults): void {
  const facts = new Map(scenario.facts.map((fact) => [fact.id, fact]))
  const probes = probesByQuestion(scenario)
  for (const { question, answer: record, grade } of results) {
    const answer = record?.answer
    if (answer == null || !grade || suite.grade(question, answer)) continue
    const { gold } = question
    const key = JSON.stringify([scenario.id, question.id, answer])
    const { time: date } = probes.get(question.id)!
    if (gold.kind === 'criteria') {
      for (const [at, verdict] of (grade.criteria ?? []).entries()) {
        const stratum = criterionStratum(verdict)
        if (stratum === null || found.criteria.has(`${at} ${key}`)) continue
        const blind = async (id: string) => blindCriterion(id, { ...question, date }, answer, gold.criteria, at)
        found.criteria.set(`${at} ${key}`, { stratum, blind })
      }
      continue
    }
    const stratum = answerStratum(grade)
    if (stratum === null || found.answers.has(key)) continue
    const ids = [...new Set([...question.needs.flat(), ...(question.tempting ?? []), ...question.outdated])]
    const own = ids.flatMap((id) => facts.get(id) ?? [])
    found.answers.set(key, {
      stratum,
      blind: async (id) => blindAnswer(id, { question, answer, facts: own, time: date })!,
    })
  }
}

function nothingOf(kind: GoldKind, run: string, { judge }: Workshop): UserError {
  if (kind === 'facts')
    return new UserError(
      `The judge ${judge.facts.name} left no verdicts on facts in the run ${run}.`,
      'Judge it first, with a judge that goes by fact: memscope rejudge <run> --fact-judge lexical',
    )
  return new UserError(
    `The judge ${judge.answers.name} left no verdicts on ${kind} in the run ${run}.`,
    kind === 'answers'
      ? 'Answers are judged where there is a reader, and neither a letter nor criteria decide.'
      : 'Criteria are judged where there is a reader, in suites that grade by criteria.',
  )
}

/** A file of its own for every kind, where there are several. */
function fileFor(out: string, kind: GoldKind, several: boolean): string {
  return several ? out.replace(/(\.[^./\\]*)?$/, (ending) => `-${kind}${ending}`) : out
}

async function write(out: string, cases: readonly object[]): Promise<void> {
  // Never over a file that is there: somebody's labels may be in it.
  if (existsSync(out)) throw refusal(out, 'EEXIST')
  await writeWhole(out, (line) => line(cases.map((one) => `${JSON.stringify(one)}\n`).join('')))
}

function refusal(out: string, code: unknown): UserError {
  return code === 'EEXIST'
    ? new UserError(`${out} is there already, perhaps with labels.`, 'Give --out another name.')
    : new UserError(`${out} cannot be written (${code}).`, 'Give --out a file in a folder you can write to.')
}

/** What people are asked to do, by what they label. */
const TASK_OF: Record<GoldKind, string> = {
  facts: `Read every fact beside its memories and write its "label":
  "correct"        a careful reader recovers the fact exactly from these memories
  "summary_error"  a version is there, but damaged: a condition, number, name or direction is lost or changed
  "not_stored"     no version of it is there
and, if you like, in "support" the places (from 0) of the memories that carry it.`,
  answers: `Read every answer beside its question and what was expected ("gold") and write its "label":
  "right"  it says what was expected, and nothing that contradicts it
  "wrong"  anything else`,
  criteria: `Read every answer beside the question of its criterion and write the criterion's "label":
  "yes"  the answer does what the question asks about
  "no"   it does not
whatever is "expected": that is what a good answer gets. "others" are not to be labelled.`,
}

function noteOn(kind: GoldKind, drawn: readonly Drawable[], all: readonly Drawable[], n: number, out: string): string {
  const strata = new Set(all.map(({ stratum }) => stratum)).size
  const fewer = drawn.length < n ? ` There were no more than ${plural(all.length, 'distinct verdict')}.` : ''
  return `${plural(drawn.length, 'case')} in ${out}, drawn alike from ${plural(strata, 'kind')} of verdict on ${kind} out of ${plural(all.length, 'verdict')}; the file does not say which is which.${fewer}

${TASK_OF[kind]} Do not look at the report while you do.
Two people who label alone and compare afterwards are better than one: memscope judge agree a.jsonl b.jsonl. Rare kinds are
drawn as often as common ones, so the agreement that follows is that of kinds, not of the run as a whole.

Then: memscope judge eval --gold ${out} --judge <name>

`
}
