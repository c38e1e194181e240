import { fold } from '../../../base/text.js'
import type { Episode } from '../episode.js'
import { standsIn } from '../validate-text.js'
import type { Problem } from './check.js'

/** Problems of words: what is not said as it is claimed, and values that cannot be told apart. */
export function textProblems(episode: Episode): Problem[] {
  return [
    ...sayingProblems(episode),
    ...valueProblems(episode),
    ...sessionProblems(episode),
    ...askingProblems(episode),
  ]
}

/** Statements stand word for word in what the user says in their session, with their value where it has to be there. */
function sayingProblems({ statements, sessions }: Episode): Problem[] {
  const said = new Map(
    sessions.map(({ id, turns }) => [
      id,
      turns.flatMap(({ role, text }) => (role === 'user' ? [text] : [])).join('\n'),
    ]),
  )
  return statements.flatMap(({ id, session, text, value, stance }): Problem[] => {
    if (!said.get(session)?.includes(text)) return [{ kind: 'text', why: `${id} does not stand in ${session}.` }]
    if (/\{\w+\}/.test(text)) return [{ kind: 'text', why: `A placeholder is left in ${id}.` }]
    const mayOmit = stance === 'removed' || stance === 'revoked'
    return mayOmit || text.includes(value) ? [] : [{ kind: 'unsolvable', why: `${id} does not name its value.` }]
  })
}

/** No value equals another, or stands in one, unless it is the same value of the same thing. */
function valueProblems({ statements, root }: Episode): Problem[] {
  const values = new Map<string, { entity: string; value: string; folded: string }>()
  const add = (entity: string, value: string | undefined) => {
    if (value !== undefined) values.set(`${entity}\n${value}`, { entity, value, folded: fold(value) })
  }
  add(root.entity, root.before)
  for (const { entity, value, parent } of statements) {
    add(entity, value)
    if (parent) add(parent.entity, parent.value)
    if (parent) add(parent.entity, parent.becomes)
  }
  const all = [...values.values()]
  return all.flatMap((one) =>
    all.flatMap((other): Problem[] => {
      if (one === other || !other.folded.includes(one.folded) || !standsIn(one.folded, other.folded)) return []
      return [
        { kind: 'ambiguous', why: `"${one.value}" (${one.entity}) stands in "${other.value}" (${other.entity}).` },
      ]
    }),
  )
}

/** Time goes on, assistants say no value, and other sessions say none either. */
function sessionProblems({ sessions, statements, times }: Episode): Problem[] {
  const problems: Problem[] = []
  const values = [...new Set(statements.map(({ value }) => fold(value)))]
  const dates = [...sessions.map(({ time }) => time), times.after]
  for (const [i, date] of dates.entries()) {
    if (i > 0 && Date.parse(date) <= Date.parse(dates[i - 1]!))
      problems.push({ kind: 'text', why: `${date} does not come after ${dates[i - 1]}.` })
  }
  for (const { id, turns, evidence } of sessions) {
    const texts = turns.filter(({ role }) => !evidence || role === 'assistant').map(({ text }) => fold(text))
    const heard = texts.join('\n')
    for (const value of values) {
      if (heard.includes(value) && standsIn(value, heard))
        problems.push({ kind: 'text', why: `${id} says "${value}", and should not.` })
    }
  }
  return problems
}

/** Every question has an id and, at its moment, a wording of its own. */
function askingProblems({ questions }: Episode): Problem[] {
  const seen = new Map<string, string>()
  return questions.flatMap(({ id, probe, text }): Problem[] => {
    const before = seen.get(`${probe} ${fold(text)}`)
    seen.set(`${probe} ${fold(text)}`, id)
    return before === undefined
      ? []
      : [{ kind: 'ambiguous', question: id, why: `${before} is asked in the same words.` }]
  })
}
