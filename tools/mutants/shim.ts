import { ASYMMETRIC_MATCHERS_OBJECT, JestAsymmetricMatchers, JestChaiExpect, JestExtend } from '@vitest/expect'
import * as chai from 'chai'

type Work = (context: { skip(reason?: string): void }) => unknown
type Hook = () => unknown

interface Group {
  title: string
  skipped: boolean
  isOpen: boolean
  hooks: Record<'beforeAll' | 'afterAll' | 'beforeEach' | 'afterEach', Hook[]>
}

/** A test that was registered, under the titles of its groups. */
export interface Registered {
  title: string
  /** @param prepared told when what is made for its group is made */
  run(prepared: () => void): Promise<void>
}

/** As much of vitest as tests of systems use, so that they can be run again and again in one process. */
export function testApi(register: (test: Registered) => void) {
  let groups: readonly Group[] = []
  const opened: Group[] = []
  const it = (title: string, work: Work) => {
    const around = groups
    if (around.some(({ skipped }) => skipped)) return
    const hooks = async (when: keyof Group['hooks']) => {
      for (const group of around) for (const hook of group.hooks[when]) await hook()
    }
    register({
      title: [...around.map((group) => group.title).filter(Boolean), title].join(' > '),
      async run(prepared) {
        for (const group of around.filter(({ isOpen }) => !isOpen)) {
          group.isOpen = true
          opened.unshift(group)
          for (const hook of group.hooks.beforeAll) await hook()
        }
        prepared()
        await hooks('beforeEach')
        try {
          await work({ skip: (reason) => raise(new Skipped(reason)) })
        } catch (error) {
          if (!(error instanceof Skipped)) throw error
        } finally {
          await hooks('afterEach')
        }
      },
    })
  }
  const each =
    <Body>(
      one: (title: string, run: Body) => void,
      bound: (run: (...row: unknown[]) => unknown, row: unknown[]) => Body,
    ) =>
    (rows: readonly unknown[]) =>
    (title: string, run: (...row: unknown[]) => unknown) => {
      for (const row of rows) {
        const values = Array.isArray(row) ? row : [row]
        let next = 0
        one(
          title.replace(/%s/g, () => String(values[next++])),
          bound(run, values),
        )
      }
    }
  const group = (title: string, body: () => void, skipped = false) => {
    const before = groups
    const hooks = { beforeAll: [], afterAll: [], beforeEach: [], afterEach: [] }
    groups = [...before, { title, skipped, isOpen: false, hooks }]
    body()
    groups = before
  }
  const describe = Object.assign((title: string, body: () => void) => group(title, body), {
    skipIf: (skipped: unknown) => (title: string, body: () => void) => group(title, body, Boolean(skipped)),
    concurrent: group,
    each: each<() => void>(group, (run, row) => () => void run(...row)),
  })
  const eachTest = { each: each<Work>(it, (run, row) => () => run(...row)) }
  const hook = (when: keyof Group['hooks']) => (work: Hook) => groups.at(-1)!.hooks[when].push(work)
  const skipIf = (skipped: unknown) => (skipped ? Object.assign(() => {}, { each: () => () => {} }) : test)
  const test = Object.assign(it, { ...eachTest, skip: () => {}, skipIf: (skipped: unknown) => skipIf(skipped) })
  return {
    api: {
      describe,
      it: test,
      expect,
      vi,
      beforeAll: hook('beforeAll'),
      afterAll: hook('afterAll'),
      beforeEach: hook('beforeEach'),
      afterEach: hook('afterEach'),
    },
    /** Takes up the tests of a file, whose hooks are those of a group. */
    inFile: async (load: () => Promise<unknown>) => {
      groups = [
        {
          title: '',
          skipped: false,
          isOpen: false,
          hooks: { beforeAll: [], afterAll: [], beforeEach: [], afterEach: [] },
        },
      ]
      await load()
    },
    /** Undoes what was made for groups whose tests ran. */
    async end() {
      for (const { hooks } of opened) for (const undo of hooks.afterAll) await undo()
    },
  }
}

class Skipped extends Error {}

function raise(error: Error): never {
  throw error
}

/** Variables as they were before tests set them. */
const stubbed = new Map<string, string | undefined>()

const vi = {
  stubEnv(name: string, value: string) {
    if (!stubbed.has(name)) stubbed.set(name, process.env[name])
    process.env[name] = value
  },
  unstubAllEnvs() {
    for (const [name, value] of stubbed)
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    stubbed.clear()
  },
  async waitFor<T>(look: () => T | Promise<T>, { timeout = 1000, interval = 50 } = {}): Promise<T> {
    for (const end = Date.now() + timeout; ; await new Promise((resolve) => setTimeout(resolve, interval)))
      try {
        return await look()
      } catch (error) {
        if (Date.now() > end) throw error
      }
  },
}

for (const plugin of [JestExtend, JestChaiExpect, JestAsymmetricMatchers]) chai.use(plugin)

const expect = Object.assign((value: unknown, message?: string) => chai.expect(value, message), chai.expect, {
  ...Reflect.get(globalThis, ASYMMETRIC_MATCHERS_OBJECT),
})
