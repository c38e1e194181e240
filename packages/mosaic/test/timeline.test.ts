import { describe, expect, it } from 'vitest'
import type { ExtractedNote } from '../src/extractor.js'
import type { Mosaic } from '../src/mosaic.js'
import type { NoteClaim, RestsOn } from '../src/note.js'
import { told } from './told.js'

type Told = [kind: NoteClaim['kind'], claim: `${string}: ${string}`, ...restsOn: string[]]

function parts(text: string): { about: string; value?: string } {
  const [about, value] = text.split(': ')
  return { about: about!, ...(value !== undefined && { value }) }
}

/** A memory whose extractor gives these claims, one a conversation. */
async function claimed(claims: readonly Told[]): Promise<Mosaic> {
  const notes = claims.map(([kind, claim, ...restsOn]): ExtractedNote => {
    const { about, value = '' } = parts(claim)
    return {
      role: 'user',
      text: `${claim}.`,
      claim: { kind, about, value },
      restsOn: restsOn.map((one): RestsOn => parts(one)),
    }
  })
  return told(
    notes.map(({ text }) => text),
    { extract: async ({ id }) => [notes[Number(id.slice(1))]!] },
  )
}

/** What became of each. */
async function marksOf(...claims: Told[]): Promise<(string | undefined)[]> {
  return (await (await claimed(claims)).dump()).map(({ text }) => /\[(.*?) since/.exec(text)?.[1])
}

const STATE: Told = ['fact', 'dentist: Dr Okafor']
const RESTS: Told = ['fact', 'way to check-ups: tram', 'dentist: Dr Okafor']
const CHANGE: Told = ['change', 'dentist: Dr Lindqvist']

describe('a change', () => {
  it('ends what it replaces, and puts in doubt what rests on it', async () => {
    const other: Told = ['fact', 'instrument: oboe', 'sister: Ada']
    expect(await marksOf(STATE, RESTS, other, CHANGE)).toEqual(['no longer so', 'in doubt', undefined, undefined])
  })

  it('changes nothing that was only thought of, is of something else, or says the same', async () => {
    for (const other of [
      ['thought', 'dentist: Dr Lindqvist'],
      ['change', 'plumber: Dr Lindqvist'],
      ['fact', 'dentist: Dr Lindqvist'],
    ] as Told[])
      expect([other, await marksOf(STATE, RESTS, other)]).toEqual([other, [undefined, undefined, undefined]])
    expect((await marksOf(STATE, ['change', 'dentist: Dr Okafor']))[0]).toBeUndefined()
  })

  it('leaves what rests on the new value as it is', async () => {
    const ahead: Told = ['fact', 'way to check-ups: bus', 'dentist: Dr Lindqvist']
    expect(await marksOf(STATE, ahead, CHANGE)).toEqual(['no longer so', undefined, undefined])
  })

  it('of the last that was told ends that', async () => {
    expect(await marksOf(STATE, CHANGE, ['change', 'dentist: Dr Abara'])).toEqual([
      'no longer so',
      'no longer so',
      undefined,
    ])
  })

  it('ends what was said twice, and leaves another value beside it', async () => {
    const likes: Told[] = [
      ['fact', 'fruit: figs'],
      ['fact', 'fruit: plums'],
      ['fact', 'fruit: figs'],
    ]
    expect(await marksOf(...likes, ['change', 'fruit: pears'])).toEqual([
      'no longer so',
      undefined,
      'no longer so',
      undefined,
    ])
  })

  it('that is taken back has changed nothing', async () => {
    expect(await marksOf(STATE, RESTS, CHANGE, ['revoked', 'dentist: Dr Lindqvist'])).toEqual(Array(4).fill(undefined))
  })
})

describe('a rule', () => {
  const anyRule: Told = ['rule', 'way to check-ups: bicycle', 'dentist']
  const oneRule: Told = ['rule', 'way to check-ups: bicycle', 'dentist: Dr Lindqvist']
  const otherRule: Told = ['rule', 'way to check-ups: bicycle', 'dentist: Dr Abara']

  it('says what holds instead when what it waits for has come about', async () => {
    for (const rule of [anyRule, oneRule])
      expect([rule, await marksOf(STATE, RESTS, rule, CHANGE)]).toEqual([
        rule,
        ['no longer so', 'no longer so', 'applies', undefined],
      ])
  })

  it('does not apply when its condition differs', async () => {
    expect(await marksOf(STATE, RESTS, otherRule, CHANGE)).toEqual(['no longer so', 'in doubt', undefined, undefined])
  })

  it('does not say what becomes of another attribute', async () => {
    const other: Told = ['rule', 'piano: sold', 'dentist']
    expect(await marksOf(STATE, RESTS, other, CHANGE)).toEqual(['no longer so', 'in doubt', 'applies', undefined])
  })

  it('leads on to what rests on what it changes', async () => {
    const behind: Told = ['fact', 'ticket: a year', 'way to check-ups: tram']
    const ticket: Told = ['rule', 'ticket: for Ada', 'way to check-ups']
    const [, , inDoubt] = await marksOf(STATE, RESTS, behind, anyRule, CHANGE)
    expect(inDoubt).toBe('in doubt')
    const [, , byRule] = await marksOf(STATE, RESTS, behind, anyRule, ticket, CHANGE)
    expect(byRule).toBe('no longer so')
  })
})

describe('what became of a statement', () => {
  it('is told with it, with the day and the conversations that say so, and of a rule with what holds', async () => {
    const memory = await claimed([STATE, ['rule', 'way to check-ups: bicycle', 'dentist'], CHANGE])
    expect(await memory.dump()).toMatchObject([
      { text: 'dentist: Dr Okafor. [no longer so since 2026-03-03]', sources: ['c0', 'c2'] },
      {
        text: 'way to check-ups: bicycle. [applies since 2026-03-03: way to check-ups: bicycle]',
        sources: ['c1', 'c2'],
      },
      { text: 'dentist: Dr Lindqvist.', sources: ['c2'] },
    ])
  })

  it('brings the change right behind the best note', async () => {
    const memory = await claimed([['fact', 'dentist: Dr Okafor on Mill Street'], ['fact', 'lake: north'], CHANGE])
    const [first, second] = await memory.retrieve({ text: 'Who is on Mill Street?' }, 2)
    expect([first!.id, second!.id]).toEqual(['c0#0', 'c2#0'])
  })

  it('is nothing where no claim is given', async () => {
    const texts = ['Our dentist is Dr Okafor.', 'Our dentist is now Dr Lindqvist.']
    expect((await (await told(texts)).dump()).map(({ text }) => text)).toEqual(texts)
  })
})
