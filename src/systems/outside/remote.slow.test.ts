import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HOSTILE, serveFixture, TOY_SERVER } from '../../../test/toys.js'
import { systemTestContext } from '../conformance/fixtures.js'
import { checkSystem } from '../conformance/run.js'
import { resolveSystem } from '../registry.js'

const resolve = (spec: string, timeoutMs?: number) => resolveSystem(spec, '/', timeoutMs)
const talk = (id: string) => ({
  id,
  time: '2024-01-01T00:00:00Z',
  turns: [{ role: 'user' as const, text: `I say ${id}.` }],
})

/** What storing, then dumping, ends in; null where nothing is wrong. */
async function wrongOf(spec: string, signal?: AbortSignal, opened?: () => void): Promise<string | null> {
  const { definition } = await resolve(spec)
  const system = await definition.create({ ...systemTestContext(), ...(signal && { signal }) }, {})
  opened?.()
  try {
    for (const id of ['a', 'b', 'c']) await system.store(talk(id))
    const held = await system.dump!()
    expect((await system.retrieve({ id: 'q', text: 'a', time: '' }, 2, { k: 2 })).map(({ id }) => id)).toEqual(
      held.slice(0, 2).map(({ id }) => id),
    )
    await system.close!()
    await expect(system.store(talk('d'))).rejects.toThrow('it was closed')
    return null
  } catch (error) {
    return (error as Error).message
  }
}

describe('a memory behind the protocol', () => {
  let server: Awaited<ReturnType<typeof serveFixture>>
  beforeAll(async () => {
    server = await serveFixture([TOY_SERVER])
  })
  afterAll(() => server.stop())

  it('keeps the contract over lines and over HTTP, and is told by what it declares', async () => {
    for (const spec of [`cmd:node "${TOY_SERVER}"`, server.url]) {
      const { definition, label, outside } = await resolve(spec)
      const failed = (await checkSystem({ name: label, definition })).filter(({ status }) => status === 'failed')
      expect(failed).toEqual([])
      expect([outside, definition.class, definition.version]).toEqual([
        true,
        'processed',
        expect.stringMatching(/^\S+\+[0-9a-f]{16}$/),
      ])
    }
    expect((await resolve(`mine=cmd:node "${TOY_SERVER}"`)).label).toBe('mine')
  })

  it.each([
    [
      'crash',
      /^its process ended \(code 3\) during store\. Its last words: goodbye, cruel world/,
      /^store: the server cannot be reached: /,
    ],
    ['half', /^its process ended \(code 3\) during store\./, /^store: the server cannot be reached: /],
    [
      'garbage',
      /^it wrote what is no JSON: "Traceback .*red/,
      /^it wrote what is no JSON: "Traceback .* during store\.$/,
    ],
    ['no-utf-8', /no text in UTF-8/, /no text in UTF-8/],
    ['other-id', /^it replied to 999999, which was not asked/, /^its reply to store is not to what was asked\.$/],
    ['error', /^the disk is full$/, /^the disk is full$/],
    ['flood', null, null],
  ])('says what went wrong: %s', async (fault, piped, web) => {
    const hostile = await serveFixture([HOSTILE, fault])
    const said = [await wrongOf(`cmd:node "${HOSTILE}" ${fault}`), await wrongOf(hostile.url)]
    hostile.stop()
    for (const [i, expected] of [piped, web].entries())
      if (expected === null) expect(said[i]).toBeNull()
      else expect(said[i]).toMatch(expected)
  })

  it('is stopped while it hangs, and not waited for when it does not open', async () => {
    const stop = new AbortController()
    expect(await wrongOf(`cmd:node "${HOSTILE}" hang`, stop.signal, () => setTimeout(() => stop.abort(), 100))).toMatch(
      /^it was stopped during store\./,
    )
    await expect(resolve('cmd:node -e setInterval(()=>{},1000)', 300)).rejects.toThrow(
      'it took longer than 0.3 s to open',
    )
    await expect(resolve('cmd:node -e process.exit(7)')).rejects.toThrow(
      /could not be used as a memory: its process ended \(code 7\)/,
    )
    await expect(resolve('cmd:/nowhere/to/be/found')).rejects.toThrow(/There is no file|could not be started/)
    await expect(resolve('http://127.0.0.1:9/x')).rejects.toThrow(
      /could not be used as a memory: open: the server cannot be reached/,
    )
  })
})
