import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { actingModel } from '../bench/llm-model.js'
import { NoRule } from '../src/gateway/scripted/model.js'
import { root } from './cli.js'
import { EVERY_PART, Stage } from './llm.js'

/** Keys with values of no known shape, so that nothing but knowing them can find them. */
const KEYS = {
  OPENAI_API_KEY: 'planted-openai-0a1b2c3d4e5f',
  ANTHROPIC_API_KEY: 'planted-anthropic-1b2c3d4e5f6a',
  GOOGLE_GENERATIVE_AI_API_KEY: 'planted-google-2c3d4e5f6a7b',
  OPENROUTER_API_KEY: 'planted-openrouter-3d4e5f6a7b8c',
  MEMSCOPE_OPENAI_COMPATIBLE_API_KEY: 'planted-own-4e5f6a7b8c9d',
}
/** A key that this machine never knew: the server's own, in an error. */
const OF_THE_SERVER = 'sk-planted-server-5f6a7b8c9d0e'
const FORMATS = [
  ...['--html', 'r.html', '--md', 'r.md', '--csv', 'r.csv', '--junit', 'r.xml', '--json', 'r.json'],
  ...['--record', 'tape.jsonl'],
]

it('keeps keys out of the run store, caches, cassettes, reports and everything that is said', async () => {
  const own = KEYS.MEMSCOPE_OPENAI_COMPATIBLE_API_KEY
  // A server that repeats the key it was sent, in replies and in errors; every third reader's call is refused.
  const model = actingModel()
  const say = model.reply.bind(model)
  model.reply = async (request, number) => {
    const reply = await say(request, number)
    if (request.format) return reply
    if (reply.text.length % 3 === 0) throw new NoRule(`Bearer ${own} may not, nor may ${OF_THE_SERVER}`)
    return { ...reply, text: `${reply.text} (asked with ${own})` }
  }
  const stage = await Stage.open(model, own)
  const leaky = join(root, 'test/fixtures/leaky.mjs')
  const both = EVERY_PART.map((word, i) => (EVERY_PART[i - 1] === '--system' ? `${word},${leaky}` : word))
  const models = ['--prices', stage.prices, '--budget', '1']
  const ended = [await stage.playApart(['run', ...both, ...models, ...FORMATS], KEYS)]
  expect(ended[0]!.code).toBe(3)
  ended.push(await stage.playApart(['report', 'last'], KEYS))
  ended.push(await stage.playApart(['explain', 'last', '--json', '-'], KEYS))
  // A key that is refused ends the run: the server repeats it.
  const wrong = { ...KEYS, MEMSCOPE_OPENAI_COMPATIBLE_API_KEY: 'planted-wrong-6a7b8c9d0e1f' }
  const refused = await stage.playApart(['run', ...EVERY_PART, ...models, '--home', 'refused', '--seed', '7'], wrong)
  expect(refused.code).toBe(3)
  expect(refused.err).toMatch(/HTTP 401: Incorrect API key provided: .*\[redacted\]/)
  const debug = ['run', ...EVERY_PART, ...models, '--home', 'debug', '--seed', '8', '--debug']
  ended.push(refused, await stage.playApart(debug, wrong))
  await stage.server.close()

  const files = readdirSync(stage.cwd, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(stage.cwd, name)).isFile(),
  )
  for (const name of ['memscope.db', 'replies.db', 'spending.db', 'tape.jsonl', 'r.html', 'r.xml'])
    expect(files.some((file) => file.endsWith(name))).toBe(true)
  const written = files.map((name) => [name, readFileSync(join(stage.cwd, name), 'latin1')] as const)
  const said = ended.flatMap(({ out, err }, i) => [[`out ${i}`, out] as const, [`err ${i}`, err] as const])
  const everything = [...written, ...said]
  const leaks = everything.flatMap(([where, text]) =>
    [...Object.values(wrong), own, OF_THE_SERVER]
      .filter((key) => text.includes(key))
      .map((key) => `${key} in ${where}`),
  )
  expect(leaks).toEqual([])
  // What was refused and repeated is told, without the key.
  expect(everything.some(([, text]) => text.includes('was refused'))).toBe(true)
  expect(everything.some(([where, text]) => where === 'tape.jsonl' && text.includes('asked with [redacted]'))).toBe(
    true,
  )
  expect(ended[0]!.err).toContain('storing with [redacted]')
})
