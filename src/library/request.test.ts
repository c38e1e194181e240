import { describe, expect, it } from 'vitest'
import { quickSizeNote, requestFrom } from './request.js'

describe('the size of a run', () => {
  it('is quick with a system of one’s own, and a line says so', async () => {
    const file = { system: ['bm25', './my-memory.ts:unit=turn'] }
    const object = {
      system: [{ name: 'my-memory', create: () => ({ store: async () => {}, retrieve: async () => [] }) }],
    }
    for (const own of [file, object]) {
      expect((await requestFrom(own)).size).toBe('quick')
      expect(quickSizeNote(own)).toContain('--size paper')
      expect(quickSizeNote(own)).toContain(own === file ? 'With a file of' : 'With a memory of')
    }
  })

  it('is what was asked for, and that of the paper with built-in systems', async () => {
    for (const asked of [{ system: './my-memory.ts', size: 'paper' as const }, { system: 'bm25' }]) {
      expect((await requestFrom(asked)).size).toBe('paper')
      expect(quickSizeNote(asked)).toBeNull()
    }
    expect(quickSizeNote({ system: './my-memory.ts', resume: 'last' })).toBeNull()
  })
})

describe('what is asked for', () => {
  it.each([
    [{ seed: -1 }, 'Expected --seed to be a whole number from 0 up, got "-1".'],
    [{ k: [1.5] }, 'Expected --k to be a whole number from 1 to 100000, got "1.5".'],
    [{ settings: { dayz: '7' } }, 'There is no setting of a suite "dayz".'],
  ])('is checked, whoever asks: %o', async (asked, message) => {
    await expect(requestFrom(asked)).rejects.toThrow(message)
  })
})
