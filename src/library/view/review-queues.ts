import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { UserError } from '../../base/errors.js'
import { makePrivateFolder } from '../../base/folders.js'
import { wholeNumber } from '../../base/whole-number.js'
import { GOLD_KINDS, type GoldKind, LABELS, labelsIn } from '../../judges/gold.js'
import type { ReviewQueue } from '../../view/review-queue.js'
import { drawableCases, drawCases, goldKindFrom } from '../judge-sample.js'
import type { KeptRun } from '../kept-run.js'
import { inTurn, writeWhole } from '../whole-file.js'

const Given = z.object({
  kind: z.enum(GOLD_KINDS),
  id: z.string(),
  label: z.string(),
  support: z.array(z.number().int().nonnegative()).optional(),
})

type Kept = Pick<KeptRun, 'record' | 'workshop' | 'store' | 'home'>

/** The queues of a run that were drawn. */
export function reviewQueues(kept: Kept): ReviewQueue[] {
  return GOLD_KINDS.flatMap((kind) => (existsSync(queueFile(kept, kind)) ? queueOf(kept, kind) : []))
}

/** Draws cases of a kind for people to label. A queue that is there stays: labels may be in it. */
export async function drawQueue(kept: Kept, typed: string, n: unknown): Promise<ReviewQueue> {
  const kind = goldKindFrom(typed)
  const most = wholeNumber(
    'n',
    typeof n === 'number' || typeof n === 'string' ? n : n === undefined ? 40 : '',
    1,
    10_000,
  )
  return inTurn(queueFile(kept, kind), async () => {
    if (!existsSync(queueFile(kept, kind))) {
      const found = (await drawableCases(kept))[kind]
      if (found.size === 0)
        throw new UserError(
          `The run ${kept.record.id} has no verdicts on ${kind}.`,
          'Answers and criteria are judged where there is a reader.',
        )
      const cases = await drawCases(found, most, 42)
      makePrivateFolder(kept.home.labels)
      await writeWhole(queueFile(kept, kind), (write) => write(linesOf(cases)), { isPrivate: true })
    }
    return queueOf(kept, kind)
  })
}

/** Writes one label down, one after another, and all there are into the file that `judge eval` reads. */
export async function labelCase(kept: Kept, given: unknown): Promise<ReviewQueue> {
  const { success, data } = Given.safeParse(given)
  if (!success) throw new UserError('Expected a kind, the id of a case and a label.')
  const { kind, id, label, support } = data
  if (label !== '' && !LABELS[kind].includes(label))
    throw new UserError(`"${label}" is no label of ${kind}.`, `Known: ${LABELS[kind].join(', ')}.`)
  return inTurn(queueFile(kept, kind), async () => {
    if (!existsSync(queueFile(kept, kind))) throw new UserError(`No ${kind} were drawn yet.`)
    const { cases } = queueOf(kept, kind)
    const at = cases.findIndex((one) => 'id' in one && one.id === id)
    if (at < 0) throw new UserError(`There is no case "${id}".`)
    const changed = cases.with(at, labelledAs(cases[at]!, label, support))
    const write = (file: string, lines: readonly object[]) =>
      writeWhole(file, (sink) => sink(linesOf(lines)), { isPrivate: true })
    await write(queueFile(kept, kind), changed)
    await write(goldFile(kept, kind), changed.filter(isLabelled))
    return queueOf(kept, kind)
  })
}

function labelledAs(one: object, label: string, support: number[] | undefined): object {
  if ('facts' in one && 'memories' in one && Array.isArray(one.facts)) {
    const found =
      support && Array.isArray(one.memories) ? support.filter((at) => at < (one.memories as unknown[]).length) : []
    return {
      ...one,
      facts: one.facts.map((fact: object) => ({ ...fact, label, support: label === 'not_stored' ? [] : found })),
    }
  }
  if ('criteria' in one && Array.isArray(one.criteria))
    return { ...one, criteria: one.criteria.map((criterion: object) => ({ ...criterion, label })) }
  return { ...one, label }
}

function isLabelled(one: object): boolean {
  return (labelsIn(one) ?? []).every(({ label }) => label !== null)
}

function queueOf(kept: Kept, kind: GoldKind): ReviewQueue {
  const lines = readFileSync(queueFile(kept, kind), 'utf8').split('\n').filter(Boolean)
  const cases = lines.map((line) => JSON.parse(line) as object)
  return { kind, labels: LABELS[kind], cases, file: goldFile(kept, kind), labelled: cases.filter(isLabelled).length }
}

function queueFile(kept: Kept, kind: GoldKind): string {
  return join(kept.home.labels, `${kept.record.id}-${kind}.queue.jsonl`)
}

function goldFile(kept: Kept, kind: GoldKind): string {
  return join(kept.home.labels, `${kept.record.id}-${kind}.jsonl`)
}

function linesOf(cases: readonly object[]): string {
  return cases.map((one) => `${JSON.stringify(one)}\n`).join('')
}
