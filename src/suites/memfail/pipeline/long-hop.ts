import { z } from 'zod'
import { splitIntoBatches } from '../../../base/batches.js'
import { Random } from '../../../base/random.js'
import { fold } from '../../../base/text.js'
import type { LongHopRow } from '../../../corpora/memfail/schema.js'
import { fill } from '../../generation/fill.js'
import { BATCH, type CallStep, type Maker, type Refusal, rowStep } from '../../generation/maker.js'
import { longHopRows } from '../generate/long-hop.js'
import { keyOf, placeInBlock } from '../generate/permutation.js'
import { compatible, filterRows, type RowReading, refusals } from './reading.js'

const MOST_HOPS = 3
/** Chains that are looked through together for conflicts, after all were at once, and how far the window goes on. */
export const WINDOW = 20
export const STEP = 10
const OPTIONS = 5

/** What a chain may end in, where options are ends of other chains: with five of a kind, each chain has four others to choose from. */
const ENDS = ['mood', 'action', 'dish', 'thing', 'person', 'place'] as const

interface ChainSpec {
  row: number
  hops: number
  /** Left to the model by the paper's rules. */
  ends_in?: string
}

const Chain = z.object({
  row: z.number().int(),
  voice: z.enum(['first-person', 'named']),
  facts: z.array(z.object({ text: z.string().min(1), relation: z.string().min(1) })),
  anchors: z.array(z.string().min(1)),
  question: z.string().min(1),
  answer: z.string().min(1),
})
type Chain = z.infer<typeof Chain>

/** Told besides: "earlier", how every chain that there is begins and ends. */
export const chains = rowStep<ChainSpec, Chain>('long-hop', Chain, rehearsed)

const Conflicts = z.object({ drop: z.array(z.object({ id: z.string(), because_of: z.string(), why: z.string() })) })

const conflicts: CallStep<{ chains: { id: string; facts: string[] }[] }, z.infer<typeof Conflicts>> = {
  name: 'long-hop-conflicts',
  role: 'auditor',
  reply: Conflicts,
  rehearse: () => ({ drop: [] }),
}

const Wrong = z.object({ options: z.array(z.string().min(1)) })

export const distractors: CallStep<{ facts: string[]; question: string; answer: string }, z.infer<typeof Wrong>> = {
  name: 'long-hop-distractors',
  role: 'generator',
  reply: Wrong,
  rehearse: ({ answer }) => ({ options: [...longHopRows(OPTIONS - 1, 1000 + answer.length)].map((row) => row.answer) }),
}

const own: LongHopRow[] = []

/** A chain of the keyless generator of so many hops that ends as it should; each is given out by its number. */
function rehearsed({ row, hops, ends_in }: ChainSpec): Chain {
  const fits = ({ hops: its, provenance }: LongHopRow) =>
    its === hops && (ends_in ?? provenance!.spec.family) === provenance!.spec.family
  for (let count = 600; ; count += 600) {
    if (own.length < count) own.splice(0, own.length, ...longHopRows(count, 42))
    const found = own.filter(fits)[row]
    if (!found) continue
    const { voice, anchors, question, answer } = found
    return {
      row,
      voice,
      anchors,
      question,
      answer,
      facts: found.facts.map(({ text, relation }) => ({ text, relation: relation[0]! })),
    }
  }
}

export const longHopReading: RowReading<LongHopRow> = {
  kind: 'long-hop',
  tasks: ['long-hop'],
  judged: ['long-hop'],
  paperRules: ['count', 'anchors-distinct', 'anchor-in-facts', 'head-in-question', 'anchor-in-question', 'answer'],
  dedup: { threshold: 0.7, texts: ({ facts }) => facts.map(({ text }) => text) },
  asOwn: (rows) => ({ kind: 'long-hop', rows, hash: '' }),
  claims: ({ facts, question, answer }) => [
    {
      text: facts.map(({ text }) => text).join('\n'),
      claims: [`Asked "${question}", all of these together lead to this answer alone: ${answer}`],
    },
  ],
  claimOf: ({ anchors, facts }, at) => `${anchors[at]} ${facts[at]!.relation[0]} ${anchors[at + 1]}.`,
}

/** Chains of facts, balanced by hops: proposed with what was told before in mind, checked, looked through for conflicts, and given options. */
export async function makeChains(maker: Maker, target: number, seed: number): Promise<LongHopRow[]> {
  const { rules } = maker.making
  const kinds = ENDS.slice(0, Math.max(1, Math.min(ENDS.length, Math.floor(target / OPTIONS))))
  const rows = await fill<ChainSpec, LongHopRow>(maker, {
    strata: Array.from({ length: target }, (_, at) => {
      return rules === 'paper'
        ? `${1 + (at % MOST_HOPS)}`
        : `${1 + (at % MOST_HOPS)} ${kinds[Math.floor(at / MOST_HOPS) % kinds.length]}`
    }),
    stratumOf: ({ hops, provenance }) => (rules === 'paper' ? `${hops}` : `${hops} ${provenance!.spec.ends}`),
    spec(place, stratum) {
      const [hops, ends] = stratum.split(' ')
      return { row: place + 1, hops: Number(hops), ...(ends !== undefined && { ends_in: ends }) }
    },
    async make(specs, kept) {
      const told = await withoutConflicts(maker, await tellChains(maker, specs, kept, seed), kept)
      const apart = compatible(maker, bare, told, kept)
      return filterRows(maker, longHopReading, rules === 'paper' ? await withDistractors(maker, apart, seed) : apart)
    },
  })
  return rules === 'paper' ? rows : optionsOfOthers(rows, seed)
}

/** Chains that have no options yet. */
const bare: RowReading<LongHopRow> = {
  ...longHopReading,
  notYet: ['options-distinct', 'options-even', 'distractor-is-anchor', 'balance'],
  asOwn: (rows) => ({ kind: 'long-hop', rows: rows.map((row) => ({ ...row, choices: [row.answer] })), hash: '' }),
}

async function tellChains(
  maker: Maker,
  specs: readonly ChainSpec[],
  kept: readonly LongHopRow[],
  seed: number,
): Promise<LongHopRow[]> {
  const made: LongHopRow[] = []
  const refused: string[] = []
  const check = (chain: Chain, spec: ChainSpec): Refusal[] =>
    refusals(bare, chainFrom(chain, spec, seed), maker.making.rules)
  const byHops = [1, 2, 3].map((hops) => specs.filter((spec) => spec.hops === hops))
  for (const batch of byHops.flatMap((own) => splitIntoBatches(own, BATCH))) {
    const earlier = [...kept, ...made].map(({ anchors }) => `${anchors[0]} → ${anchors.at(-1)}`)
    const found = await maker.rows(chains, batch, check, { earlier })
    for (const spec of batch) {
      const one = found.get(spec.row)!
      if ('value' in one) made.push(chainFrom(one.value, spec, seed))
      else refused.push(one.refused[0]!.rule)
    }
  }
  maker.funnel.pass('proposed', specs.length, refused)
  return made
}

/** Drops chains that contradict others, share a name with them or tell the same story: looked for among all, then window by window. */
async function withoutConflicts(
  maker: Maker,
  made: readonly LongHopRow[],
  kept: readonly LongHopRow[],
): Promise<LongHopRow[]> {
  const dropped = new Map<string, string>()
  const isNew = new Set(made.map(({ id }) => id))
  const look = async (rows: readonly LongHopRow[]) => {
    if (rows.length < 2) return
    const ids = new Set(rows.map(({ id }) => id))
    const found = await maker.ask(
      conflicts,
      { chains: rows.map(({ id, facts }) => ({ id, facts: facts.map(({ text }) => text) })) },
      ({ drop }) =>
        drop.flatMap(({ id, because_of }) =>
          [id, because_of]
            .filter((one) => !ids.has(one))
            .map((one) => ({ rule: 'unknown chain', message: `There is no chain ${one}.` })),
        ),
    )
    if ('refused' in found) for (const { id } of rows.filter((row) => isNew.has(row.id))) dropped.set(id, 'no verdict')
    else for (const { id, because_of } of found.value.drop) dropped.set(isNew.has(id) ? id : because_of, 'conflict')
  }
  const all = [...kept, ...made]
  await look(all)
  const left = all.filter(({ id }) => !dropped.has(id))
  for (let at = 0; left.length > WINDOW && at < left.length - STEP; at += STEP) {
    const rows = left.slice(at, at + WINDOW).filter(({ id }) => !dropped.has(id))
    // Those of rounds before were looked at together.
    if (rows.some(({ id }) => isNew.has(id))) await look(rows)
  }
  return maker.funnel.drop(
    'no conflict',
    made,
    new Map(made.flatMap((row): [LongHopRow, string][] => (dropped.has(row.id) ? [[row, dropped.get(row.id)!]] : []))),
  )
}

/** Four wrong options a chain, by the model. */
async function withDistractors(maker: Maker, rows: readonly LongHopRow[], seed: number): Promise<LongHopRow[]> {
  const made = await Promise.all(
    rows.map(async (row) => {
      const { question, answer, facts } = row
      const found = await maker.ask(
        distractors,
        { facts: facts.map(({ text }) => text), question, answer },
        ({ options }) => optionProblems(options, row),
      )
      if ('refused' in found) return null
      return { ...row, choices: arranged(row, found.value.options, row.provenance!.index, seed) }
    }),
  )
  const wrong = new Map(rows.filter((_, at) => made[at] === null).map((row) => [row, 'distractors']))
  maker.funnel.drop('with options', rows, wrong)
  return made.filter((row) => row !== null)
}

function optionProblems(options: readonly string[], { anchors, facts, answer }: LongHopRow): Refusal[] {
  const found: Refusal[] = []
  if (options.length !== OPTIONS - 1) found.push({ rule: 'count', message: `There must be ${OPTIONS - 1} options.` })
  if (new Set(options.map(fold)).size < options.length)
    found.push({ rule: 'options-distinct', message: 'Two options are the same.' })
  for (const option of options) {
    const near =
      anchors.find((anchor) => fold(anchor).includes(fold(option)) || fold(option).includes(fold(anchor))) ??
      facts.flatMap(({ relation }) => relation).find((relation) => fold(relation).includes(fold(option)))
    if (near !== undefined) found.push({ rule: 'option-is-anchor', message: `"${option}" is too near to "${near}".` })
    if (option.length > 3 * answer.length + 10)
      found.push({ rule: 'option-shape', message: `"${option}" is much longer than the answer.` })
  }
  return found
}

/** Options that are ends of other chains of the same kind, each offered equally often, so that all of them stand in the store. */
function optionsOfOthers(rows: readonly LongHopRow[], seed: number): LongHopRow[] {
  return rows.map((row, place) => {
    const kin = rows.filter((other) => other.provenance!.spec.ends === row.provenance!.spec.ends)
    const others = kin.length >= OPTIONS ? kin : rows
    const at = others.indexOf(row)
    const wrong = Array.from(
      { length: Math.min(OPTIONS - 1, others.length - 1) },
      (_, step) => others[(at + 1 + step) % others.length]!.answer,
    )
    return { ...row, choices: arranged(row, wrong, place, seed) }
  })
}

function arranged({ answer, id }: LongHopRow, wrong: readonly string[], place: number, seed: number): string[] {
  const choices = new Random(`options ${seed} ${id}`).shuffle([...wrong])
  choices.splice(placeInBlock(place, OPTIONS, keyOf('letter', seed)), 0, answer)
  return choices
}

function chainFrom(
  { voice, facts, anchors, question, answer }: Chain,
  { row, hops, ends_in }: ChainSpec,
  seed: number,
): LongHopRow {
  return {
    id: `mod-hop-${String(row).padStart(6, '0')}`,
    hops,
    voice,
    anchors,
    facts: facts.map(({ text, relation }, at) => ({
      text,
      from: [anchors[at] ?? ''],
      to: [anchors[at + 1] ?? ''],
      relation: [relation],
      damaged: [
        `${anchors[at + 1]} ${relation} ${anchors[at]}.`,
        `${anchors[at]} has nothing to do with ${anchors[at + 1]}.`,
      ],
    })),
    question,
    answer,
    choices: [],
    provenance: {
      generator: 'memfail/long-hop with a model',
      version: '1',
      seed,
      index: row - 1,
      spec: { hops, voice, ...(ends_in !== undefined && { ends: ends_in }) },
    },
  }
}
