import { describe, expect, it } from 'vitest'
import type { Fact, Memory, Stance } from '../../../model/index.js'
import { createLexicalJudge } from '../index.js'

const THINGS = ['mentor', 'dentist', 'landlord', 'coach', 'tailor', 'barber', 'grocer', 'plumber']
const NAMES = ['Orvalle', 'Brisko', 'Tamsett', 'Quendry', 'Havlik', 'Drosten', 'Wexler', 'Yanling']

const said = THINGS.map((thing, i) => `My ${thing} is ${NAMES[i]}.`)

function fact(at: number, stance: Stance): Fact {
  const isSaid = stance !== 'doubted'
  return {
    id: `${stance}:${at}`,
    text: isSaid ? said[at]! : `${THINGS[at]}: was ${NAMES[at]}, no longer certain`,
    sources: isSaid ? [`c${at}`] : [],
    cues: {
      kind: 'state',
      stance,
      explicit: true,
      parts: [
        { role: 'what', forms: [THINGS[at]!] },
        { role: 'value', forms: [NAMES[at]!] },
      ],
    },
  }
}

/** What is made of the first thing in a store: as it stands, and as something that is in doubt. */
async function judged(change: (text: string, at: number) => string) {
  const store: Memory[] = said.map((text, at) => ({ id: `m${at}`, text: change(text, at) }))
  const verdicts = await createLexicalJudge().judgeFacts([fact(0, 'held'), fact(0, 'doubted')], store)
  return verdicts.map(({ label, uncertain }) => `${label}${uncertain ? '?' : ''}`)
}

describe('doubt in a store', () => {
  it('belongs to the thing it is told of', async () => {
    expect(await judged((text, at) => (at === 0 ? `${text.slice(0, -1)} (unsure).` : text))).toEqual([
      'summary_error',
      'correct',
    ])
    expect(await judged((text) => text)).toEqual(['correct', 'not_stored'])
  })

  it.each([' unsure', ' (may be outdated)', ' (unclear)', '. This may have changed.'])(
    'tells nothing when every memory ends in "%s"',
    async (words) => {
      const [held, doubted] = await judged((text) => text.slice(0, -1) + words)
      expect(held).toBe('correct?')
      expect(doubted).not.toMatch(/^correct/)
    },
  )

  it('tells nothing when it stands above all of them', async () => {
    expect((await judged((text) => `# All of this is uncertain\n- ${text}`))[1]).not.toMatch(/^correct/)
  })
})

it('a wish to forget that stands on every memory removes nothing', async () => {
  expect((await judged((text) => `${text.slice(0, -1)} (to be deleted).`))[0]).toMatch(/^correct/)
})
