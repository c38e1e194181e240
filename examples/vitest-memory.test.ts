import { runJudgeConformance, runSystemConformance } from 'memscope/conformance'
import { expect, it } from 'vitest'
import ownJudge from './own-judge.js'
import ownMemory from './own-memory.js'

/* Memories and judges of one's own in one's own tests: npx vitest run */

runSystemConformance({ name: 'own-memory', definition: ownMemory, options: { roles: 'all' } })
runJudgeConformance({ name: 'own-judge', definition: ownJudge })

it('finds a rare word before a common one', async () => {
  const context = {
    embed: {
      id: 'none',
      dimensions: 1,
      embed: async (texts: readonly string[]) => texts.map(() => new Float32Array(1)),
    },
    ...{ workdir: '.', namespace: 'test', now: () => '2026-01-01T00:00:00.000Z' },
    ...{ signal: new AbortController().signal, log: () => {} },
  }
  const memory = await ownMemory.create(context, { roles: 'user' })
  const texts = ['I have tea in the morning.', 'I have tea with Zora.', 'I have tea at night.']
  const turns = texts.map((text) => ({ role: 'user' as const, text }))
  await memory.store({ id: 'c1', time: '2026-01-01T00:00:00.000Z', turns })
  const [best] = await memory.retrieve({ id: 'q', text: 'When do I have tea with Zora?', time: '' }, 1, { k: 1 })
  expect(best?.text).toBe('I have tea with Zora.')
})
