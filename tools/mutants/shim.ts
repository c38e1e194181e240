import { ASYMMETRIC_MATCHERS_OBJECT, JestAsymmetricMatchers, JestChaiExpect, JestExtend } from '@vitest/expect'
import * as chai from 'chai'

type Work = (context: { skip(reason?: string): void }) => unknown

/** A test that was registered, under the titles of its groups. */
export interface Registered {
  title: string
  run: Work
}

/** As much of vitest as tests of systems use, so that they can be run again and again in one process. */
export function testApi(register: (test: Registered) => void) {
  const groups: string[] = []
  const it = (title: string, run: Work) => register({ title: [...groups, title].join(' > '), run })
  const each = (rows: readonly unknown[]) => (title: string, run: (...row: unknown[]) => unknown) => {
    for (const row of rows) {
      const values = Array.isArray(row) ? row : [row]
      let next = 0
      it(
        title.replace(/%s/g, () => String(values[next++])),
        () => run(...values),
      )
    }
  }
  const describe = (title: string, body: () => void) => {
    groups.push(title)
    body()
    groups.pop()
  }
  const skipIf = (skipped: unknown) => (skipped ? () => {} : it)
  return { describe, it: Object.assign(it, { each, skip: () => {}, skipIf }), expect }
}

/** Thrown by a test that does not apply. */
export class Skipped extends Error {}

for (const plugin of [JestExtend, JestChaiExpect, JestAsymmetricMatchers]) chai.use(plugin)

const expect = Object.assign((value: unknown, message?: string) => chai.expect(value, message), chai.expect, {
  ...Reflect.get(globalThis, ASYMMETRIC_MATCHERS_OBJECT),
})
