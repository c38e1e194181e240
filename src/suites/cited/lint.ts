import { entryOf } from '../../base/group-by.js'
import { type Ruled, repeated } from '../lint-report.js'
import type { CitedChat } from './chat.js'

type Found = Ruled['found'][number]

/** What holds of all chats whose questions cite turns, whatever their files look like. */
export function chatRules(chats: readonly CitedChat[]): Ruled[] {
  const rule = (name: string, about: string, find: (chat: CitedChat) => Found[]): Ruled => ({
    name,
    about,
    found: chats.flatMap(find),
  })
  return [
    rule('ids', 'no two turns of a chat have one id', ({ id, sessions }) => {
      const turns = sessions.flatMap((session) => session.turns.map((turn) => turn.id))
      return [...repeated(turns)].map((turn) => ({ row: `${id} ${turn}`, message: 'two turns have this id' }))
    }),
    rule('order', 'sessions stand in the order of their times', ({ id, sessions }) =>
      sessions.flatMap(({ id: own, time }, at) =>
        at > 0 && time < sessions[at - 1]!.time
          ? [{ row: `${id} ${own}`, message: `${time} comes after ${sessions[at - 1]!.time}` }]
          : [],
      ),
    ),
    rule('repeated-sessions', 'no session is told twice in a chat', ({ id, sessions }) => {
      const homes = new Map<string, string[]>()
      for (const { id: own, turns } of sessions)
        entryOf(homes, turns.map(({ text }) => text).join('\n'), () => []).push(own)
      return [...homes.values()]
        .filter((ids) => ids.length > 1)
        .map((ids) => ({ row: `${id} ${ids[0]}`, message: `the same as ${ids.slice(1).join(', ')}` }))
    }),
    rule('evidence', 'every question that has an answer cites a turn', ({ id, questions }) =>
      questions
        .filter(({ cites, gold }) => cites.length === 0 && gold.kind !== 'abstain')
        .map((question) => ({ row: `${id} ${question.id}`, message: `cites nothing: ${question.text}` })),
    ),
    rule('asked-later', 'questions are asked after what they cite was said', ({ id, sessions, questions }) => {
      const times = new Map(sessions.flatMap(({ time, turns }) => turns.map((turn) => [turn.id, time] as const)))
      return questions.flatMap(({ id: own, asked, cites }) =>
        cites
          .filter(({ turn }) => asked !== undefined && (times.get(turn) ?? '') > asked)
          .map(({ turn }) => ({ row: `${id} ${own}`, message: `asked at ${asked}, before ${turn}` })),
      )
    }),
    rule('repeated-questions', 'no question is asked twice of a chat', ({ id, questions }) =>
      [...repeated(questions.map(({ text }) => text))].map((text) => ({ row: id, message: `asked twice: ${text}` })),
    ),
  ]
}
