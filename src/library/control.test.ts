import { describe, expect, it } from 'vitest'
import { hearControl, stoppable } from './control.js'
import { type ProgressEvent, StoppedError } from './types.js'

function watched(stop = new AbortController()) {
  const events: ProgressEvent[] = []
  return { stop, events, told: hearControl({ signal: stop.signal, onProgress: (event) => events.push(event) }) }
}

describe('a call that may be stopped', () => {
  it('gives what its work gives, and tells that it is done', async () => {
    const { told, events } = watched()
    expect(await stoppable(told, async () => 7)).toBe(7)
    expect(events).toEqual([{ type: 'done' }])
  })

  it('rejects soon after its signal although its work hangs', async () => {
    const { told, events, stop } = watched()
    const call = stoppable(told, () => new Promise(() => {}))
    stop.abort()
    await expect(call).rejects.toMatchObject({ name: 'AbortError', run: null })
    expect(events).toEqual([])
  })

  it('passes on what its work throws, unless it was stopped', async () => {
    const fail = async () => {
      throw new Error('of its own')
    }
    await expect(stoppable(watched().told, fail)).rejects.toThrow('of its own')
    const { told, stop } = watched()
    const call = stoppable(told, fail)
    stop.abort()
    await expect(call).rejects.toBeInstanceOf(StoppedError)
  })
})
