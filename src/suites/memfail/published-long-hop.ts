import { fold } from '../../base/text.js'
import { linkCues } from '../../language/derive-cues.js'
import type { AuditNote, View } from '../../model/index.js'
import { LETTERS, type Material, type MaterialRow } from './material.js'
import { readTable, reject, type TableDefect, type TableRow } from './table.js'

const FACTS = ['fact_1', 'fact_2', 'fact_3', 'fact_4'] as const
const ANCHORS = ['chain_1', 'chain_2', 'chain_3', 'chain_4', 'chain_5'] as const
const CHOICES = ['choice_a', 'choice_b', 'choice_c', 'choice_d', 'choice_e'] as const
const COLUMNS = [
  'id',
  'hop_count',
  ...FACTS,
  ...ANCHORS,
  'graded_question',
  'ground_truth_answer',
  ...CHOICES,
  'correct_choice',
] as const

/** A chain as published. */
export interface PublishedChain {
  id: string
  hops: number
  facts: string[]
  anchors: string[]
  stem: string
  question: string
  answer: string
  choices: string[]
  letter: string
}

/** The chains as published. Released: the options are part of the retrieval query. Audited: retrieval sees the stem alone. */
export function loadLongHop(file: string, view: View): Material {
  const { chains, hash } = readChains(file)
  const audit: AuditNote[] = []
  const rows = chains.map((chain, index): MaterialRow => {
    const flags = defectsOf(chain, index, chains)
    for (const why of flags) audit.push({ task: 'long-hop', row: chain.id, action: 'flagged', why })
    return {
      id: chain.id,
      units: chain.facts.map((text) => ({ text })),
      facts: chain.facts.map((text, unit) => ({
        unit,
        text,
        cues: linkCues(text, chain.anchors[unit], chain.anchors[unit + 1]),
      })),
      questions: [
        {
          text: chain.stem,
          ...(view === 'released' && { query: chain.question }),
          choices: chain.choices.map((text, i) => ({ letter: LETTERS[i]!, text })),
          needs: [chain.facts.map((_, i) => i)],
          gold: { kind: 'choice', letter: chain.letter, text: chain.answer },
          tags: { K: String(chain.hops) },
          flags,
        },
      ],
    }
  })
  return { task: 'long-hop', rows, audit, hash }
}

/** Reads the chains of a published file; a bad cell or a repeated id is a `UserError`. */
export function readChains(file: string): { chains: PublishedChain[]; hash: string } {
  const { rows: records, hash } = readTable(file, COLUMNS)
  const defects: TableDefect[] = []
  const chains = records.map((record) => parse(record, defects))
  const seen = new Map<string, number>()
  for (const record of records) {
    const before = seen.get(record.cells.id!)
    if (before !== undefined)
      defects.push({ row: record, column: 'id', problem: `"${record.cells.id}" is also the id of row ${before}` })
    seen.set(record.cells.id!, record.index)
  }
  reject(file, defects)
  return { chains, hash }
}

function parse(record: TableRow, defects: TableDefect[]): PublishedChain {
  const { cells } = record
  const expect = (column: string, ok: boolean, problem: string) => {
    if (!ok) defects.push({ row: record, column, problem })
  }
  const filled = (columns: readonly string[]) =>
    columns.map((column) => cells[column]!).filter((text) => text.trim() !== '')
  const hops = Number(cells.hop_count)
  const facts = filled(FACTS)
  const anchors = filled(ANCHORS)
  const choices = filled(CHOICES)
  expect('id', cells.id!.trim() !== '', 'empty')
  expect('hop_count', /^[1-3]$/.test(cells.hop_count!), `expected 1, 2 or 3, got "${cells.hop_count}"`)
  expect('fact_1', facts.length === hops + 1, `expected ${hops + 1} facts for ${hops} hops, got ${facts.length}`)
  expect('chain_1', anchors.length === hops + 2, `expected ${hops + 2} anchors for ${hops} hops, got ${anchors.length}`)
  expect(
    'choice_a',
    new Set(choices.map(fold)).size === 5,
    `expected five different options, got ${new Set(choices.map(fold)).size}`,
  )
  const index = (LETTERS as readonly string[]).indexOf(cells.correct_choice!)
  expect('correct_choice', index >= 0, `expected a letter from A to E, got "${cells.correct_choice}"`)
  expect(
    'correct_choice',
    index < 0 || choices[index] === cells.ground_truth_answer,
    `choice ${cells.correct_choice} is not the answer`,
  )
  const options = cells.graded_question!.search(/(?<!\s)[^\S\n]*\n\s*Options:\s*\n/)
  expect('graded_question', options > 0, 'expected a question followed by "Options:" and the five options')
  return {
    id: cells.id!,
    hops,
    facts,
    anchors,
    stem: cells.graded_question!.slice(0, Math.max(options, 0)).trim(),
    question: cells.graded_question!,
    answer: cells.ground_truth_answer!,
    choices,
    letter: cells.correct_choice!,
  }
}

/** What makes a chain easier, harder or less certain than it should be. */
function defectsOf(chain: PublishedChain, index: number, all: readonly PublishedChain[]): string[] {
  const others = all.filter((_, i) => i !== index)
  const anchors = chain.anchors.map(fold)
  const flags: string[] = []
  const literal = anchors.every((anchor, i) =>
    [chain.facts[i - 1], chain.facts[i]].every((fact) => fact === undefined || fold(fact).includes(anchor)),
  )
  if (!literal) flags.push('an anchor does not stand literally in both facts it joins')
  const elsewhere = new Set(others.flatMap((other) => other.anchors.map(fold)))
  if (anchors.some((anchor) => elsewhere.has(anchor))) flags.push('another chain has the same anchor')
  const wrong = chain.choices.filter((choice) => choice !== chain.answer).map(fold)
  if (wrong.some((choice) => elsewhere.has(choice))) flags.push('a wrong option is an anchor of another chain')
  return flags
}
