import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { listModels } from './lists.js'
import { reasoningReaders } from './settings/readers.js'

it('prices that were saved hold for their home, under those that are named', async () => {
  const home = mkdtempSync(join(tmpdir(), 'memscope-saved-'))
  const own = join(home, 'own.json')
  const priceOf = async (prices?: string) => (await listModels({ home, ...(prices && { prices }) })).prices
  writeFileSync(own, JSON.stringify({ 'lab-model': { input: 1, output: 2 } }))
  await listModels({ home, prices: own, save: true })
  expect((await priceOf()).models['lab-model']).toEqual({ input: 1, output: 2 })
  expect((await priceOf()).updated).toMatch(/^20\d\d-\d\d-\d\d, own prices of 20\d\d-\d\d-\d\d$/)
  writeFileSync(own, JSON.stringify({ 'lab-model': { input: 3, output: 4 } }))
  expect((await priceOf(own)).models['lab-model']).toEqual({ input: 3, output: 4 })
  expect((await priceOf()).models['lab-model']).toEqual({ input: 1, output: 2 })
  await expect(listModels({ home, save: true })).rejects.toThrow('--save')
  rmSync(home, { recursive: true })
})

it('a list of efforts makes a reader of each; one is a setting of all', () => {
  const names = ['openai:gpt-5-mini', 'none']
  expect(reasoningReaders(names, ['off', 'default']).readers).toEqual([
    'openai:gpt-5-mini+off',
    'openai:gpt-5-mini',
    'none',
  ])
  expect(reasoningReaders(names, 'off')).toEqual({ readers: names, reasoning: 'off' })
  expect(() => reasoningReaders(['./mine.ts'], ['off', 'low'])).toThrow('cannot be told')
  expect(() => reasoningReaders(names, 'lots' as 'low')).toThrow('reasoning')
})
