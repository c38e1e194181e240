import { describe, expect, it } from 'vitest'
import { hashEmbedder } from '../hash-embedder.js'
import { Mosaic } from './mosaic.js'
import { wholeStatements } from './whole-statements.js'

describe('statements of a text', () => {
  it('are its sentences, but one with what it announces', () => {
    expect(wholeStatements('My locker code is:\nkelpie-4411\nIt is cold. I sing.')).toEqual([
      'My locker code is:\nkelpie-4411',
      'It is cold.',
      'I sing.',
    ])
    expect(wholeStatements('The weir is\n  closed. It is cold.')).toEqual(['The weir is\n  closed.', 'It is cold.'])
    expect(wholeStatements('Nothing follows:')).toEqual(['Nothing follows:'])
  })

  it('are forgotten with the value on the line behind', async () => {
    const memory = new Mosaic({ embed: hashEmbedder(512) })
    for (const [id, text] of [
      ['a', 'My locker code is:\nkelpie-4411\nIt is cold.'],
      ['b', 'Please forget my locker code.'],
    ] as const)
      await memory.store({ id, time: '2026-03-01', turns: [{ role: 'user', text }] })
    const [left] = await memory.dump()
    expect(left!.text).toBe('It is cold.')
    expect(JSON.stringify(await memory.dump())).not.toContain('kelpie')
  })
})
