import { z } from 'zod'
import { readData } from '../../../base/data-file.js'
import { groupBy } from '../../../base/group-by.js'
import { Random } from '../../../base/random.js'
import type { Criterion, CriterionAsk, Fact, Question } from '../../../model/index.js'
import { durationOf } from '../days.js'
import { finalState } from '../state.js'
import type { LifeState, LifeTrace, Task } from '../trace.js'
import { weekdayDate } from '../wording.js'
import { History, type LifeFact } from './history.js'

/** A life as questions are made of it. */
export interface Life {
  trace: LifeTrace
  /** What holds when it ends. */
  state: LifeState
  history: History
  duration: string
  seed: number
}

export function lifeFrom(trace: LifeTrace, seed: number): Life {
  return { trace, state: finalState(trace), history: new History(trace), duration: durationOf(trace), seed }
}

/** What an element of an answer rests on. */
export interface Ground {
  /** Everything told of it, in order. */
  told: readonly LifeFact[]
  /** What has to be known. */
  needs: readonly LifeFact[]
  /** What was told and no longer holds. */
  outdated: readonly LifeFact[]
}

/** One element of an answer, and what is asked of it. */
export interface Item extends Ground {
  text: string
  asks: CriterionAsk
}

/** A second set of facts that suffices: some that were said, and one that nobody said. */
export interface Instead {
  said: readonly LifeFact[]
  derived: Fact
}

/** A question of a life, with the facts that nobody said but that it accepts. */
export interface MadeQuestion {
  question: Question
  derived: Fact[]
}

/** A question that could be asked, with what it takes to choose among many. */
export interface QuestionCandidate extends MadeQuestion {
  /** Questions of one family test the same; a choice covers all families first. */
  family: string
  /** Sessions that have to be considered. */
  consolidation: number
  /** Sessions that changed or removed what it asks for. */
  mutation: number
}

export interface Asking {
  task: Task
  subtype: string
  family: string
  /** What sets it apart from others of its subtype. */
  about?: string
  /** The paraphrases to choose from, and what to put into them. */
  phrases: readonly string[]
  slots?: Record<string, string>
  presence: readonly Item[]
  forgetting: readonly Item[]
  instead?: Instead
}

/** Makes a question; null when there is nothing that an answer would have to say. */
export function makeQuestion(life: Life, asking: Asking): QuestionCandidate | null {
  const { task, subtype, family, about, slots = {}, instead, presence, forgetting } = asking
  if (presence.length === 0) return null
  const id = about === undefined ? subtype : `${subtype}:${about}`
  const extra = instead ? [instead.derived.id] : []
  const criteria = distinct([
    ...presence.map((item) => criterion(item, 'presence', extra)),
    ...forgetting.map((item) => criterion(item, 'forgetting', [])),
  ])
  const { persona, end } = life.trace
  const random = new Random(`memora/question/${persona}/${life.duration}/${life.seed}/${id}`)
  const today = fill(random.pick(phrasesFor('today')), { today: weekdayDate(end) })
  const query = fill(random.pick(asking.phrases), slots)
  const head = { id, task, text: `${today} ${query}`, query }
  const tags = { subtype, duration: life.duration, persona }
  return { family, ...questionFrom(head, tags, criteria, [...presence, ...forgetting], instead) }
}

/** A question with all that follows from what its criteria rest on; `otherwise` are facts to need where no criterion needs any. */
export function questionFrom(
  head: Pick<Question, 'id' | 'task' | 'text' | 'query'>,
  tags: { subtype: string; duration: string; persona: string },
  criteria: Criterion[],
  grounds: readonly Ground[],
  instead?: Instead,
  otherwise: () => readonly LifeFact[] = () => [],
): Omit<QuestionCandidate, 'family'> {
  const needed = grounds.flatMap((one) => one.needs)
  const needs = ids(needed.length > 0 ? needed : otherwise())
  const outdated = ids(grounds.flatMap((one) => one.outdated)).filter((id) => !needs.includes(id))
  const changes = grounds.flatMap(({ told }) => told.filter(({ act }) => act !== 'add'))
  const [consolidation, mutation] = [sessions(needed), sessions(changes)]
  const text = criteria.map((one) => `${one.text} ${one.expected === 'yes' ? 'Yes.' : 'No.'}`).join(' ')
  return {
    consolidation,
    mutation,
    derived: instead ? [instead.derived] : [],
    question: {
      ...head,
      needs: [needs, ...(instead ? [[...ids(instead.said), instead.derived.id]] : [])],
      outdated,
      gold: { kind: 'criteria', criteria, text },
      tags: { ...tags, consolidation: String(consolidation), mutation: String(mutation) },
    },
  }
}

/** Puts values into the slots of a phrase. */
export function fill(phrase: string, slots: Record<string, string>): string {
  return phrase.replace(/\{(\w+)\}/g, (slot, name: string) => slots[name] ?? slot)
}

const phrases = z.array(z.string().min(1)).min(2)
const Texts = z.record(z.string(), z.union([phrases, z.record(z.string(), phrases)]))

let read: z.infer<typeof Texts> | undefined

/** Paraphrases of the questions of a subtype, or of one of the kinds within it. */
export function phrasesFor(subtype: string, kind?: string): readonly string[] {
  read ??= readData(new URL('./texts.json', import.meta.url), Texts)
  const found = read[subtype]
  const list = Array.isArray(found) ? found : found?.[kind ?? '']
  if (!list) throw new Error(`texts.json has no phrases for ${subtype}${kind === undefined ? '' : ` of ${kind}`}`)
  return list
}

/** Whether an answer must say it, must not say it, or must not put it forward. */
function criterion({ text, asks, told }: Item, type: Criterion['type'], derived: readonly string[]): Criterion {
  const expected = type === 'presence' || asks.act === 'avoid' ? 'yes' : 'no'
  return { id: '', text, type, expected, facts: [...ids(told), ...derived], asks }
}

/** Every criterion once, with its place as id and all that was told of what it asks. */
function distinct(criteria: readonly Criterion[]): Criterion[] {
  const places = { presence: 0, forgetting: 0 }
  return [...groupBy(criteria, ({ type, text }) => `${type} ${text}`).values()].map((same) => {
    const [first] = same as [Criterion]
    const facts = [...new Set(same.flatMap((one) => one.facts))]
    return { ...first, id: `${first.type}-${++places[first.type]}`, facts }
  })
}

export const ids = (facts: readonly { id: string }[]): string[] => [...new Set(facts.map(({ id }) => id))]

const sessions = (facts: readonly LifeFact[]): number => new Set(facts.map(({ session }) => session)).size
