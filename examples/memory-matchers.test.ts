import { openMemory } from 'memscope'
import 'memscope/vitest'
import { afterAll, expect, it } from 'vitest'

/* What a memory keeps, forgets and finds, in one's own tests: npx vitest run. Any system will do: './my-memory.ts', 'py:my_module:MyMemory', 'cmd:./server'. */

const memory = await openMemory({ system: './own-memory.ts' })
afterAll(() => memory.close?.())

it('keeps what it is told, and finds it', async () => {
  await memory.store({
    id: 'monday',
    time: '2026-03-02T09:00:00Z',
    turns: [
      { role: 'user', text: 'I moved to Oslo in March, and I am allergic to walnuts.' },
      { role: 'assistant', text: 'Good to know!' },
    ],
  })
  await expect(memory).toKeep('I am allergic to walnuts.')
  await expect(memory).toRetrieve('I moved to Oslo in March.', { for: 'Where did I move?', k: 3 })
  await expect(memory).toForget('I moved to Bergen in March.')
  await expect(memory).not.toKeep('My sister plays the cello.')
}, 60_000)
