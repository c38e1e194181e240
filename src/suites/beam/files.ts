import { existsSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'

/** How long chats are, shortest first. */
export const SIZES = ['100K', '500K', '1M', '10M']

/** A chat of the release, with the questions beside it. */
export interface ReleasedFiles {
  size: string
  number: number
  chat: string
  questions: string
}

/** The chats that a folder holds, shortest first: the release itself, its folder `chats`, or one size of it. */
export function chatsIn(folder: string): ReleasedFiles[] {
  const homes = [folder, join(folder, 'chats')].flatMap((home) =>
    SIZES.map((size) => ({ size, home: join(home, size) })),
  )
  const own = SIZES.find((size) => size === basename(folder))
  const all = [...homes, ...(own === undefined ? [] : [{ size: own, home: folder }])].flatMap(({ size, home }) =>
    numbersIn(home).flatMap((number): ReleasedFiles[] => {
      const chat = join(home, String(number), 'chat.json')
      const questions = join(home, String(number), 'probing_questions', 'probing_questions.json')
      return existsSync(chat) && existsSync(questions) ? [{ size, number, chat, questions }] : []
    }),
  )
  return all.sort((a, b) => SIZES.indexOf(a.size) - SIZES.indexOf(b.size) || a.number - b.number)
}

function numbersIn(folder: string): number[] {
  return existsSync(folder) ? readdirSync(folder).flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : [])) : []
}
