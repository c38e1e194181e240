import type { Random } from '../../../base/random.js'
import { dayAfter, weekdayOf } from '../days.js'
import type { Activities, Calendar, EventKind, PersonaId, Todos } from '../seed.js'
import type { GoalKind, Meal, Operation } from '../trace.js'
import { randomInteger, take } from './draw.js'
import type { Act } from './knobs.js'

/** Open tasks; what is done may be taken up again later. */
export function todoList(random: Random, { work, personal }: Todos[PersonaId]): (act: Act) => Operation | string {
  const waiting = { work: [...work], personal: [...personal] }
  const open: { list: 'work' | 'personal'; task: string }[] = []
  return (act) => {
    if (act === 'delete' && open.length > 0) {
      const done = take(random, open)
      waiting[done.list].push(done.task)
      return { of: 'todo', act: 'delete', ...done }
    }
    const lists = (['work', 'personal'] as const).filter((list) => waiting[list].length > 0)
    if (lists.length === 0) return 'add task: all are open'
    const list = random.pick(lists)
    const task = take(random, waiting[list])
    open.push({ list, task })
    return { of: 'todo', act: 'add', list, task }
  }
}

/** Events ahead. One that is over stays as it was, and does not come a second time. */
export function calendarBook(
  random: Random,
  { work, personal, birthdays }: Calendar[PersonaId],
): (act: Act, today: string) => Operation | string {
  const waiting = { work: [...work], personal: [...personal], birthdays: [...birthdays] }
  const entries: { kind: EventKind; event: string; offsets: number[]; day: string }[] = []
  const add = (today: string): Operation | string => {
    const kinds = (Object.keys(waiting) as EventKind[]).filter((kind) => waiting[kind].length > 0)
    if (kinds.length === 0) return 'add event: none is left'
    const kind = random.pick(kinds)
    const { name: event, offsets } = take(random, waiting[kind])
    const day = fitting(kind, today, random.pick(offsets))
    entries.push({ kind, event, offsets, day })
    return { of: 'calendar', act: 'add', kind, event, day }
  }
  return (act, today) => {
    if (act === 'add' || entries.length === 0) return add(today)
    const ahead = entries.filter((entry) => entry.day > today)
    if (ahead.length === 0) return `${act} event: all are over`
    const entry = random.pick(ahead)
    const { kind, event, offsets, day: old } = entry
    if (act === 'delete') {
      entries.splice(entries.indexOf(entry), 1)
      waiting[kind].push({ name: event, offsets })
      return { of: 'calendar', act: 'delete', kind, event, day: old }
    }
    do entry.day = fitting(kind, today, randomInteger(random, [1, 30]))
    while (entry.day === old)
    return { of: 'calendar', act: 'update', kind, event, day: entry.day, old }
  }
}

/** The day so many days ahead; what belongs to work falls on the Friday before a weekend, or on Monday where that is not ahead. */
function fitting(kind: EventKind, today: string, ahead: number): string {
  const day = dayAfter(today, ahead)
  const weekday = weekdayOf(day)
  if (kind !== 'work' || (weekday !== 0 && weekday !== 6)) return day
  const friday = dayAfter(day, weekday === 6 ? -1 : -2)
  return friday > today ? friday : dayAfter(friday, 3)
}

/** What is written down as it comes: money spent on food, steps walked, and goals for both. */
export function diary(random: Random, { meals, steps, goals }: Activities) {
  const held = new Map<GoalKind, number>()
  const draw = (goal: GoalKind): number => {
    if (goal !== 'steps') {
      const { min, max, round } = goals.food[goal]
      return randomInteger(random, [Math.ceil(min / round), Math.floor(max / round)]) * round
    }
    const value = randomInteger(random, [goals.steps.min, goals.steps.max])
    const { round } = goals.steps.rounding.find(({ below }) => value < below)!
    return Math.round(value / round) * round
  }
  return {
    food(meal: Meal): Operation {
      const { min, max } = random.pick(meals[meal])
      return { of: 'food', act: 'add', meal, amount: randomInteger(random, [min * 100, max * 100]) / 100 }
    },
    steps(): Operation {
      const { activity, min, max } = random.pick(steps)
      return { of: 'steps', act: 'add', activity, count: randomInteger(random, [min, max]) }
    },
    /** A goal is always another than the one it takes the place of. */
    goal(goal: GoalKind): Operation {
      const old = held.get(goal) ?? null
      let value = draw(goal)
      while (value === old) value = draw(goal)
      held.set(goal, value)
      return { of: 'goal', act: 'set', goal, value, old }
    },
  }
}
