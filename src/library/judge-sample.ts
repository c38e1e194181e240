import { existsSync } from 'node:fs'
import { type LifeResults, readRun } from '../analysis/results.js'
import { UserError, unknownName } from '../base/errors.js'
import { wholeNumber } from '../base/whole-number.js'
import { GOLD_KINDS, type GoldKind } from '../judges/gold.js'
import { blindCase, drawStratified, stratumOf } from '../judges/sample.js'
import { answerStratum, blindAnswer, blindCriterion, criterionStratum } from '../judges/sample-answers.js'
import { type Memory, probesByQuestion } from '../model/index.js'
import { resultKeys, type Workshop } from './compose.js'
import { hearControl, stoppable } from './control.js'
import { type KeptRun, notesTo, withKeptRun } from './kept-run.js'
import type { Control, DrawnCases, JudgeSampleOptions } from './types.js'
import { writeWhole } from './whole-file.js'

/** A verdict that may be drawn, and how it becomes a case. */
interface Drawable {
  stratum: string
  blind(id: string): Promise<object>
}

export type Drawables = Record<GoldKind, Map<string, Drawable>>

/** Draws cases for people to label, blind: the files hold no verdict, and neither order nor size tells one. */
export async function judgeSample(asked: JudgeSampleOptions, control: Control = {}): Promise<DrawnCases[]> {
  const n = wholeNumber('n', asked.n ?? 60, 1, 100_000)
  const seed = wholeNumber('seed', asked.seed ?? 42, 0)
  const wanted = asked.of === undefined ? undefined : [asked.of].flat().map(goldKindFrom)
  const usage =
    'Usage: memscope judge sample <run> [--of facts|answers|criteria] [--system <names>] [--n 60] [--out cases.jsonl]'
  const work = async (kept: KeptRun) => {
    const { record, workshop } = kept
    const found = await drawableCases(kept, asked.system === undefined ? undefined : [asked.system].flat())
    const kinds = (wanted ?? GOLD_KINDS).filter((kind) => found[kind].size > 0)
    const missing = wanted?.find((kind) => found[kind].size === 0) ?? (kinds.length === 0 ? 'facts' : undefined)
    if (missing !== undefined) throw nothingOf(missing, record.id, workshop)
    const files = kinds.map((kind) => ({ kind, out: fileFor(asked.out ?? 'cases.jsonl', kind, kinds.length > 1) }))
    for (const { out } of files) if (existsSync(out)) throw thereAlready(out)
    const written: DrawnCases[] = []
    for (const { kind, out } of files) {
      const all = [...found[kind].values()]
      const cases = await drawCases(found[kind], n, seed)
      // Never over a file that is there: somebody's labels may be in it.
      if (existsSync(out)) throw thereAlready(out)
      await writeWhole(out, (line) => line(cases.map((one) => `${JSON.stringify(one)}\n`).join('')), {
        isPrivate: true,
      })
      const strata = new Set(all.map(({ stratum }) => stratum)).size
      written.push({ kind, out, drawn: cases.length, all: all.length, strata })
    }
    return written
  }
  const told = hearControl(control)
  return stoppable(told, () => withKeptRun(asked, { usage, note: notesTo(told) }, work))
}

/** Cases of one kind, blind, from every kind of verdict alike. */
export async function drawCases(found: Drawables[GoldKind], n: number, seed: number): Promise<object[]> {
  const drawn = drawStratified([...found.values()], n, seed)
  return Promise.all(drawn.map((one, at) => one.blind(`case-${String(at + 1).padStart(3, '0')}`)))
}

/** What is drawn, from how it was typed. */
export function goldKindFrom(typed: string): GoldKind {
  const kind = GOLD_KINDS.find((one) => one === typed)
  if (!kind) throw unknownName('kind of case', typed, GOLD_KINDS)
  return kind
}

/**
 * Every verdict of a run once, however many systems, depths or readers share it.
 *
 * @param systems those whose verdicts are wanted; all unless given
 */
export async function drawableCases(
  { record, workshop, store }: Pick<KeptRun, 'record' | 'workshop' | 'store'>,
  systems?: readonly string[],
): Promise<Drawables> {
  const known = [...new Set(workshop.plan.lives.map(({ subject }) => subject.system))]
  const stranger = systems?.find((system) => !known.includes(system))
  if (stranger !== undefined) throw unknownName('system in this run', stranger, known)
  const found: Drawables = { facts: new Map(), answers: new Map(), criteria: new Map() }
  const snapshots = new Map<string, Promise<Memory[]>>()
  const heldIn = (snapshot: string) => {
    const held = snapshots.get(snapshot) ?? store.getSnapshot(snapshot)
    snapshots.set(snapshot, held)
    return held
  }
  for await (const life of readRun(record.id, workshop.plan, resultKeys(workshop), store)) {
    if (systems && !systems.includes(life.planned.subject.system)) continue
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
function addAnswers(found: Drawables, { planned: { scenario, suite }, results }: LifeResults): void {
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
      'Judge it first, with a judge that goes by fact: memscope redo <run> --fact-judge lexical',
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

function thereAlready(out: string): UserError {
  return new UserError(`${out} is there already, perhaps with labels.`, 'Give --out another name.')
}
