import { z } from 'zod'
import { fold } from '../../base/text.js'
import { linkCues } from '../../language/derive-cues.js'
import type { AuditNote, View } from '../../model/index.js'
import { LETTERS, type Material, type MaterialRow, rowOfFacts } from './material.js'
import { filled, readTable } from './table.js'

const FACTS = ['fact_1', 'fact_2', 'fact_3', 'fact_4'] as const
const ANCHORS = ['chain_1', 'chain_2', 'chain_3', 'chain_4', 'chain_5'] as const
const CHOICES = ['choice_a', 'choice_b', 'choice_c', 'choice_d', 'choice_e'] as const

const text = z.string()
const texts = <C extends string>(columns: readonly C[]) =>
  Object.fromEntries(columns.map((column) => [column, text])) as Record<C, typeof text>

/** The options stand behind the question. */
const optionsAt = (graded: string): number => graded.search(/(?<!\s)[^\S\n]*\n\s*Options:\s*\n/)

const Cells = z
  .object({
    id: filled,
    hop_count: z.string().regex(/^[1-3]$/, { error: ({ input }) => `expected 1, 2 or 3, got "${input}"` }),
    ...texts(FACTS),
    ...texts(ANCHORS),
    graded_question: z
      .string()
      .refine((graded) => optionsAt(graded) > 0, 'expected a question followed by "Options:" and the five options'),
    ground_truth_answer: text,
    ...texts(CHOICES),
    correct_choice: z.enum(LETTERS, { error: ({ input }) => `expected a letter from A to E, got "${input}"` }),
  })
  .superRefine((cells, context) => {
    const expect = (column: string, isSo: boolean, message: string) => {
      if (!isSo) context.addIssue({ code: 'custom', path: [column], message })
    }
    const { hops, facts, anchors, choices, letter, answer } = chainFrom(cells)
    const options = new Set(choices.map(fold)).size
    expect('fact_1', facts.length === hops + 1, `expected ${hops + 1} facts for ${hops} hops, got ${facts.length}`)
    expect(
      'chain_1',
      anchors.length === hops + 2,
      `expected ${hops + 2} anchors for ${hops} hops, got ${anchors.length}`,
    )
    expect('choice_a', options === 5, `expected five different options, got ${options}`)
    expect('correct_choice', choices[LETTERS.indexOf(letter)] === answer, `choice ${letter} is not the answer`)
  })

type PublishedChain = ReturnType<typeof chainFrom>

/** The chains as published. Released: the options are part of the retrieval query. Audited: retrieval sees the stem alone. */
export function loadLongHop(file: string, view: View): Material {
  const { rows: chains, hash } = readChains(file)
  const audit: AuditNote[] = []
  const rows = chains.map((chain, index): MaterialRow => {
    const flags = defectsOf(chain, index, chains)
    for (const why of flags) audit.push({ task: 'long-hop', row: chain.row, action: 'flagged', why })
    const { anchors, question, graded, choices, letter, answer, hops } = chain
    const links = chain.facts.map((text, at) => ({ text, cues: linkCues(text, anchors[at], anchors[at + 1]) }))
    return rowOfFacts(chain.row, links, {
      text: question,
      ...(view === 'released' && { query: graded }),
      choices: choices.map((text, i) => ({ letter: LETTERS[i]!, text })),
      gold: { kind: 'choice', letter, text: answer },
      tags: { K: String(hops) },
      flags,
    })
  })
  return { task: 'long-hop', rows, audit, hash }
}

/** Reads the chains of a published file; a bad cell or a repeated id is a `UserError`. */
export function readChains(file: string) {
  const { rows, hash } = readTable(file, Cells, 'id')
  return { rows: rows.map(chainFrom), hash }
}

function chainFrom(cells: z.infer<typeof Cells>) {
  const { graded_question: graded } = cells
  const told = (columns: readonly (keyof typeof cells)[]) =>
    columns.map((column) => cells[column]).filter((cell) => cell.trim() !== '')
  return {
    row: cells.id,
    hops: Number(cells.hop_count),
    facts: told(FACTS),
    anchors: told(ANCHORS),
    choices: told(CHOICES),
    question: graded.slice(0, optionsAt(graded)).trim(),
    graded,
    answer: cells.ground_truth_answer,
    letter: cells.correct_choice,
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
