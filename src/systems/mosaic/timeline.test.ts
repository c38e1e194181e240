import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { systemTestContext } from '../conformance/fixtures.js'
import { hashEmbedder } from '../hash-embedder.js'
import { rehearse } from '../parts/index.js'
import { byModel } from './extract.js'
import { Mosaic } from './mosaic.js'
import { noteOf } from './note.js'
import type { MosaicOptions } from './options.js'
import { Timeline } from './timeline.js'

/** What becomes of notes that are told one after another. */
function marksOf(texts: readonly string[]): (string | undefined)[] {
  const timeline = new Timeline()
  for (const [i, text] of texts.entries()) timeline.add(noteOf({ id: `n${i}`, text }))
  return texts.map((_, i) => timeline.markOf(i)?.kind)
}

const STATE = 'Our dentist is Dr Okafor.'
const RESTS = 'I take the tram to check-ups, because our dentist is Dr Okafor.'
const CHANGE = 'Our dentist is now Dr Lindqvist.'

describe('a change', () => {
  it('ends what it replaces, and puts in doubt what rests on it', () => {
    expect(marksOf([STATE, RESTS, 'I play the oboe, because my sister does.', CHANGE])).toEqual([
      'over',
      'in-doubt',
      undefined,
      undefined,
    ])
  })

  it('is known by what is new, changed, now something else or over', () => {
    for (const change of [
      'I have a new dentist, Dr Lindqvist.',
      'We changed our dentist last week.',
      'We changed dentists and like Dr Lindqvist.',
      CHANGE,
      'We left Dr Okafor last week.',
    ])
      expect([change, marksOf([STATE, RESTS, change])]).toEqual([change, ['over', 'in-doubt', undefined]])
  })

  it('changes nothing that was only thought of, is told of something besides, or is about something else', () => {
    for (const other of [
      'I wonder whether our dentist should be Dr Lindqvist now.',
      'We also have a new dentist for the children, Dr Lindqvist.',
      'A rumour says our dentist is now Dr Lindqvist.',
      'I have a new plumber, Dr Lindqvist.',
      'Our dentist has not changed, it is still Dr Okafor now.',
      'Did you know our dentist is now Dr Lindqvist?',
    ])
      expect([other, marksOf([STATE, RESTS, other])]).toEqual([other, [undefined, undefined, undefined]])
  })

  it('of the last that was told ends that, and leaves what was over before as it is', () => {
    expect(marksOf([STATE, CHANGE, 'Our dentist is now Dr Abara.'])).toEqual(['over', 'over', undefined])
  })

  it('that is taken back has changed nothing', () => {
    expect(marksOf([STATE, RESTS, CHANGE, 'That came to nothing: we stay with Dr Okafor.'])).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ])
  })
})

describe('a rule', () => {
  const anyRule = 'If our dentist changes, I will cycle to check-ups.'
  const oneRule = 'If we ever go to Dr Lindqvist, I will cycle to check-ups.'
  const otherRule = 'If we ever go to Dr Abara, I will cycle to check-ups.'

  it('says what holds instead when what it waits for has come about', () => {
    for (const rule of [anyRule, oneRule])
      expect([rule, marksOf([STATE, RESTS, rule, CHANGE])]).toEqual([rule, ['over', 'by-rule', 'applies', undefined]])
  })

  it('that waits for something else says nothing', () => {
    expect(marksOf([STATE, RESTS, otherRule, CHANGE])).toEqual(['over', 'in-doubt', undefined, undefined])
  })

  it('on something else does not tell what becomes of a statement', () => {
    const other = 'If our dentist changes, my mother will sell the piano.'
    expect(marksOf([STATE, RESTS, other, CHANGE])).toEqual(['over', 'in-doubt', 'applies', undefined])
  })

  it('leads on to what rests on what it changes', () => {
    const behind = 'I own a year ticket, because I take the tram to check-ups.'
    const ticket = 'If the tram to check-ups has to change, my year ticket will go to Ada.'
    expect(marksOf([STATE, RESTS, behind, anyRule, CHANGE])).toEqual([
      'over',
      'by-rule',
      'in-doubt',
      'applies',
      undefined,
    ])
    expect(marksOf([STATE, RESTS, behind, anyRule, ticket, CHANGE])[2]).toBe('by-rule')
  })
})

/** A memory that was told things, a day each. */
async function told(texts: readonly string[], options: Partial<MosaicOptions> = {}): Promise<Mosaic> {
  const memory = new Mosaic({ embed: hashEmbedder(512), ...options })
  for (const [i, text] of texts.entries())
    await memory.store({ id: `c${i}`, time: `2026-03-0${i + 1}T09:00:00Z`, turns: [{ role: 'user', text }] })
  return memory
}

describe('what became of a statement', () => {
  it('is told with it, with the conversations that say so', async () => {
    const memory = await told([STATE, RESTS, CHANGE])
    expect(await memory.dump()).toMatchObject([
      { text: `${STATE} [no longer so since 2026-03-03]`, sources: ['c0', 'c2'] },
      { text: `${RESTS} [in doubt since 2026-03-03]`, sources: ['c1', 'c2'] },
      { text: CHANGE, sources: ['c2'] },
    ])
    const found = await memory.retrieve({ text: 'How do I get to check-ups?' }, 2)
    expect(found.map(({ text }) => text)).toEqual([`${RESTS} [in doubt since 2026-03-03]`, CHANGE])
  })

  it('is left out when that is switched off', async () => {
    const memory = await told([STATE, RESTS, CHANGE], { timeline: false })
    expect((await memory.dump()).map(({ text }) => text)).toEqual([STATE, RESTS, CHANGE])
  })

  it('is the same after it was read from its file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mosaic-'))
    const memory = await told([STATE, RESTS, CHANGE], { folder })
    expect(await new Mosaic({ embed: hashEmbedder(512), folder }).dump()).toEqual(await memory.dump())
    expect(readFileSync(join(folder, 'notes.jsonl'), 'utf8')).not.toContain('in doubt')
  })

  it('is forgotten with what made it so', async () => {
    const memory = await told([STATE, RESTS, CHANGE])
    await memory.forget(['c2#0'])
    expect((await memory.dump()).map(({ text }) => text)).toEqual([STATE, RESTS, 'What was told here was taken out.'])
  })
})

describe('attributes', () => {
  it('have what holds of whom and what held before', async () => {
    const memory = await told([
      STATE,
      CHANGE,
      'Ada plays the oboe.',
      'I like figs.',
      'I like plums.',
      'Ada’s bank is Finbank.',
    ])
    const from = (day: number) => `2026-03-0${day}T09:00:00Z`
    expect(await memory.attributes()).toEqual([
      {
        of: 'user',
        about: 'dentist',
        states: [
          { value: 'Dr Okafor', note: 'c0#0', from: from(1), until: from(2), standing: 'over', by: ['c1#0'] },
          { value: 'now Dr Lindqvist', note: 'c1#0', from: from(2), standing: 'holds' },
        ],
      },
      { of: 'Ada', about: 'plays', states: [{ value: 'oboe', note: 'c2#0', from: from(3), standing: 'holds' }] },
      {
        of: 'user',
        about: 'like',
        states: [
          { value: 'figs', note: 'c3#0', from: from(4), standing: 'holds' },
          { value: 'plums', note: 'c4#0', from: from(5), standing: 'holds' },
        ],
      },
      { of: 'Ada', about: 'bank', states: [{ value: 'Finbank', note: 'c5#0', from: from(6), standing: 'holds' }] },
    ])
  })
})

describe('what a model reads', () => {
  const note = (text: string, about: string, value: string, more: object = {}) => ({
    text,
    speaker: 'user',
    of: 'user',
    about,
    value,
    rests_on: [],
    kind: 'fact',
    ...more,
  })

  it('is enough to know what a change does, although no word tells it', async () => {
    const replies = [
      [note('Hands on the wheel since May: I drive for Kestrel.', 'employer', 'Kestrel')],
      [note('Lunch is at noon.', 'lunch time', 'noon', { rests_on: ['employer: Kestrel'] })],
      [
        note('With anybody else I eat at one.', 'lunch time', 'one', {
          kind: 'pending',
          rests_on: ['employer changes'],
        }),
      ],
      [note('My badge says Corran Lines.', 'employer', 'Corran Lines', { kind: 'change' })],
    ]
    const left = [...replies]
    const llm = rehearse(() => ({ json: { notes: left.shift()! } }))
    const memory = await told(['a', 'b', 'c', 'd'], { extract: byModel({ ...systemTestContext(), llm }) })
    expect((await memory.dump()).map(({ text }) => /\[(.*)\]/.exec(text)?.[1])).toEqual([
      'no longer so since 2026-03-04',
      'no longer so since 2026-03-04',
      'applies since 2026-03-04: lunch time: one',
      undefined,
    ])
    expect((await memory.attributes()).find(({ about }) => about === 'lunch time')!.states[0]).toMatchObject({
      value: 'noon',
      standing: 'by-rule',
      by: ['c3#0', 'c2#0'],
    })
  })
})
