import { describe, expect, it } from 'vitest'
import { ownAndQuick, requestFrom } from './request.js'
import { startLine } from './start-line.js'

const typed = (system: string[], text: Record<string, string> = {}) => ({ text, list: { system }, on: {}, words: [] })

describe('the size of a run', () => {
  it('is quick with a file of one’s own, and a line says so', async () => {
    const own = typed(['bm25', './my-memory.ts:unit=turn'])
    expect((await requestFrom(own)).size).toBe('quick')
    expect(ownAndQuick(own)).toContain('--size paper')
  })

  it('is what was asked for, and that of the paper with built-in systems', async () => {
    for (const asked of [typed(['./my-memory.ts'], { size: 'paper' }), typed(['bm25'])]) {
      expect((await requestFrom(asked)).size).toBe('paper')
      expect(ownAndQuick(asked)).toBeNull()
    }
    expect(ownAndQuick(typed(['./my-memory.ts'], { resume: 'last' }))).toBeNull()
  })

  it('is told at the start in questions, with how to make it smaller', async () => {
    const request = await requestFrom(typed(['bm25']))
    const subject = { outside: false }
    const lives = [{ subject, asks: Array.from({ length: 700 }, () => ({ depths: [{ k: 1 }, { k: 5 }] })) }] as never
    expect(startLine({ lives, request }, 240_000)).toMatch(
      /^1,400 questions.*; about 4 min\. Fewer: --size quick, --limit <n>\.$/,
    )
    expect(startLine({ lives, request: { ...request, size: 'quick' } }, 1)).toMatch(/Fewer: --limit <n>\.$/)
    expect(startLine({ lives, request }, null)).not.toContain('Fewer')
  })
})
