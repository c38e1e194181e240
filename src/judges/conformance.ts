import { describe, expect, it } from 'vitest'
import { linkCues, preferenceCues, profileCues, ruleCues } from '../model/derive-cues.js'
import type { Fact, Judge, Memory } from '../model/index.js'

/** What the suite needs to know of a judge. */
export interface JudgeUnderTest {
  name: string
  newJudge: () => Judge | Promise<Judge>
}

const ESSAY =
  'Odo is a quiet heron-keeper at the old mill. He whittles spoons only when the wind is above 30 km per hour. On Mondays he mends nets.'
const PROFILE =
  'Wilma Kaspar restores pianos in a cellar by the harbour. She tunes by ear and keeps felt in biscuit tins. Every Friday she bakes plum cake for the ferrymen.'

const FACTS: readonly Fact[] = [
  fact('rule', ESSAY, ruleCues('Odo', 'whittles spoons', 'when the wind is above 30 km per hour', ESSAY)),
  fact(
    'preference',
    'I like fencing because it sharpens my reflexes.',
    preferenceCues('fencing', 'I like fencing because it sharpens my reflexes.'),
  ),
  fact('link', 'Long train rides make me write letters.', linkCues('Long train rides make me write letters.')),
  fact('profile', PROFILE, profileCues('Wilma Kaspar', PROFILE)),
]

const UNRELATED: readonly Memory[] = [
  { id: 'u1', text: 'The library on Birch Street closes at noon.' },
  { id: 'u2', text: 'Tea was served in blue cups.' },
  { id: 'u3', text: 'Granite is heavier than pumice.' },
]

/**
 * What every judge of facts must do, whatever it is made of: answer for every fact in order, know what stands word for word, find
 * nothing in an empty store, point only at memories that exist, and not depend on the order of the store.
 *
 * @example runJudgeConformance({ name: 'lexical', newJudge: () => createLexicalJudge() })
 */
export function runJudgeConformance({ name, newJudge }: JudgeUnderTest): void {
  describe(`${name} as a judge`, () => {
    const verbatim: Memory[] = FACTS.map(({ id, text }) => ({ id: `m-${id}`, text }))

    it('gives every fact exactly one verdict, in order', async () => {
      const verdicts = await (await newJudge()).judgeFacts(FACTS, [...verbatim, ...UNRELATED])
      expect(verdicts.map((verdict) => verdict.fact)).toEqual(FACTS.map(({ id }) => id))
    })

    it('finds what stands word for word, and where', async () => {
      const verdicts = await (await newJudge()).judgeFacts(FACTS, [...UNRELATED, ...verbatim])
      for (const { fact: id, label, support } of verdicts) {
        expect(label, id).toBe('correct')
        expect(support, id).toContainEqual([`m-${id}`])
      }
    })

    it('finds nothing in an empty store', async () => {
      const verdicts = await (await newJudge()).judgeFacts(FACTS, [])
      for (const verdict of verdicts) expect(verdict).toMatchObject({ label: 'not_stored', support: [], quotes: [] })
    })

    it('finds nothing among unrelated memories', async () => {
      const verdicts = await (await newJudge()).judgeFacts(FACTS, UNRELATED)
      expect(verdicts.map(({ label }) => label)).toEqual(FACTS.map(() => 'not_stored'))
    })

    it('points only at memories that exist', async () => {
      const store = [...verbatim, ...UNRELATED]
      const ids = new Set(store.map(({ id }) => id))
      for (const { support, quotes } of await (await newJudge()).judgeFacts(FACTS, store)) {
        for (const id of [...support.flat(), ...quotes.map(({ memory }) => memory)]) expect(ids).toContain(id)
      }
    })

    it('does not depend on the order of the store', async () => {
      const judge = await newJudge()
      const store = [...verbatim, ...UNRELATED]
      expect(await judge.judgeFacts(FACTS, [...store].reverse())).toEqual(await judge.judgeFacts(FACTS, store))
    })

    it('says the same when asked again', async () => {
      const store = [...verbatim, ...UNRELATED]
      expect(await (await newJudge()).judgeFacts(FACTS, store)).toEqual(
        await (await newJudge()).judgeFacts(FACTS, store),
      )
    })

    it('judges no facts without complaint', async () => {
      expect(await (await newJudge()).judgeFacts([], UNRELATED)).toEqual([])
    })

    it('has a name and a key', async () => {
      const judge = await newJudge()
      expect(judge.name).not.toBe('')
      expect(judge.key).toContain(judge.name.split(':')[0])
    })
  })
}

function fact(id: string, text: string, cues: Fact['cues']): Fact {
  return { id, text, sources: [id], cues }
}
