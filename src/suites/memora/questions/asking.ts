import { z } from 'zod'
import { readData } from '../../../base/data.js'
import { Random } from '../../../base/random.js'
import type { Criterion, CriterionAsk, Fact, Question } from '../../../model/index.js'
import { finalState } from '../state.js'
import type { Task } from '../tasks.js'
import type { LifeState, LifeTrace } from '../trace.js'
import { History, type LifeFact } from './history.js'
import { durationOf } from './periods.js'
import { weekdayDate } from './wording.js'

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

/** One element of an answer: what is asked of it, and what was told of it. */
export interface Item {
  text: string
  asks: CriterionAsk
  /** Everything told of it, in order. */
  told: readonly LifeFact[]
  /** What has to be known. */
  needs: readonly LifeFact[]
  /** What was told and no longer holds. */
  outdated: readonly LifeFact[]
}

/** A question that could be asked, with what it takes to choose among many. */
export interface QuestionCandidate {
  question: Question
  /** Facts that nobody said, but that suffice in the place of others. */
  derived: Fact[]
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
  /** A second set of facts that suffices: ids of facts that were said, and derived ones. */
  instead?: { said: readonly LifeFact[]; derived: Fact }
}

/** Makes a question; null when there is nothing that an answer would have to say. */
export function makeQuestion(life: Life, asking: Asking): QuestionCandidate | null {
  const { task, subtype, family, about, slots = {}, instead } = asking
  if (asking.presence.length === 0) return null
  const id = about === undefined ? subtype : `${subtype}:${about}`
  const items = [...asking.presence, ...asking.forgetting]
  const needs = ids(items.flatMap((item) => item.needs))
  const extra = instead ? [instead.derived.id] : []
  const criteria = distinct([
    ...asking.presence.map((item) => criterion(item, 'presence', extra)),
    ...asking.forgetting.map((item) => criterion(item, 'forgetting', [])),
  ])
  const consolidation = sessions(items.flatMap((item) => item.needs)).size
  const mutation = sessions(items.flatMap((item) => item.told).filter(({ act }) => act !== 'add')).size
  const random = new Random(`memora/question/${life.trace.persona}/${life.duration}/${life.seed}/${id}`)
  const today = fill(random.pick(phrasesFor('today')), { today: weekdayDate(life.trace.end) })
  const query = fill(random.pick(asking.phrases), slots)
  return {
    family,
    consolidation,
    mutation,
    derived: instead ? [instead.derived] : [],
    question: {
      id,
      task,
      text: `${today} ${query}`,
      query,
      needs: [needs, ...(instead ? [[...ids(instead.said), instead.derived.id]] : [])],
      outdated: ids(items.flatMap((item) => item.outdated)).filter((one) => !needs.includes(one)),
      gold: { kind: 'criteria', criteria, text: goldText(criteria) },
      tags: {
        subtype,
        duration: life.duration,
        persona: life.trace.persona,
        consolidation: String(consolidation),
        mutation: String(mutation),
      },
    },
  }
}

/** Puts values into the slots of a phrase. */
function fill(phrase: string, slots: Record<string, string>): string {
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
  const seen = new Map<string, Criterion>()
  for (const one of criteria) {
    const key = `${one.type} ${one.text}`
    const known = seen.get(key)
    seen.set(key, known ? { ...known, facts: [...new Set([...known.facts, ...one.facts])] } : one)
  }
  const places = { presence: 0, forgetting: 0 }
  return [...seen.values()].map((one) => ({ ...one, id: `${one.type}-${++places[one.type]}` }))
}

function goldText(criteria: readonly Criterion[]): string {
  return criteria.map(({ text, expected }) => `${text} ${expected === 'yes' ? 'Yes.' : 'No.'}`).join(' ')
}

function ids(facts: readonly LifeFact[]): string[] {
  return [...new Set(facts.map(({ id }) => id))]
}

function sessions(facts: readonly LifeFact[]): Set<number> {
  return new Set(facts.map(({ session }) => session))
}
