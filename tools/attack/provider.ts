import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PRICES, SPEC } from '../../bench/llm-model.js'
import { root } from '../../test/cli.js'
import { comparable } from '../../test/llm.js'
import type { Attack, Ground, Group } from './attack.js'
import { FATAL } from './faults.js'
import { HostileServer, KEY } from './hostile-server.js'
import { type Code, expectEqual, expectOrder, expectThat, filesWith, type Played, play, tail } from './play.js'

/** Share of requests that are spoilt. */
const RATE = 0.4
/** Kinds of fault that must have been served for the whole to count. */
const LEAST_KINDS = 20
/** A run of so few questions takes seconds; waiting for tries that hang and for turns takes the rest. */
const LIMIT_MS = 300_000

const NOTES = join(root, 'test/fixtures/llm-notes.ts')
const MODELS = ['--model', SPEC, '--reader', SPEC, '--judge', `llm:${SPEC}`, '--llm', 'timeout=2']
/** A memory, a reader and a judge that have a model. */
const EVERY_PART = ['--suite', 'memfail:pack=8', '--system', NOTES, '--size', '8', ...MODELS]
const SMALL = ['--suite', 'memfail/persona:pack=8', '--system', NOTES, '--size', '3', ...MODELS]
const VECTORS = [
  '--suite',
  'memfail',
  '--system',
  'dense',
  '--size',
  '12',
  '--k',
  '1,5',
  '--embedder',
  SPEC,
  '--llm',
  'timeout=2',
]

/** A hostile provider over HTTP: nothing is scored that was not measured, and nothing gets out. */
export const provider: Group = {
  name: 'provider',
  attacks(ground) {
    let small: Promise<Calm> | undefined
    const fatal = Object.entries(FATAL).map(
      ([name, [fault, words]], i): Attack => ({
        kind: name,
        name: `${name}, from some request on, and then peace`,
        strike: () =>
          staged(ground, async (stage) => {
            small ??= staged(ground, (other) => other.calm(SMALL))
            const calm = await small
            stage.server.from = { request: 2 + ((ground.seed + i) % 8), fault }
            const { err } = await stage.run(SMALL, 'hostile', [3])
            expectThat(words.test(err), () => `does not say ${words}\n${tail(err)}`)
            stage.server.from = null
            stage.expectResumed(calm, await stage.resume('hostile'))
          }),
      }),
    )
    return [
      mixed(ground, 'models', EVERY_PART),
      mixed(ground, 'vectors', VECTORS),
      ...fatal,
      {
        kind: 'a budget',
        name: 'a budget under lies about usage',
        strike: (served) =>
          staged(ground, async (stage) => {
            stage.server.rate = RATE
            const usd = 0.06
            const { err } = await stage.run([...EVERY_PART, '--budget', String(usd)], 'hostile', [3])
            const { input, output } = stage.server.model.stats.billed
            const price = PRICES[SPEC]!
            const charged = (input * price.input + output * price.output) / 1e6
            expectThat(charged <= usd, () => `was charged ${charged} USD with a budget of ${usd}`)
            expectThat(/budget/i.test(err), () => `does not speak of the budget\n${tail(err)}`)
            served('a budget')
          }),
      },
    ]
  },
}

/** A run in which four requests of ten are spoilt, each in one of all ways; then the same run in peace. */
function mixed(ground: Ground, what: string, flags: string[]): Attack {
  return {
    kind: what,
    name: `${what}: ${RATE * 100} % of requests spoilt`,
    strike: (served) =>
      staged(ground, async (stage) => {
        const calm = await stage.calm(flags)
        const { server } = stage
        const before = server.requests
        server.rate = RATE
        try {
          await stage.run(flags, 'hostile', [0, 3])
        } finally {
          for (const [name, times] of server.served) served(name, times)
        }
        const faults = [...server.served.values()].reduce((sum, n) => sum + n, 0)
        const share = faults / (server.requests - before)
        expectThat(share > RATE - 0.1 && share < RATE + 0.1, () => `${share} of requests were spoilt, not ${RATE}`)
        if (what === 'models') {
          const kinds = server.served.size
          expectThat(kinds >= LEAST_KINDS, () => `only ${kinds} kinds of fault were served`)
        }
        const measured = stage.outcomes('hostile')
        const errors = [...measured.values()].filter((outcome) => outcome === 'error').length
        for (const [question, outcome] of measured)
          if (outcome !== 'error') expectEqual(`The outcome of ${question}`, outcome, calm.outcomes.get(question))
        expectEqual('The number of questions', measured.size, calm.outcomes.size)
        expectThat(errors < measured.size, () => 'every question is an error: nothing was measured')
        server.rate = 0
        stage.expectResumed(calm, await stage.resume('hostile'))
      }),
  }
}

interface Calm {
  summary: unknown
  outcomes: Map<string, string>
}

/** A provider of its own, and runs against it, with what holds for each of them. */
class Stage {
  readonly #prices: string

  constructor(
    readonly server: HostileServer,
    readonly cwd: string,
    seed: number,
  ) {
    server.seed = seed
    this.#prices = join(cwd, 'prices.json')
    writeFileSync(this.#prices, JSON.stringify(PRICES))
  }

  async calm(flags: string[]): Promise<Calm> {
    await this.run(flags, 'calm', [0])
    return { summary: this.#summary('calm'), outcomes: this.outcomes('calm') }
  }

  run(flags: string[], name: string, codes: Code[]): Promise<Played> {
    return this.#play(['run', ...flags, ...this.#common(name)], codes)
  }

  async resume(name: string): Promise<unknown> {
    await this.#play(['run', '--resume', 'last', ...this.#common(name)], [0])
    return this.#summary(name)
  }

  /** What became of every question, by task, system, depth and question. */
  outcomes(name: string): Map<string, string> {
    const text = readFileSync(join(this.cwd, `${name}.xml`), 'utf8')
    const cases = text.matchAll(/<testcase classname="([^"]*)" name="([^"]*)" [^>]*?(?:\/>|><\w+ type="([^"]*)")/g)
    return new Map([...cases].map(([, cell, question, failed]) => [`${cell} ${question}`, failed ?? 'passed']))
  }

  expectResumed({ summary }: Calm, resumed: unknown): void {
    expectEqual('What the run says when it went on in peace', resumed, summary)
  }

  #common(name: string): string[] {
    const outputs = ['json', 'xml', 'html'].flatMap((type) => [
      type === 'xml' ? '--junit' : `--${type}`,
      join(this.cwd, `${name}.${type}`),
    ])
    return ['--home', join(this.cwd, name), '--prices', this.#prices, ...outputs]
  }

  #summary(name: string): unknown {
    return comparable(readFileSync(join(this.cwd, `${name}.json`), 'utf8'))
  }

  async #play(args: string[], codes: Code[]): Promise<Played> {
    const played = await play(args, { cwd: this.cwd, env: this.server.env, limitMs: LIMIT_MS })
    expectOrder(played, codes)
    expectThat(this.server.strayed === 0, () => 'a redirect was followed to another server')
    const told = [played.out, played.err].some((text) => text.includes(KEY))
    expectThat(!told, () => 'shows the key')
    const files = filesWith(this.cwd, KEY)
    expectThat(files.length === 0, () => `keeps the key in ${files.join(', ')}`)
    return played
  }
}

async function staged<T>(ground: Ground, act: (stage: Stage) => Promise<T>): Promise<T> {
  const server = await HostileServer.open()
  try {
    return await act(new Stage(server, ground.folder(), ground.seed))
  } finally {
    await server.close()
  }
}
