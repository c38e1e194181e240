import { inPercent } from '../../base/figures.js'
import { fingerprint } from '../../base/hash.js'
import {
  type AuditNote,
  defineSuite,
  type LintedCorpus,
  type LoadedSuite,
  type OwnSuite,
  type PublishedFigure,
  questionsOf,
  type Suite,
  type SuiteOptions,
} from '../../model/index.js'
import { type Ruled, reportOf } from '../lint-report.js'
import { requireData } from '../read-files.js'
import { type CitedChat, compileChat } from './chat.js'
import { chatRules } from './lint.js'
import { wordMeasures } from './measures.js'
import { besidePeers, depthSection, turnSection } from './report.js'
import { CITED_SCORES, overallScores, scoreCited } from './score.js'

/** What was read of a folder. */
export interface CitedData {
  chats: CitedChat[]
  /** Of all that was read. */
  hash: string
  audit: AuditNote[]
  /** What is wrong with it, as its authors ship it. */
  rules: Ruled[]
  notes?: string[]
}

/** How a reader is asked for chats. */
export interface CitedOptions extends Pick<SuiteOptions, 'view' | 'extra' | 'tasks'> {
  folder: string
  /** Chats that are wanted; more need not be read. */
  most: number
}

/** A benchmark of chats with questions that cite turns: what it asks, and how its files are read. */
export interface CitedFormat
  extends Pick<OwnSuite, 'name' | 'about' | 'tasks' | 'paper' | 'flags' | 'data' | 'unit' | 'defaultK' | 'refuse'> {
  expected: string
  /** Where the data is had. */
  only: string
  holds(folder: string): boolean
  read(options: CitedOptions): CitedData | Promise<CitedData>
  /** Chats of a quick run. */
  quick: number
  /** The paper scores every answer by a rubric, also those that ought to be refused. */
  rubric?: true
  /** Tasks over which papers sum up; all unless told. */
  counted?: readonly string[]
  /** What others claim of their systems. */
  figures?(): PublishedFigure[]
}

/** A suite from such a format: stages, scores, guessers, lint and tables are the same for all of them. */
export function citedSuite(format: CitedFormat): Suite {
  const { name, only, expected, holds, read, quick, counted, rubric, figures = () => [], ...own } = format
  const release = { expected, holds, only }
  const wanted = (size: SuiteOptions['size']) =>
    size === 'quick' ? quick : size === 'paper' ? Number.POSITIVE_INFINITY : size
  return defineSuite({
    version: '1',
    defaultK: [5, 20],
    unit: 'chats',
    ...own,
    name,
    tasks: own.tasks.map((task) => ({ ...task, breakdowns: [...(task.breakdowns ?? []), 'sessions'] })),
    clusters: { unit: 'chat', of: (_, { id }) => id },
    release,
    guessers: [
      {
        name: 'not-mentioned',
        about: 'says "not mentioned" to everything',
        guess: (scenario) => questionsOf(scenario).map(({ gold }) => Number(gold.kind === 'abstain')),
      },
    ],
    async load(options): Promise<LoadedSuite> {
      const { view, extra, tasks, size } = options
      const folder = requireData(name, options.data, release)
      const { chats, hash, audit } = await read({ folder, view, extra, most: wanted(size), ...(tasks && { tasks }) })
      const lives = chats.slice(0, wanted(size)).map((chat) => compileChat(name, chat, tasks))
      const scenarios = lives.filter((scenario) => questionsOf(scenario).length > 0)
      return { scenarios, datasetHash: fingerprint({ hash, chats: scenarios.length, view, extra }), audit }
    },
    scores: CITED_SCORES,
    score: (results) => scoreCited(results, rubric),
    overall: (cells) => overallScores(cells, counted),
    measures: wordMeasures,
    sections: (results) => [...turnSection(results), ...depthSection(results)],
    besidePaper: (results) => besidePeers(results, figures()),
    data: {
      ...own.data,
      lint: {
        unit: 'chats',
        async *run({ data }): AsyncGenerator<LintedCorpus> {
          const folder = requireData(name, data, release)
          const {
            chats,
            rules,
            notes = [],
          } = await read({ folder, view: 'audited', extra: {}, most: Number.POSITIVE_INFINITY })
          yield {
            name: 'chats',
            report: reportOf(name, chats.length, [...rules, ...chatRules(chats)]),
            notes: [...notes, ...countsOf(chats)],
          }
        },
      },
    },
  })
}

function countsOf(chats: readonly CitedChat[]): string[] {
  const sessions = chats.flatMap((chat) => chat.sessions)
  const questions = chats.flatMap((chat) => chat.questions)
  const turns = sessions.reduce((sum, session) => sum + session.turns.length, 0)
  const lengths = chats.map((chat) => chat.sessions.length)
  const absent = questions.filter(({ gold }) => gold.kind === 'abstain').length
  return [
    `${chats.length} chats, ${sessions.length} sessions, ${turns} turns, ${questions.length} questions`,
    `whoever stores whole sessions has all of a chat from k = ${Math.min(...lengths)} to ${Math.max(...lengths)} on`,
    `"not mentioned" to everything is right on ${absent} questions, ${inPercent(absent / Math.max(1, questions.length))}`,
  ]
}
