import { describe, expect, it } from 'vitest'
import { splitOptions } from '../../base/spec-options.js'
import { requestFrom } from '../request.js'
import { limitsFrom } from './limits.js'
import { MOVED, movedTo, refuseMoved } from './moved.js'
import { GATES } from './results.js'
import { RUN_SETTINGS } from './table.js'

describe('options behind a name', () => {
  it('begin where a colon and a name with "=" follow', () => {
    expect(splitOptions('openai:small:dimensions=256:query=find: ')).toEqual({
      ...{ name: 'openai:small', options: { dimensions: '256', query: 'find: ' } },
    })
    expect(splitOptions('C:\\runs\\main.json:max-loss=3')).toEqual({
      ...{ name: 'C:\\runs\\main.json', options: { 'max-loss': '3' } },
    })
  })

  it('are refused twice, unknown or of nobody', async () => {
    await expect(requestFrom({ suite: 'memfail:pack=1:pack=2' })).rejects.toThrow('"pack" is given twice')
    await expect(requestFrom({ suite: 'memfail:pack=1', settings: { pack: '2' } })).rejects.toThrow(
      '"pack" is given twice',
    )
    await expect(requestFrom({ suite: 'memfail:days=1' })).rejects.toThrow('There is no option of memfail "days"')
    await expect(requestFrom({ embedder: 'p:m:size=3' })).rejects.toThrow('There is no option of an embedder "size"')
    await expect(requestFrom({ embedder: 'minilm:query=x' })).rejects.toThrow('is for embedders of providers')
  })

  it('of a baseline are what it is held against', () => {
    expect(GATES.baseline.read('main:max-loss=3:undecided=fail:despite=harness+judge')).toEqual({
      ...{ run: 'main', maxLoss: 0.03, undecided: 'fail', despite: ['harness', 'judge'] },
    })
    expect(GATES.baseline.read({ run: 'main', despite: 'harness' })).toMatchObject({
      maxLoss: 0.05,
      despite: ['harness'],
    })
  })

  it('of models are limits of a call and of providers', () => {
    const rates = { openai: { requestsPerMinute: 500, concurrency: 64 } }
    expect(limitsFrom(['concurrency=8', 'timeout=60', 'openai=500rpm', 'openai=64calls'])).toEqual({
      ...{ concurrency: 8, attemptMs: 60_000, rates },
    })
    expect(limitsFrom({ timeout: 2, rates })).toEqual({ attemptMs: 2000, rates })
    for (const typed of ['openai=many', 'speed=3', 'openai=0rpm', 'timeout'])
      expect(() => limitsFrom(typed)).toThrow(`got "${typed}"`)
  })
})

describe('a word that moved', () => {
  it('is no setting of a run any more, and says what to write', () => {
    expect(Object.keys(MOVED).filter((name) => name in RUN_SETTINGS)).toEqual([])
    expect(movedTo('llm-timeout')).toBe('--llm timeout=<s>')
    expect(movedTo('weather')).toBeUndefined()
  })

  it.each(Object.entries(MOVED))('is refused as an option: %s', (name, now) => {
    expect(() => refuseMoved({ [name]: 1 })).toThrow(`"${name}" is no option any more`)
    expect(now).toMatch(/^(?:--|memscope )/)
  })
})
