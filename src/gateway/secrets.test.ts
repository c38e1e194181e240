import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ask, Harness, PLANTED, SPEC } from '../../test/gateway/harness.js'
import { Redactor } from './redact.js'

const running: Harness[] = []
afterEach(async () => {
  for (const harness of running.splice(0)) await harness.close()
})

describe('keys', () => {
  it('are found in no cache, cassette, log or error, even when the provider repeats them', async () => {
    // A provider that repeats the key in replies, in errors, and that fails now and then.
    const harness = await Harness.start({
      rules: [{ when: { schema: true }, reply: `{"key": "${PLANTED}"` }],
      otherwise: `Your header was Authorization: Bearer ${PLANTED}`,
      faults: { at: { 1: 'rate-limit', 2: 'server-error', 3: 'reset' } },
    })
    running.push(harness)
    const cassette = join(harness.folder, 'tape.jsonl')
    const gateway = harness.open({ mode: 'record', cassette })
    const llm = gateway.llm(SPEC)
    const reply = await llm.generate({ messages: ask(`Is ${PLANTED} safe?`) }, { role: 'answer', label: PLANTED })
    const errors: unknown[] = []
    const schema = z.object({ key: z.number() })
    await llm.generate({ messages: ask('key?'), schema }, { role: 'judge' }).catch((error) => errors.push(error))
    const locked = await Harness.start({ rules: [], otherwise: '' }, 'another-key-0123456789')
    running.push(locked)
    await locked
      .open()
      .llm(SPEC)
      .generate({ messages: ask('hi') }, { role: 'answer' })
      .catch((error) => errors.push(error))
    await gateway.close()

    expect(errors).toHaveLength(2)
    const written = [...filesIn(harness.folder), ...filesIn(locked.folder)]
    expect(written.some((file) => file.endsWith('replies.db'))).toBe(true)
    expect(harness.logs.length).toBeGreaterThan(0)
    const everything = [
      ...written.map((file) => readFileSync(file, 'latin1')),
      ...harness.logs,
      ...locked.logs,
      ...errors.map((error) => `${JSON.stringify(error)} ${(error as Error).message} ${(error as Error).stack}`),
      JSON.stringify(reply),
      JSON.stringify(gateway.usage()),
    ]
    for (const text of everything) expect(text.includes(PLANTED) ? text : '').toBe('')
    expect((errors[1] as Error).message).toContain('[redacted]')
    expect((errors[1] as Error).cause).toBeUndefined()
  })
})

describe('Redactor', () => {
  const redactor = new Redactor(['very/secret"key value', 'short'])

  it('takes out known values in any of the forms they travel in', () => {
    const leaks = [
      'very/secret"key value',
      JSON.stringify({ k: 'very/secret"key value' }),
      encodeURIComponent('very/secret"key value'),
    ]
    for (const leak of leaks) expect(redactor.text(`x ${leak} y`)).not.toMatch(/secret/)
    expect(redactor.value({ a: ['very/secret"key value'] })).toEqual({ a: ['[redacted]'] })
  })

  it('leaves words alone that servers without keys are given', () => {
    expect(redactor.text('a short story')).toBe('a short story')
  })

  it.each([
    'Authorization: Bearer abc.def-123456',
    'headers {"authorization":"Basic dXNlcjpwYXNz"}',
    'Incorrect API key provided: sk-abcd****wxyz.',
    'x-api-key: 0123456789abcdef',
    'https://generativelanguage.googleapis.com/v1?key=AIzaSyA1234567890abcdefg',
    'http://user:hunter2@example.com/v1',
  ])('takes out what looks like a key: %s', (text) => {
    expect(redactor.message(text)).toMatch(/\[redacted\]/)
    expect(redactor.message(text)).not.toMatch(/abc\.def|dXNl|abcd\*|0123456789abcdef|AIza|hunter2/)
  })
})

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile())
}
