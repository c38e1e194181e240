import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { PRESETS } from '../gateway/index.js'
import type { ModelList } from '../library.js'
import { readArgs } from './args.js'
import { listModels } from './models-list.js'

const KEY = 'sk-planted-0123456789'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

async function listed(env: Record<string, string>, ...args: string[]): Promise<string> {
  for (const { keyEnv } of Object.values(PRESETS)) if (keyEnv !== undefined) vi.stubEnv(keyEnv, '')
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  let said = ''
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    said += String(text)
    return true
  })
  expect(await listModels.run(readArgs(listModels, args))).toBe(0)
  write.mockRestore()
  return stripVTControlCharacters(said)
}

describe('memscope models', () => {
  it('says of every provider whether its key is set, and never what it is', async () => {
    const text = await listed({ OPENAI_API_KEY: KEY })
    expect(text).toMatch(/✓ openai +https:\/\/api\.openai\.com\/v1 +OPENAI_API_KEY is set/)
    expect(text).toMatch(/· anthropic +https:\/\/api\.anthropic\.com\/v1 +ANTHROPIC_API_KEY is not set/)
    expect(text).toMatch(/✓ ollama +http:\/\/127\.0\.0\.1:11434\/v1 +no key needed/)
    expect(text).toMatch(/· openai-compatible +MEMSCOPE_OPENAI_COMPATIBLE_BASE_URL is not set/)
    for (const provider of Object.keys(PRESETS)) expect(text).toContain(provider)
    expect(text).not.toContain('planted')
  })

  it('shows servers that the environment adds, without what is secret in their URLs', async () => {
    const env = {
      MEMSCOPE_MY_LAB_BASE_URL: 'http://me:hush-hush-123@10.0.0.5:9000/v1?token=hidden-456789',
      MEMSCOPE_MY_LAB_API_KEY: KEY,
    }
    const text = await listed(env)
    expect(text).toMatch(/✓ my-lab +http:\/\/10\.0\.0\.5:9000\/v1 +MEMSCOPE_MY_LAB_API_KEY is set/)
    const json = await listed(env, '--json')
    expect(text + json).not.toMatch(/hush|hidden|planted/)
    const { providers } = JSON.parse(json) as ModelList
    expect(providers.at(-1)).toEqual({
      provider: 'my-lab',
      kind: 'openai-compatible',
      baseUrl: 'http://10.0.0.5:9000/v1',
      urlVariable: 'MEMSCOPE_MY_LAB_BASE_URL',
      keyVariables: ['MEMSCOPE_MY_LAB_API_KEY'],
      needsKey: false,
      keyFrom: 'MEMSCOPE_MY_LAB_API_KEY',
      missing: null,
    })
  })

  it('tells prices with their date, your own over the bundled ones, and the embedders', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'memscope-test-')), 'prices.json')
    writeFileSync(file, JSON.stringify({ 'my-model': { input: 0.5, output: null } }))
    const text = await listed({}, '--prices', file)
    expect(text).toMatch(/Prices USD per million tokens, as of \d{4}-\d\d-\d\d/)
    expect(text).toMatch(/gpt-5-mini +0\.25 +0\.025 +2\.00 +128,000/)
    expect(text).toMatch(/my-model +0\.50 +0\.50 +\? +\?/)
    expect(text).toMatch(/minilm +384 dimensions +here/)
    expect(text).toMatch(/text-embedding-3-small +1536 dimensions/)
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(112)
    const { prices, embedders } = JSON.parse(await listed({}, '--json')) as ModelList
    expect(prices.models['gpt-5-mini']).toMatchObject({ input: 0.25, output: 2 })
    expect(embedders.map(({ name }) => name)).toEqual(['minilm', 'gte-small'])
  })
})
