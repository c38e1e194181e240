import type { Operation, OperationOf } from '../trace.js'
import { budgeted, counted, dated, LIKING, lowered, mealName, spent, withArticle } from '../wording.js'
import type { NoteKind, StatementKind, TalkData } from './data.js'
import type { Slots } from './phrase.js'
import type { Voice } from './voice.js'

/** An operation that one sentence can say; documents take a whole conversation. */
export type PlainOperation = Exclude<Operation, { of: 'document' }>

/** The kind of a sentence and of the note that is taken of it, what fills its slots, and the parts of the operation it says besides the item. */
type Plan = [kind: StatementKind, note: NoteKind, slots: Slots, parts: string[]]

/** Says an operation in one sentence: what is done, to what, with which value. */
export function statement(operation: PlainOperation, today: string, voice: Voice, data: TalkData) {
  const [kind, note, slots, parts] = plan(operation, today, voice, data)
  return { text: voice.say(data.statements[kind], slots), note, parts: ['item', ...parts] }
}

function plan(operation: PlainOperation, today: string, voice: Voice, data: TalkData): Plan {
  switch (operation.of) {
    case 'taste':
      return taste(operation, voice, data)
    case 'food':
      return ['food', 'food', { amount: spent(operation.amount), ...food(operation.meal) }, ['value']]
    case 'steps': {
      const { activity, count } = operation
      return ['steps', 'steps', { count: counted(count), activity: withArticle(activity), bare: activity }, ['value']]
    }
    case 'todo': {
      const { act, list, task } = operation
      return [`todo.${act}`, `todo.${act}`, { list, task, do: lowered(task) }, []]
    }
    case 'calendar':
      return calendar(operation, today, voice)
    case 'goal': {
      const { goal, value, old } = operation
      const said = goal === 'steps' ? counted : budgeted
      const slots = { value: said(value), old: old === null ? '' : said(old), ...(goal !== 'steps' && food(goal)) }
      const kind = `goal.${goal === 'steps' ? 'steps' : 'food'}.${old === null ? 'set' : 'change'}` as const
      return [kind, 'goal', slots, old === null ? ['value'] : ['value', 'old']]
    }
  }
}

function taste(operation: OperationOf<'taste'>, voice: Voice, { nouns }: TalkData): Plan {
  const { domain, subcategory, item } = operation
  // Items in words that tell what they are, all in the same way.
  const nounPhrases = (...items: string[]) => {
    const frame = voice.frame(nouns[domain].subcategories[subcategory] ?? ['{item}'], items)
    return items.map((one) => frame.replace('{item}', () => one)) as [string, ...string[]]
  }
  const [np] = nounPhrases(item)
  switch (operation.act) {
    case 'add': {
      const of = subcategory.startsWith('already_') ? 'seen' : 'taste'
      return [`${of}.${operation.liking}`, 'taste.add', { np, ...nouns[domain].seen }, ['value']]
    }
    case 'delete':
      return ['taste.delete', 'taste.delete', { np, ...LIKING[operation.liking] }, ['value']]
    case 'flip': {
      const [from, to] = [LIKING[operation.from], LIKING[operation.to]]
      const slots = { np, from: from.like, fromed: from.liked, froms: from.likes, to: to.like, tos: to.likes }
      return ['taste.flip', 'taste.change', slots, ['value', 'old']]
    }
    case 'replace': {
      const [fresh, old] = nounPhrases(item, operation.old)
      return ['taste.replace', 'taste.change', { new: fresh, old: old!, ...LIKING[operation.liking] }, ['value', 'old']]
    }
  }
}

function calendar(operation: OperationOf<'calendar'>, today: string, voice: Voice): Plan {
  const { act, event, day } = operation
  const birthday = /\bbirthday\b/i.test(event)
  const slots = { title: event, event: birthday ? event : `the ${event}`, date: dated(day, today, voice.random) }
  if (act !== 'update') {
    const way = act === 'delete' && birthday ? 'calendar.drop' : (`calendar.${act}` as const)
    return [way, way, slots, ['value']]
  }
  const old = dated(operation.old, today, voice.random)
  const kind = birthday ? 'calendar.correct' : 'calendar.update'
  return [kind, 'calendar.update', { ...slots, old }, ['value', 'old']]
}

const food = (meal: string): { meal: string; kind: string } => ({ meal: mealName(meal), kind: meal })
