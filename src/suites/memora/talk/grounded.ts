import { entryOf } from '../../../base/group-by.js'
import { escapeRegExp, fold } from '../../../base/text.js'
import type { Turn } from '../../../model/index.js'
import type { LifeTrace, Operation, TraceSession } from '../trace.js'
import { mealForms } from '../wording.js'
import { comparableText, inventoryOf, namesOf } from './inventory.js'
import { daysAsSaid, isEnded, likingsIn, NEW, OLD, TRACKED } from './reading.js'

type Rule = 'alternation' | 'missing' | 'foreign' | 'deleted' | 'assistant' | 'liking' | 'stance' | 'period'

/** Something that a conversation says wrongly, leaves out or should not say. */
export interface GroundingFinding {
  rule: Rule
  session: number
  message: string
}

/** Something that the user has to say, in any of its forms: a value that holds from now on, holds no longer or simply is, or what it is about. */
interface Value {
  forms: string[]
  stance: 'new' | 'old' | 'plain' | 'about'
  /** Values of one statement stand in one turn. */
  group: number
}

/**
 * Everything in which a conversation does not say what its session does, or says something else that could be remembered: operation, entity and value in the
 * words of the user, no other name of the persona's world, no other number, nothing repeated by the assistant, nothing that is over
 * spoken of as current. It reads the text alone and knows nothing of how it was made. No findings: it is sound.
 */
export function findGroundingErrors(
  trace: LifeTrace,
  session: TraceSession,
  turns: readonly Turn[],
): GroundingFinding[] {
  const { number, operation } = session
  const found: GroundingFinding[] = []
  const report = (rule: Rule, message: string) => found.push({ rule, session: number, message })

  for (const [at, turn] of turns.entries()) {
    if (turn.role === turns[at - 1]?.role) report('alternation', `Two turns of the ${turn.role} in a row: ${turn.text}`)
  }
  const values = operation ? valuesOf(operation) : []
  const marked = turns.map(({ text }) => mark(fold(text), values))
  const users = turns.flatMap(({ role }, at) => (role === 'user' ? [marked[at]!] : []))

  for (const group of new Set(values.map((value) => value.group))) {
    const wanted = values.filter((value) => value.group === group)
    const turn = users.find(({ hits }) => wanted.every((value) => hits.has(value)))
    if (!turn) report('missing', `No turn of the user says ${wanted.map(({ forms }) => forms[0]).join(' and ')}`)
    else
      for (const { stance, forms } of wanted) {
        if (stance === 'plain' || stance === 'about') continue
        if (isEnded(turn.text, stance === 'old' ? OLD : NEW) !== (stance === 'old'))
          report('stance', `${forms[0]} should be ${stance === 'old' ? 'over' : 'current'}: ${turn.text}`)
      }
  }
  if (operation) for (const [rule, message] of misread(operation, users)) report(rule, message)

  const inventory = inventoryOf(trace)
  for (const [at, { role, text }] of turns.entries()) {
    const { hits, rest } = marked[at]!
    if (role === 'assistant' && [...hits].some(({ stance }) => stance !== 'about'))
      report('assistant', `The assistant repeats a value: ${text}`)
    for (const name of inventory.namedIn(rest)) {
      report(wasDeleted(trace, number, name) ? 'deleted' : 'foreign', `${name} in: ${text}`)
    }
    const figure = /[$\u20ac\u00a3]|\d[\d,.]*/u.exec(rest)?.[0]
    if (figure !== undefined) report('foreign', `${figure} in: ${text}`)
    const word = operation ? undefined : TRACKED.exec(text)?.[0]
    if (word !== undefined) report('foreign', `${word} in: ${text}`)
  }
  return found
}

function valuesOf(operation: Operation): Value[] {
  const value = (form: string | string[], stance: Value['stance'], group = 0): Value => ({
    forms: [form].flat().map(fold),
    stance,
    group,
  })
  switch (operation.of) {
    case 'taste': {
      const { act, item } = operation
      if (act === 'replace') return [value(item, 'new'), value(operation.old, 'old')]
      return [value(item, act === 'delete' ? 'old' : act === 'add' ? 'new' : 'plain')]
    }
    case 'food':
      return [value(money(operation.amount, true), 'plain'), value(mealForms(operation.meal), 'about')]
    case 'steps': {
      const about = [operation.activity, ['steps', 'step']]
      return [value(numerals(operation.count), 'plain'), ...about.map((one) => value(one, 'about'))]
    }
    case 'todo':
      return [value(operation.task, operation.act === 'add' ? 'new' : 'old'), value(operation.list, 'about')]
    case 'calendar': {
      const day = value(daysAsSaid(operation.day), operation.act === 'update' ? 'new' : 'plain')
      if (operation.act === 'update')
        return [value(operation.event, 'plain'), day, value(daysAsSaid(operation.old), 'old')]
      return [value(operation.event, operation.act === 'add' ? 'new' : 'old'), day]
    }
    case 'goal': {
      const amount = (number: number) => (operation.goal === 'steps' ? numerals(number) : money(number, false))
      const about = value(operation.goal === 'steps' ? 'steps' : mealForms(operation.goal), 'about')
      const old = operation.old === null ? [] : [value(amount(operation.old), 'old')]
      return [value(amount(operation.value), old.length > 0 ? 'new' : 'plain'), ...old, about]
    }
    case 'document': {
      const element = (one: string | number, stance: Value['stance'], at: number) =>
        value(typeof one === 'number' ? money(one, false) : one, stance, at + 1)
      const elements =
        operation.act === 'add'
          ? Object.values(operation.fields).flatMap((field, at) => [field].flat().map((one) => element(one, 'new', at)))
          : operation.revisions.flatMap((one, at) => {
              if ('value' in one) return element(one.value, one.change === 'added' ? 'new' : 'old', at)
              return [element(one.from, 'old', at), element(one.to, 'new', at)]
            })
      return [value(operation.title, 'plain'), ...elements]
    }
  }
}

/** A text with stand-ins for the values in it, which values those were, and what is left of it without them. */
function mark(text: string, values: readonly Value[]): { text: string; rest: string; hits: Set<Value> } {
  const hits = new Set<Value>()
  let marked = text
  const forms = values.flatMap((value) => value.forms.map((form) => ({ form, value })))
  for (const { form, value } of forms.sort((a, b) => b.form.length - a.form.length)) {
    const sign = value.stance === 'old' ? OLD : value.stance === 'new' ? NEW : '\u2462'
    if (!marked.includes(form)) continue
    const swapped = marked.replace(wordBounded(form), sign)
    if (swapped !== marked) hits.add(value)
    marked = swapped
  }
  return { text: marked, rest: marked.replace(/[\u2460-\u2462]/gu, ' | '), hits }
}

const patterns = new Map<string, RegExp>()

const wordBounded = (form: string): RegExp =>
  entryOf(patterns, form, () => {
    const literal = escapeRegExp(form)
    return new RegExp(`(?<![\\p{L}\\p{N}$]|\\d[.,])${literal}(?![\\p{L}\\p{N}]|[.,]\\d)`, 'gu')
  })

function* misread(operation: Operation, users: readonly { text: string }[]): Generator<[Rule, string]> {
  const { text = '' } = users.find((user) => /[\u2460-\u2462]/u.test(user.text)) ?? {}
  if (operation.of === 'taste') {
    const likings = likingsIn(text)
    const current = likings.filter(({ former }) => !former).map(({ liking }) => liking)
    const all = likings.map(({ liking }) => liking)
    const { act } = operation
    const right =
      act === 'flip'
        ? current.length > 0 &&
          current.every((one) => one === operation.to) &&
          likings.some(({ liking, former }) => former && liking === operation.from)
        : all.length > 0 && all.every((one) => one === operation.liking)
    if (!right) yield ['liking', `Expected ${act === 'flip' ? operation.to : operation.liking}, read ${all}: ${text}`]
  }
  if (operation.of === 'goal') {
    const period = operation.goal === 'steps' ? /\b(?:day|daily)\b/u : /\b(?:week|weekly)\b/u
    if (!period.test(text)) yield ['period', `Expected a period: ${text}`]
  }
  if ((operation.of === 'food' || operation.of === 'steps') && !/\btoday\b/u.test(text))
    yield ['period', `Expected the day: ${text}`]
}

/** Whether a name was taken out of the memory before a session and has not come back since. */
function wasDeleted(trace: LifeTrace, before: number, name: string): boolean {
  const about = trace.sessions.filter(
    ({ number, operation }) => number < before && namesOf(operation).some((one) => comparableText(one) === name),
  )
  const last = about.at(-1)?.operation
  if (!last) return false
  if (last.of === 'taste' && last.act === 'replace') return comparableText(last.old) === name
  if (last.of === 'document' && last.act !== 'add')
    return last.revisions.some((one) => one.change === 'removed' && comparableText(one.value) === name)
  return last.act === 'delete'
}

const grouped = (digits: string): string => digits.replace(/\B(?=(?:\d{3})+(?!\d))/g, ',')
const numerals = (count: number): string[] => [grouped(String(count)), String(count)]

function money(amount: number, cents: boolean): string[] {
  const [whole, part] = amount.toFixed(2).split('.') as [string, string]
  const short = cents || part !== '00' ? [] : [`$${grouped(whole)}`, `$${whole}`]
  return [`$${grouped(whole)}.${part}`, `$${whole}.${part}`, ...short]
}
