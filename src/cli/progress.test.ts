import { describe, expect, it } from 'vitest'
import { progressLine } from './progress.js'

describe('the progress of a run', () => {
  it('shows notes and places without anything that a terminal would obey', () => {
    let shown = ''
    const stream = { isTTY: false, write: (text: string) => (shown += text) } as unknown as NodeJS.WriteStream
    const line = progressLine(stream)
    line.note('mine: \x1b]0;OWNED\x07\x1b[2J bad\r news')
    line.update({ done: 1, total: 1, at: 'tiny\x1b[31m/all' })
    expect(shown).toBe('mine:  bad news\n100 %  1/1  tiny/all\n')
  })
})
