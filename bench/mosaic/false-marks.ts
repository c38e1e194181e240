import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { countTokens } from '../../src/base/tokens.js'
import { homeAt, openEmbedder } from '../../src/library/compose.js'
import type { Embedder, Fact, Memory, Question, Scenario } from '../../src/model/index.js'
import { compileEpisode } from '../../src/suites/meme/compile.js'
import { makeEpisode } from '../../src/suites/meme/generate/index.js'
import { DOMAINS } from '../../src/suites/meme/graph.js'
import { Mosaic } from '../../src/systems/mosaic/mosaic.js'
import type { Bench } from '../bench.js'
import { SEED } from './parts.js'

const EPISODES = 40
/** Tokens within which the statement that still holds must be found. */
const TOKENS = 1000
const HOME = process.env.MEMSCOPE_HOME
/** Tasks whose answer is what it was: nothing changed, or only in thought, or a change was taken back. */
const HOLDS = ['before', 'control-unchanged', 'control-hypothetical', 'control-revoked']

/** What stands behind a statement that is over or in doubt. */
const MARKED = /\[(?:no longer so|in doubt) since [^\]]*\]$/

const COUNTS = [
  'requests to forget',
  'followed: the value is nowhere in the store',
  'not followed: the request stays as it was said',
  'of these answered by forget()',
  'of those followed or answered the value is in the bytes of a file',
  'false tombstones: something else was taken out',
  'statements that no longer hold, or rest on what has changed',
  'of these told to be over or in doubt',
  'statements that hold',
  'false unknowns: of these told to be over or in doubt',
  'questions on what still holds',
  `of these without their statement within ${TOKENS} tokens`,
] as const
type Counts = Record<(typeof COUNTS)[number], number>

/** Whether mosaic forgets or doubts more than it should: counted by what was said, without any judge. */
export const falseMarksBench: Bench = {
  name: 'false-marks',
  about: `false tombstones and false unknowns of mosaic over ${EPISODES} MEME episodes`,
  run: async (progress) => {
    const embedder = await openEmbedder('minilm', homeAt(HOME))
    const counts = Object.fromEntries(COUNTS.map((name) => [name, 0])) as Counts
    try {
      for (let i = 0; i < EPISODES; i++) {
        progress(`episode ${i + 1} of ${EPISODES}`)
        const domain = DOMAINS[i % DOMAINS.length]!
        const index = Math.floor(i / DOMAINS.length)
        await countIn(
          compileEpisode(makeEpisode({ domain, seed: SEED, index, filler: 0, fillerName: 'none' })),
          embedder,
          counts,
        )
      }
    } finally {
      await embedder.close()
    }
    return {
      title: 'False tombstones and false unknowns of mosaic',
      note: `${EPISODES} generated MEME episodes of seed ${SEED} without filler. Something else was taken out where a statement other than the one to be
forgotten is no longer in the store as it was said. What holds at the end of an episode was never changed, only in thought, or changed and taken back.`,
      columns: ['what', 'count'],
      rows: COUNTS.map((name) => [name, String(counts[name])]),
    }
  },
}

async function countIn(scenario: Scenario, embed: Embedder, counts: Counts): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'memscope-false-marks-'))
  try {
    const memory = new Mosaic({ embed, folder })
    const said = new Map(scenario.facts.map(({ id, text }) => [id, text]))
    const [told, open]: [string[], string[]] = [[], []]
    for (const step of scenario.timeline) {
      if (step.type === 'conversation') {
        await memory.store(step.conversation)
        told.push(...step.conversation.turns.map(({ text }) => text))
        continue
      }
      for (const question of step.probe.questions) {
        if (HOLDS.includes(question.task)) await countUnknown(memory, question, said, counts)
        if (question.task !== 'deletion') continue
        const value = await countForgotten(memory, question, said, told, counts)
        if (value === null) open.push((question.gold as { forms: string[] }).forms[0]!)
        else countLeft(folder, value, counts)
      }
    }
    countMarks(
      (await memory.dump()).map(({ text }) => text),
      scenario.facts,
      counts,
    )
    for (const value of open) {
      if (!(await isAnswered(memory, value))) continue
      counts['of these answered by forget()']++
      countLeft(folder, value, counts)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function countLeft(folder: string, value: string, counts: Counts): void {
  if (readdirSync(folder).some((file) => readFileSync(join(folder, file)).includes(value)))
    counts['of those followed or answered the value is in the bytes of a file']++
}

/** What is over by the scenario, and what the memory says is. */
function countMarks(kept: readonly string[], facts: readonly Fact[], counts: Counts): void {
  const over = new Set(
    facts.flatMap(({ id, replaces, invalidates = [] }) =>
      /^(?:change|track):/.test(id) ? [...invalidates, ...(replaces === undefined ? [] : [replaces])] : [],
    ),
  )
  for (const { id, text } of facts.filter(({ id }) => /^(?:value|track|dep):/.test(id))) {
    const found = kept.find((one) => one.includes(text))
    if (found === undefined) continue
    const isMarked = MARKED.test(found)
    if (over.has(id)) {
      counts['statements that no longer hold, or rest on what has changed']++
      if (isMarked) counts['of these told to be over or in doubt']++
    } else {
      counts['statements that hold']++
      if (isMarked) counts['false unknowns: of these told to be over or in doubt']++
    }
  }
}

async function countUnknown(
  memory: Mosaic,
  question: Question,
  said: Map<string, string>,
  counts: Counts,
): Promise<void> {
  const found = within(await memory.retrieve({ text: question.text }, 100))
  const needed = question.needs[0]!.map((id) => said.get(id)!)
  counts['questions on what still holds']++
  if (!needed.every((text) => found.some((one) => one.text.includes(text) || text.includes(one.text))))
    counts[`of these without their statement within ${TOKENS} tokens`]++
}

/** Memories that fit. */
function within(found: readonly Memory[]): Memory[] {
  let used = 0
  return found.filter(({ text }) => {
    used += countTokens(text)
    return used <= TOKENS
  })
}

/** The value that was forgotten; null where the request was not followed. */
async function countForgotten(
  memory: Mosaic,
  { gone = [], needs, gold }: Question,
  said: Map<string, string>,
  told: readonly string[],
  counts: Counts,
): Promise<string | null> {
  const kept = (await memory.dump()).map(({ text }) => text)
  const [value] = (gold as { forms: string[] }).forms
  const forgotten = [...gone, ...needs.flat()].map((id) => said.get(id)!)
  const isHeld = (text: string) => kept.some((one) => one.includes(text))
  counts['requests to forget']++
  if (!isHeld(value!)) counts['followed: the value is nowhere in the store']++
  else counts['not followed: the request stays as it was said']++
  const others = [...said.values()].filter(
    (text) => !forgotten.includes(text) && !text.includes(value!) && told.some((turn) => turn.includes(text)),
  )
  counts['false tombstones: something else was taken out'] += others.some((text) => !isHeld(text)) ? 1 : 0
  return isHeld(value!) ? null : value!
}

/** Whether all is gone once somebody has pointed at what has a value, in answer to the request if that is open. */
async function isAnswered(memory: Mosaic, value: string): Promise<boolean> {
  const [open] = await memory.openRequests()
  const meant = (await memory.dump()).filter(({ id, text }) => text.includes(value) && id !== open?.request.id)
  await memory.forget(
    meant.map(({ id }) => id),
    open?.request.id,
  )
  return !(await memory.dump()).some(({ text }) => text.includes(value))
}
