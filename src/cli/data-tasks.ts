import { UserError } from '../base/errors.js'
import { type MemfailTask, TASKS } from '../suites/memfail/material.js'
import { suitesFrom } from './request.js'

/** The MemFail tasks meant by `--suite`. Both tellings of conditional rules are also meant by `memfail/conditional`. */
export function memfailTasks(names: string[] | undefined): MemfailTask[] {
  const plain = (names ?? ['memfail']).flatMap((name) =>
    name === 'memfail/conditional' ? ['memfail/conditional-easy', 'memfail/conditional-hard'] : [name],
  )
  const [asked, ...others] = suitesFrom(plain)
  if (asked?.name !== 'memfail' || others.length > 0)
    throw new UserError(
      'Only corpora of memfail can be generated, and only those and lives of memora exported.',
      'Give --suite memfail, memfail/<task>, or to export --suite memora.',
    )
  return TASKS.filter((task) => asked.tasks === null || asked.tasks.includes(task))
}
