import { blocksOf, honestReply, itemsOf } from '../bench/reading-model.js'
import { type ScriptedServer, startScriptedServer } from '../bench/scripted-server.js'
import { type ScriptedCall, ScriptedModel } from '../src/gateway/index.js'
import { NoRule } from '../src/gateway/scripted/model.js'
import type { Criterion, Question, Scenario } from '../src/model/index.js'
import { questionsOf } from '../src/model/index.js'

/** What a judge says of a criterion; null: its reply cannot be used, however often it is asked. */
export type Said = 'yes' | 'no' | 'unclear' | null

/** The sentence by which the reader brings up what a criterion asks about. */
function sentenceOf({ asks }: Criterion): string {
  const { act, forms, status } = asks!
  if (act !== 'mention') return `I recommend ${forms[0]}.`
  const standing = status?.forms[0]
  return standing === undefined || standing === forms[0] ? `${forms[0]}.` : `${forms[0]} is on ${standing}.`
}

/** Whether an answer does what a criterion asks about, by that sentence alone, or one that gives the date besides. */
export function saidIn(answer: string, criterion: Criterion): 'yes' | 'no' {
  const sentence = sentenceOf(criterion)
  const there = answer.split('\n').some((line) => line === sentence || isDated(line, sentence))
  return (criterion.asks!.act === 'avoid' ? !there : there) ? 'yes' : 'no'
}

function isDated(line: string, sentence: string): boolean {
  return line.startsWith(`${sentence.slice(0, -1)} is on `)
}

/** A reader and judges over HTTP, each a server of its own, about one life. */
export class Cast {
  readonly #scenario: Scenario
  readonly #servers: Record<string, ScriptedServer> = {}
  /** What the reader was shown and what it answered, by question; the last time. */
  readonly heard = new Map<string, { prompt: string; answer: string }>()
  /** Questions at which the reader fails. */
  readonly failing = new Set<string>()

  constructor(scenario: Scenario) {
    this.#scenario = scenario
  }

  get questions(): Question[] {
    return questionsOf(this.#scenario)
  }

  get env(): Record<string, string> {
    const url = ([name, server]: [string, ScriptedServer]) => [`MEMSCOPE_${name.toUpperCase()}_BASE_URL`, server.url]
    return Object.fromEntries(Object.entries(this.#servers).map(url))
  }

  async open(name: string, reply: (call: ScriptedCall) => unknown): Promise<void> {
    const say = (call: ScriptedCall) => {
      const said = reply(call)
      return typeof said === 'string' ? said : { json: said }
    }
    this.#servers[name] = await startScriptedServer(new ScriptedModel({ rules: [], otherwise: say }))
  }

  async close(): Promise<void> {
    await Promise.all(Object.values(this.#servers).map((server) => server.close()))
  }

  /**
   * Answers from what it is shown: of every three questions of a task the first with all that holds, the second with what no longer does
   * besides, the third with nothing at all.
   */
  read({ last }: ScriptedCall): string {
    const question = this.#asked(last)
    if (this.failing.has(question.id)) throw new NoRule('This cannot be answered now.')
    const manner = this.mannerOf(question)
    const lines = criteriaOf(question).filter((one) => {
      if (one.asks!.act === 'avoid') return false
      return one.type === 'presence' ? manner !== 'silent' && this.isShown(question, one, last) : manner === 'outdated'
    })
    const told = [...new Set(lines.map(sentenceOf))]
    const answer = told.filter((one) => !told.some((other) => isDated(other, one))).join('\n')
    this.heard.set(question.id, { prompt: last, answer })
    return answer
  }

  mannerOf(question: Question): 'complete' | 'outdated' | 'silent' {
    const place = this.questions.filter(({ task }) => task === question.task).indexOf(question)
    return (['complete', 'outdated', 'silent'] as const)[place % 3]!
  }

  /** Whether all that a criterion needs stands word for word in a prompt. */
  isShown({ needs }: Question, { facts }: Criterion, prompt: string): boolean {
    const said = this.#scenario.facts.filter(({ id }) => facts.includes(id) && needs[0]!.includes(id))
    return said.every(({ evidence }) => evidence!.every((sentence) => prompt.includes(sentence)))
  }

  /** Judges criteria as `vote` has it, and facts by their words. */
  judge({ request }: ScriptedCall, vote: (honest: 'yes' | 'no', place: number, question: Question) => Said): unknown {
    // Later turns only complain about replies that could not be used.
    const prompt = request.messages.find(({ role }) => role === 'user')!.content
    const blocks = blocksOf(prompt)
    const criteria = blocks.find(({ name }) => name === 'criteria')
    if (!criteria) return honestReply(prompt)
    const { body } = blocks.find(({ name }) => name === 'answer')!
    const question = this.#asked(body)
    const all = criteriaOf(question)
    const { answer } = this.heard.get(question.id)!
    const said = itemsOf(criteria).map(({ number, text }) => {
      const place = all.findIndex((one) => one.text === text)
      return { id: number, reason: 'As told.', answer: vote(saidIn(answer, all[place]!), place, question) }
    })
    return said.some((one) => one.answer === null) ? 'I would rather not say.' : { verdicts: said }
  }

  #asked(prompt: string): Question {
    const found = this.questions.filter(({ text }) => prompt.includes(text))
    if (found.length !== 1) throw new Error(`${found.length} questions fit ${prompt.slice(-200)}`)
    return found[0]!
  }
}

export function criteriaOf({ gold }: Question): readonly Criterion[] {
  if (gold.kind !== 'criteria') throw new Error('There are no criteria')
  return gold.criteria
}
