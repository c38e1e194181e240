import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { actingModel } from '../bench/llm-model.js'
import type { ScriptedModel } from '../src/gateway/index.js'
import type { Summary } from '../src/model/index.js'
import { comparable, EVERY_PART, Stage } from './llm.js'

/** The grade turned, and what is missing with it. */
function contrary<G extends { right: boolean; missing?: number[] }>(grade: G): G {
  return { ...grade, right: !grade.right, ...(grade.missing && { missing: grade.right ? [1] : [] }) }
}

/** The same model in a mood: the first grade of a call turns into its contrary every second time the call comes. */
function moodyModel(): ScriptedModel {
  const model = actingModel()
  const say = model.reply.bind(model)
  const seen = new Map<string, number>()
  model.reply = async (request, number) => {
    const reply = await say(request, number)
    if (!Object.keys(request.format?.schema?.properties ?? {}).includes('grades')) return reply
    const asked = JSON.stringify(request.messages)
    const times = (seen.get(asked) ?? 0) + 1
    seen.set(asked, times)
    const { grades } = JSON.parse(reply.text) as { grades: { right: boolean; missing?: number[] }[] }
    const turned = grades.map((grade, i) => (i === 0 && times % 2 === 0 ? contrary(grade) : grade))
    return { ...reply, text: JSON.stringify({ grades: turned }) }
  }
  return model
}

let once: Stage
let truth: string

beforeAll(async () => {
  once = await Stage.open()
  truth = (await once.run()).out
})

afterAll(() => once.server.close())

/** Calls of the judge; everything else has no verdicts or grades to give. */
function judgings({ requests }: ScriptedModel): number {
  return requests.filter(({ request }) => {
    const asked = 'messages' in request ? Object.keys(request.format?.schema?.properties ?? {}) : []
    return asked.includes('grades') || asked.includes('verdicts')
  }).length
}

describe('a judge that judges several times', () => {
  it('is asked anew for everything, and leaves the cells of its first time as they are', async () => {
    const twice = await Stage.open()
    const { code, out } = await twice.run('--judge-trials', '2')
    expect([code, comparable(out)]).toEqual([0, comparable(truth)])
    expect(judgings(twice.model)).toBe(2 * judgings(once.model))
    expect(twice.model.stats.calls).toBe(once.model.stats.calls + judgings(once.model))
    const [before, now] = [JSON.parse(truth), JSON.parse(out)] as [Summary, Summary]
    // Shares of calls are rounded in the sum.
    expect(Math.abs(now.timing.judgeTokens! - 2 * before.timing.judgeTokens!)).toBeLessThanOrEqual(1)
    const { out: told } = await twice.play(['report', 'last', '--quiet', '--md', '-'])
    expect(told).toContain('No number moved between trials.')
    await twice.server.close()
  })

  it('is asked again when a run goes on or is rejudged, for that alone, and shows how far it varies', async () => {
    const stage = await Stage.open(moodyModel())
    expect(comparable((await stage.run()).out)).toEqual(comparable(truth))
    const asked = async (...args: string[]) => {
      const before = stage.model.stats.calls
      const { code, out } = await stage.play([...args, '--prices', stage.prices, '--quiet', '--json', '-'])
      expect(code).toBe(0)
      return { calls: stage.model.stats.calls - before, out }
    }
    const more = await asked('run', '--resume', 'last', '--judge-trials', '2')
    expect([more.calls, comparable(more.out)]).toEqual([judgings(once.model), comparable(truth)])
    const { out: told } = await stage.play(['report', 'last', '--quiet', '--md', '-'])
    expect(told).toMatch(/llm-notes answer \d+\.\d by judging anew/)
    expect(told).not.toMatch(/by (storing|answering) anew/)
    const third = await asked('rejudge', 'last', '--judge-trials', '3')
    expect([third.calls, comparable(third.out)]).toEqual([judgings(once.model), comparable(truth)])
    const other = await asked('rejudge', 'last', '--judge', 'llm:openai-compatible:other', '--judge-trials', '2')
    expect(other.calls).toBe(2 * judgings(once.model))
    await stage.server.close()
  })

  it('is told in the estimate, and refused where it would show nothing', async () => {
    const command = ['run', ...EVERY_PART, '--prices', once.prices, '--estimate']
    const estimate = async (...more: string[]) => (await once.play([...command, ...more])).out
    const tokens = (text: string) =>
      Number(/^Judges: .* calls, (?:about )?([\d,]+)/m.exec(text)![1]!.replaceAll(',', ''))
    const [single, triple] = [await estimate(), await estimate('--judge-trials', '3')]
    expect(tokens(triple)).toBeGreaterThan(tokens(single) * 2.5)
    const refused = await once.play(['rejudge', 'last', '--judge', 'lexical', '--judge-trials', '2'])
    expect([refused.code, refused.err]).toEqual([2, expect.stringMatching(/lexical says the same every time/)])
  })
})
