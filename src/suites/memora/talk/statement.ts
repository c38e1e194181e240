import type { Operation, Taste } from '../trace.js'
import type { NoteKind, StatementKind, TalkData } from './data.js'
import type { Slots } from './phrase.js'
import type { Voice } from './voice.js'
import { budgeted, counted, dated, LIKING, lowered, spent, withArticle } from './wording.js'

/** An operation that one sentence can say; documents take a whole conversation. */
export type PlainOperation = Exclude<Operation, { of: 'document' }>

/** What a user says, and how an assistant takes note of it. */
export interface SpokenStatement {
  text: string
  note: NoteKind
  /** Which parts of the operation it says. */
  parts: string[]
}

/** Says an operation in one sentence: what is done, to what, with which value. */
export function statement(operation: PlainOperation, today: string, voice: Voice, data: TalkData): SpokenStatement {
  const { kind, note, slots, parts } = plan(operation, today, voice, data)
  return { text: voice.say(data.statements[kind], slots), note, parts: ['item', ...parts] }
}

interface Plan {
  kind: StatementKind
  note: NoteKind
  slots: Slots
  parts: string[]
}

function plan(operation: PlainOperation, today: string, voice: Voice, data: TalkData): Plan {
  switch (operation.of) {
    case 'taste':
      return taste(operation, voice, data)
    case 'food':
      return {
        kind: 'food',
        note: 'food',
        slots: { amount: spent(operation.amount), ...food(operation.meal) },
        parts: ['value'],
      }
    case 'steps': {
      const { activity, count } = operation
      const slots = { count: counted(count), activity: withArticle(activity), bare: activity }
      return { kind: 'steps', note: 'steps', slots, parts: ['value'] }
    }
    case 'todo': {
      const { act, list, task } = operation
      return { kind: `todo.${act}`, note: `todo.${act}`, slots: { list, task, do: lowered(task) }, parts: [] }
    }
    case 'calendar':
      return calendar(operation, today, voice)
    case 'goal': {
      const { goal, value, old } = operation
      const way = old === null ? 'set' : 'change'
      const parts = old === null ? ['value'] : ['value', 'old']
      const said = (amount: number | null) =>
        amount === null ? '' : goal === 'steps' ? counted(amount) : budgeted(amount)
      const slots = { value: said(value), old: said(old), ...(goal === 'steps' ? {} : food(goal)) }
      return { kind: goal === 'steps' ? `goal.steps.${way}` : `goal.food.${way}`, note: 'goal', slots, parts }
    }
  }
}

function taste(operation: PlainOperation & { of: 'taste' }, voice: Voice, { nouns }: TalkData): Plan {
  const { domain, subcategory, item } = operation
  const [named] = nounPhrases(nouns, domain, subcategory, voice, item)
  switch (operation.act) {
    case 'add': {
      const { liking } = operation
      const seen = subcategory.startsWith('already_')
      const slots = { np: named!, ...nouns[domain].seen }
      return { kind: `${seen ? 'seen' : 'taste'}.${liking}`, note: 'taste.add', slots, parts: ['value'] }
    }
    case 'delete':
      return {
        kind: 'taste.delete',
        note: 'taste.delete',
        slots: { np: named!, ...LIKING[operation.liking] },
        parts: ['value'],
      }
    case 'flip': {
      const [from, to] = [LIKING[operation.from], LIKING[operation.to]]
      const slots = { np: named!, from: from.like, fromed: from.liked, froms: from.likes, to: to.like, tos: to.likes }
      return { kind: 'taste.flip', note: 'taste.change', slots, parts: ['value', 'old'] }
    }
    case 'replace': {
      const [fresh, old] = nounPhrases(nouns, domain, subcategory, voice, item, operation.old)
      const slots = { new: fresh!, old: old!, ...LIKING[operation.liking] }
      return { kind: 'taste.replace', note: 'taste.change', slots, parts: ['value', 'old'] }
    }
  }
}

/** Items in words that tell what they are, all in the same way. */
function nounPhrases(nouns: TalkData['nouns'], domain: Taste, subcategory: string, voice: Voice, ...items: string[]) {
  const frame = voice.frame(nouns[domain].subcategories[subcategory] ?? ['{item}'], items)
  return items.map((item) => frame.replace('{item}', () => item))
}

function calendar(operation: PlainOperation & { of: 'calendar' }, today: string, voice: Voice): Plan {
  const { act, event, day } = operation
  const birthday = /\bbirthday\b/i.test(event)
  const slots = { title: event, event: birthday ? event : `the ${event}`, date: dated(day, today, voice.random) }
  if (act !== 'update') {
    const way = act === 'delete' && birthday ? 'calendar.drop' : (`calendar.${act}` as const)
    return { kind: way, note: way, slots, parts: ['value'] }
  }
  const old = dated(operation.old, today, voice.random)
  return {
    kind: birthday ? 'calendar.correct' : 'calendar.update',
    note: 'calendar.update',
    slots: { ...slots, old },
    parts: ['value', 'old'],
  }
}

const food = (meal: string): { meal: string; kind: string } =>
  meal === 'grocery' ? { meal: 'groceries', kind: 'grocery' } : { meal, kind: meal }
