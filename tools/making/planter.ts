import { readdirSync, readFileSync } from 'node:fs'
import { entryOf } from '../../src/base/group-by.js'
import { sha256 } from '../../src/base/hash.js'
import { ScriptedModel, type ScriptedReply } from '../../src/gateway/index.js'
import type { CallStep } from '../../src/suites/generation/maker.js'
import type { Pool, Wordings } from './wordings.js'

type AnyStep = CallStep<never, unknown>

/** A defect that was planted: in which row or session, by which step, of what kind, and what of it would stand in the data. */
export interface Planted {
  unit: string
  step: string
  kind: string
  isSemantic: boolean
  /** Words of it, or a piece of JSON. */
  words: string
  isJson: boolean
}

/** A row of a reply that was spoilt. */
export interface Spoilt<R> {
  row: R
  words: string
  isJson?: boolean
}

/** Picks a wording and fills it. */
export type Say = (pool: Pool, slots?: Record<string, string>) => string

/** A way to spoil a row of a reply; null where it cannot. */
export interface Defect<R = never> {
  kind: string
  isSemantic?: true
  spoil(row: R, say: Say, input: Record<string, unknown>): Spoilt<R> | null
}

/** What a suite asks for, how its replies can be spoilt, and in which row or session. */
export interface Target {
  suite: string
  prompts: URL
  steps: readonly AnyStep[]
  defects: Readonly<Record<string, readonly Defect[]>>
  unitOf(step: string, input: Record<string, unknown>, row: number): string
}

const promptTexts = new Map<string, { name: string; text: string }[]>()
const SHARED = new URL('../../src/suites/generation/prompts/', import.meta.url)

/** The step that a request is for, by what it is told, and what it is given. */
export function stepIn(messages: readonly { content: string }[], folder: URL): [string, Record<string, unknown>] {
  const told = messages[0]!.content
  const texts = entryOf(promptTexts, folder.href, () =>
    [SHARED, folder].flatMap((one) =>
      readdirSync(one).map((file) => ({
        name: file.replace('.txt', ''),
        text: readFileSync(new URL(file, one), 'utf8'),
      })),
    ),
  )
  const found = texts.find(({ text }) => text.includes(told))
  if (!found) throw new Error(`No prompt says "${told.slice(0, 60)}"`)
  return [found.name, JSON.parse(messages.at(-1)!.content) as Record<string, unknown>]
}

const REFUSAL = 'I am sorry, but I cannot help with that.'
const BROKEN = '{"rows": [{"row": 1, '

/**
 * A model that plays every step by its rehearsal, and spoils a share of what it says; it keeps a ledger of that for itself. What is spoilt
 * follows from the request alone, so that any order of calls gives the same.
 */
export class PlantingModel extends ScriptedModel {
  readonly ledger: Planted[] = []
  /** Rows and sessions that were refused although nothing was wrong with them. */
  readonly refusedClean = new Set<string>()
  readonly units = new Set<string>()

  constructor(
    readonly target: Target,
    readonly share: number,
    readonly wordings: Wordings,
    readonly onAsk: (step: string) => void,
  ) {
    super({ rules: [], otherwise: ({ request }) => this.play(...stepIn(request.messages, target.prompts)) })
  }

  private play(name: string, input: Record<string, unknown>): ScriptedReply {
    const { steps, defects, unitOf } = this.target
    this.onAsk(name)
    const step = steps.find((one) => one.name === name)
    if (!step) throw new Error(`${name} is no step of the generator`)
    const reply = structuredClone(step.rehearse(input as never)) as Record<string, unknown>
    const isList = 'rows' in reply
    const rows = (isList ? reply.rows : [{ row: -1, ...reply }]) as ({ row: number } & Record<string, unknown>)[]
    const isRetry = 'refused' in input
    const isRepair = 'found_wrong' in input
    for (const { row } of rows) this.see(unitOf(name, input, row), isRetry || isRepair)
    const ways = defects[name] ?? []
    if (ways.length === 0) return { json: reply }
    const draw = (...salt: unknown[]) =>
      Number.parseInt(sha256(JSON.stringify([name, ...salt])).slice(0, 8), 16) / 2 ** 32
    const whole = draw('whole', input.rows ?? input)
    if (!isRetry && whole < this.share / 5) {
      const [kind, words] = whole < this.share / 10 ? ['refusal', REFUSAL] : ['invalid JSON', BROKEN]
      const common = { step: name, kind, isSemantic: false, words, isJson: false }
      for (const { row } of rows) this.ledger.push({ unit: unitOf(name, input, row), ...common })
      return words
    }
    for (const [at, row] of rows.entries()) {
      const key = isList ? row.row : input
      if (draw('row', key) >= this.share) continue
      const {
        kind,
        isSemantic = false,
        spoil,
      } = ways[Math.floor(draw('way', key) * ways.length)]! as Defect<typeof row>
      // What is asked for again is right now, but for one in three, and for what nobody complained of.
      if ((isRepair || (isRetry && !isSemantic)) && draw('again', key) > 0.3) continue
      const say: Say = (pool, slots = {}) => {
        const texts = this.wordings[pool]
        const text = texts[Math.floor(draw('wording', key) * texts.length)]!
        return text.replace(/\{(\w+)\}/g, (all, slot: string) => slots[slot] ?? all)
      }
      const spoilt = spoil(row, say, input)
      if (!spoilt) continue
      rows[at] = spoilt.row
      const { words, isJson = false } = spoilt
      this.ledger.push({ unit: unitOf(name, input, row.row), step: name, kind, isSemantic, words, isJson })
    }
    if (isList) return { json: { ...reply, rows } }
    const { row: _, ...single } = rows[0]!
    return { json: single }
  }

  private see(unit: string, isComplaint: boolean): void {
    this.units.add(unit)
    if (isComplaint && !this.ledger.some((one) => one.unit === unit)) this.refusedClean.add(unit)
  }
}
