import type { Assessment } from '../../src/analysis/assess.js'
import { countTokens } from '../../src/base/tokens.js'
import { systems as builtin, loadAll } from '../../src/builtins.js'
import { type Outcome, questionsOf } from '../../src/model/index.js'
import { tableMarkdown } from '../markdown.js'
import { runStory, type StoryRun } from './run.js'
import { type KnownFailure, readStoryScript } from './script.js'
import { loadStory } from './story.js'

const systems = await loadAll(builtin)

/** Systems without a model, for comparison. */
const KEYLESS = ['bm25', 'dense', 'hybrid', 'digest']

const K = 5

const BEGIN = '<!-- signatures -->'
const END = '<!-- /signatures -->'

const WORDS: Record<Outcome, string> = {
  not_stored: '**not stored**',
  summary_error: '**damaged**',
  not_retrieved: '**not found**',
  unavailable: '**unavailable**',
  stale_memory: '**stale**',
  stale_answer: '**stale answer**',
  reasoning_error: '**reasoning**',
  correct: 'kept',
  answerable: 'kept',
  error: '**error**',
}

/** Names of the systems that have a script, in the order of the registry. Those with a client of their own have none: it is not always installed. */
export const scriptedSystems: readonly string[] = systems
  .filter(({ needs, rehearsal }) => needs?.llm && !needs.endpoint && rehearsal)
  .map(({ name }) => name)

/** A spec with further options. */
export function withOptions(spec: string, options: string): string {
  return options === '' ? spec : `${spec}:${options}`
}

/** Whether a known failure shows in a run. */
export function showsFailure({ question, shows }: KnownFailure, { outcomes }: StoryRun): boolean {
  const outcome = outcomes[question]!
  return shows === 'old_kept' ? oldKept(outcome) : outcome.outcome === shows
}

/** What becomes of each question of the story in each system, and which step is to blame, as Markdown. */
export async function signatures(): Promise<string> {
  const rows: string[][] = []
  const blame: string[][] = []
  for (const spec of KEYLESS) rows.push(rowOf(spec, await runStory(spec, null, K)))
  for (const name of scriptedSystems) {
    const script = readStoryScript(name)
    for (const options of ['', ...script.also]) {
      const spec = withOptions(name, options)
      rows.push(rowOf(spec, await runStory(spec, script, K)))
    }
    for (const { question, shows, by, off, with: options } of script.failures) {
      const sign = shows === 'old_kept' ? 'old value kept' : WORDS[shows].replaceAll('*', '')
      blame.push([`\`${withOptions(name, options)}\``, question, sign, by, `\`${off}\``])
    }
  }
  const { scenario } = loadStory()
  const questions = questionsOf(scenario).map(({ id }) => id)
  return [
    tableMarkdown({ columns: ['system', ...questions, 'calls', 'tokens', 'entries', 'tokens held'], rows }),
    tableMarkdown({ columns: ['system', 'question', 'ends as', 'because', 'gone with'], rows: blame }),
  ].join('\n\n')
}

/** A page with the tables put in their place. */
export function withSignatures(page: string, tables: string): string {
  const [start, stop] = [page.indexOf(BEGIN), page.indexOf(END)]
  if (start < 0 || stop < start) throw new Error(`The page has no place between ${BEGIN} and ${END}`)
  return `${page.slice(0, start + BEGIN.length)}\n${tables}\n${page.slice(stop)}`
}

/** A row of the first table: what became of each question, and what it took. */
export function rowOf(spec: string, run: StoryRun): string[] {
  const spent = run.asked.reduce((sum, { tokens }) => sum + tokens.input + tokens.output, 0)
  const held = run.held.reduce((sum, { text }) => sum + countTokens(text), 0)
  return [
    `\`${spec}\``,
    ...Object.values(run.outcomes).map(cellOf),
    String(run.asked.length),
    spent.toLocaleString('en'),
    String(run.held.length),
    held.toLocaleString('en'),
  ]
}

function cellOf(assessment: Assessment): string {
  const word = WORDS[assessment.outcome ?? 'error']
  return oldKept(assessment) && word === 'kept' ? 'kept + old' : word
}

/** The old value stands in the store as if it still held. */
function oldKept({ outdated }: Assessment): boolean {
  return outdated.some(({ live }) => live)
}
