import { describe, expect, it } from 'vitest'
import { slotsOf } from '../../../../tools/corpora/slots.js'
import { DOCUMENT_FIELDS, SUBCATEGORIES } from '../seed.js'
import { TASTES } from '../trace.js'
import { type DocumentMove, type StatementKind, type TalkPhase, talkData } from './data.js'
import { TRACKED } from './reading.js'

const data = talkData()

/** Fewest and most intents of a flow in each phase. */
const LENGTHS: Record<TalkPhase, number[]> = { opening: [2, 3], exploration: [4, 18], memory: [2, 5], closing: [1, 3] }

/** Slots that every statement of a kind must have, and those it may have besides. */
const SLOTS: Record<StatementKind, [string[], string[]]> = {
  'taste.like': [['np'], []],
  'taste.dislike': [['np'], []],
  'seen.like': [['np'], ['did', 'done']],
  'seen.dislike': [['np'], ['did', 'done']],
  'taste.delete': [['np'], ['like', 'liked', 'likes', 'liking']],
  'taste.flip': [['np'], ['from', 'fromed', 'froms', 'to', 'tos']],
  'taste.replace': [
    ['old', 'new'],
    ['like', 'liked', 'likes'],
  ],
  food: [['amount'], ['meal', 'kind']],
  steps: [['count'], ['activity', 'bare']],
  'todo.add': [['list'], ['task', 'do']],
  'todo.delete': [['list'], ['task', 'do']],
  'calendar.add': [['date'], ['event', 'title']],
  'calendar.update': [
    ['date', 'old'],
    ['event', 'title'],
  ],
  'calendar.correct': [
    ['date', 'old'],
    ['event', 'title'],
  ],
  'calendar.delete': [['date'], ['event', 'title']],
  'calendar.drop': [['date'], ['event', 'title']],
  'goal.food.set': [['value'], ['meal', 'kind']],
  'goal.food.change': [
    ['value', 'old'],
    ['meal', 'kind'],
  ],
  'goal.steps.set': [['value'], []],
  'goal.steps.change': [['value', 'old'], []],
}
const DOCUMENT_SLOTS: Partial<Record<DocumentMove, string[]>> = {
  request: ['a', 'title'],
  agree: ['ask'],
  ask: ['label'],
  give: ['label', 'value'],
  between: ['ask'],
  update: ['the', 'The', 'title'],
  delete: ['the', 'The', 'title'],
  added: ['label', 'value'],
  filled: ['label', 'value'],
  removed: ['label', 'value'],
  revised: ['label', 'from', 'to'],
  reverted: ['label', 'from', 'to'],
}

describe('the phrase files', () => {
  it('have flows of the right lengths, mostly of ten turns in small talk', () => {
    for (const [phase, expected] of Object.entries(LENGTHS)) {
      const lengths = data.flows[phase as TalkPhase].map((flow) => flow.length)
      expect([Math.min(...lengths), Math.max(...lengths)]).toEqual(expected)
    }
    const { exploration } = data.flows
    expect(exploration.flat().length / exploration.length).toBeCloseTo(10, -0.5)
  })

  it('say every intent, and nothing trackable while they chat', () => {
    const content = new Set(['share', 'note'])
    for (const intent of Object.keys(data.flows.intents)) {
      if (!content.has(intent)) expect(data.moves, intent).toHaveProperty(intent)
    }
    const threads = [...data.curios, ...data.musings]
    const texts = [
      ...Object.values(data.moves).flat(),
      ...threads.flatMap(({ topic, exchanges }) => [topic, ...exchanges.flat()]),
      ...data.curios.map(({ fact }) => fact),
    ]
    expect(texts.filter((text) => TRACKED.test(text) || /[\d$€£]/.test(text))).toEqual([])
  })

  it('have in every statement the slots of its operation and no others', () => {
    for (const [kind, [required, optional]] of Object.entries(SLOTS)) {
      for (const phrase of data.statements[kind as StatementKind]) {
        const slots = [...slotsOf(phrase)]
        expect(slots, phrase).toEqual(expect.arrayContaining(required))
        expect([...required, ...optional], phrase).toEqual(expect.arrayContaining(slots))
      }
    }
    const { kinds: _, ...moves } = data.documents
    for (const [move, phrases] of Object.entries(moves)) {
      for (const phrase of phrases) {
        expect(DOCUMENT_SLOTS[move as DocumentMove] ?? [], phrase).toEqual(expect.arrayContaining([...slotsOf(phrase)]))
      }
    }
  })

  it('know every subcategory of taste and every field of a document', () => {
    for (const domain of TASTES) {
      expect(Object.keys(data.nouns[domain].subcategories).sort()).toEqual([...SUBCATEGORIES[domain]].sort())
    }
    const seedKinds = { proposal: 'proposals', email: 'emails', notes: 'notes', post: 'posts' } as const
    for (const [kind, seedKind] of Object.entries(seedKinds)) {
      const { required, optional } = DOCUMENT_FIELDS[seedKind]
      const { fields } = data.documents.kinds[kind as keyof typeof seedKinds]
      expect(Object.keys(fields).sort()).toEqual([...required, ...optional].sort())
      for (const phrase of Object.values(fields).flatMap(({ give }) => give)) expect(phrase).toContain('{value}')
    }
  })
})
