import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countTokens } from '../base/tokens.js'
import type { Conversation } from '../model/index.js'
import { hashEmbedder } from './hash-embedder.js'
import { splitUnits, UNIT_OPTION, UnitLog } from './units.js'

const conversation: Conversation = {
  id: 'c1',
  time: '2023-03-18T02:19:00Z',
  turns: [
    { role: 'user', text: 'I like tea. My cat is called Mo.' },
    { role: 'assistant', text: 'Lovely.' },
    { role: 'user', text: ' ' },
    { role: 'user', text: 'Bye.' },
  ],
}

describe('splitUnits', () => {
  it('makes one memory of every turn that says something, numbered by turn', () => {
    expect(splitUnits(conversation, { kind: 'turn' }).map(({ id, text }) => [id, text])).toEqual([
      ['c1#0', 'I like tea. My cat is called Mo.'],
      ['c1#1', 'Assistant: Lovely.'],
      ['c1#3', 'Bye.'],
    ])
  })

  it('keeps the time and the source of a memory', () => {
    expect(splitUnits(conversation, { kind: 'turn' })[0]).toMatchObject({ time: conversation.time, sources: ['c1'] })
  })

  it('makes one memory of a whole conversation', () => {
    expect(splitUnits(conversation, { kind: 'conversation' })).toMatchObject([
      { id: 'c1', text: 'I like tea. My cat is called Mo.\nAssistant: Lovely.\nBye.' },
    ])
  })

  it('makes one memory of every sentence', () => {
    const texts = splitUnits(conversation, { kind: 'sentence' }).map((memory) => memory.text)
    expect(texts).toEqual(['I like tea.', 'My cat is called Mo.', 'Assistant: Lovely.', 'Bye.'])
  })

  it('leaves nothing of a conversation in which nothing is said', () => {
    const silent = { ...conversation, turns: [{ role: 'user' as const, text: '' }] }
    for (const unit of ['turn', 'conversation', 'sentence', 'chunk=10']) {
      expect(splitUnits(silent, UNIT_OPTION.parse(unit))).toEqual([])
    }
  })

  it('writes session chunks as the MEME authors do', () => {
    expect(splitUnits(conversation, { kind: 'chunk', tokens: 4096 }, 'session').map((memory) => memory.text)).toEqual([
      '[Session: 2023/03/18 (Sat) 02:19]\nUser: I like tea. My cat is called Mo.\nAssistant: Lovely.\nUser:  \nUser: Bye.',
    ])
  })

  it('counts the tokens of header and lines, and none for the line ends between them', () => {
    const header = '[Session: 2023/03/18 (Sat) 02:19]'
    const lines = ['User: one two three', 'Assistant: four five', 'User: six']
    const turns = [
      { role: 'user' as const, text: 'one two three' },
      { role: 'assistant' as const, text: 'four five' },
      { role: 'user' as const, text: 'six' },
    ]
    const exact = [header, ...lines].reduce((sum, text) => sum + countTokens(text), 0)
    const split = (tokens: number) => splitUnits({ ...conversation, turns }, { kind: 'chunk', tokens }, 'session')
    expect(split(exact).map(({ text }) => text)).toEqual([[header, ...lines].join('\n')])
    expect(split(exact - 1).map(({ text }) => text)).toEqual([
      [header, lines[0], lines[1]].join('\n'),
      [header, lines[2]].join('\n'),
    ])
  })

  it('fills chunks up to the limit, header included, and splits no turn', () => {
    const turn = fc.record({
      role: fc.constantFrom('user' as const, 'assistant' as const),
      text: fc.array(fc.constantFrom('tea', 'jitters', 'Porto,', '42', 'sourdough', '…'), {
        minLength: 1,
        maxLength: 60,
      }),
    })
    fc.assert(
      fc.property(
        fc.array(turn, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 40, max: 120 }),
        (turns, tokens) => {
          const said = turns.map(({ role, text }) => ({ role, text: text.join(' ') }))
          const chunks = splitUnits({ ...conversation, turns: said }, { kind: 'chunk', tokens }, 'session')
          const bodies = chunks.map((chunk) => chunk.text.slice(chunk.text.indexOf('\n') + 1))
          const lines = said.map(({ role, text }) => `${role === 'user' ? 'User' : 'Assistant'}: ${text}`)
          expect(bodies.join('\n')).toBe(lines.join('\n'))
          for (const [i, chunk] of chunks.entries()) {
            const cost = chunk.text.split('\n').reduce((sum, text) => sum + countTokens(text), 0)
            expect(cost <= tokens || lines.includes(bodies[i]!)).toBe(true)
          }
        },
      ),
      { numRuns: 60 },
    )
  })
})

describe('UnitLog', () => {
  it('keeps ids unique when a conversation is stored twice', () => {
    const log = new UnitLog({ kind: 'turn' })
    log.add(conversation)
    log.add(conversation)
    expect(log.memories.map((memory) => memory.id)).toEqual(['c1#0', 'c1#1', 'c1#3', 'c1@2#0', 'c1@2#1', 'c1@2#3'])
    expect(log.memories.every((memory) => memory.sources?.[0] === 'c1')).toBe(true)
  })
})

describe('the unit option', () => {
  it('says what is understood when it gets something else', () => {
    for (const wrong of ['word', 'chunk', 'chunk=0', 'chunk=many', '']) {
      expect(() => UNIT_OPTION.parse(wrong)).toThrow(/turn, conversation, sentence or chunk=<tokens>/)
    }
  })
})

it('fills one chunk after the other up to the last token', () => {
  const lines = ['one two three', 'four five six', 'seven eight nine', 'ten eleven twelve', 'more']
  const turns = lines.map((text) => ({ role: 'user' as const, text }))
  const tokens = countTokens(lines[0]!) + countTokens(lines[1]!)
  expect(tokens).toBe(countTokens(lines[2]!) + countTokens(lines[3]!))
  const found = splitUnits({ ...conversation, turns }, UNIT_OPTION.parse(`chunk=${tokens}`))
  expect(found.map(({ text }) => text)).toEqual([lines.slice(0, 2).join('\n'), lines.slice(2, 4).join('\n'), 'more'])
  expect(splitUnits({ ...conversation, turns }, UNIT_OPTION.parse('chunk=1'))).toHaveLength(lines.length)
})

it('counts words in the dimensions of their hashes, and has a direction for no words', async () => {
  const { embed } = hashEmbedder(4)
  const vectors = await embed(['fig', 'fig plum', 'plum tea tea', ''])
  expect(vectors.map((vector) => [...vector].map((value) => Number(value.toFixed(2))))).toEqual([
    [0, 0, 1, 0],
    [0, 0.71, 0.71, 0],
    [0.89, 0.45, 0, 0],
    [1, 0, 0, 0],
  ])
})
