import { describe, expect, it } from 'vitest'
import { systemTestContext } from '../conformance/fixtures.js'
import { runSystemConformance } from '../conformance.js'
import { digest } from './index.js'

runSystemConformance({ name: 'digest', definition: digest })

const ESSAY =
  'Odalys keeps bees behind the station. The bees of the station know Odalys well. She once met a duke. Honey from the station bees wins prizes.'

const kept = async (options: Record<string, string>, text = ESSAY): Promise<string[]> => {
  const system = await digest.create(systemTestContext(), options)
  await system.store({ id: 'c1', time: '2026-01-01T00:00:00Z', turns: [{ role: 'user', text }] })
  return (await system.dump!()).map(({ text }) => text)
}

describe('the digest', () => {
  it('keeps the sentences that share most with the others, in their order', async () => {
    const [text] = await kept({ keep: '3' })
    expect(text).not.toContain('duke')
    expect(text!.indexOf('behind')).toBeLessThan(text!.indexOf('prizes'))
  })

  it('counts words of more than three letters that other sentences share, for the length of a sentence', async () => {
    const text =
      'Cup honey swim swim bees. Bee sun tea swim maps hive. Lake swim hall swim swim hall. Swim cup bees oak maps. Sun hall. Tea bees swim. Hall lake tea oak sun.'
    expect(await kept({ keep: '2' }, text)).toEqual(['Lake swim hall swim swim hall. Swim cup bees oak maps.'])
    expect(await kept({ keep: '1' }, 'Hall maps bees duke. Bees. Duke. Duke.')).toEqual(['Duke.'])
  })

  it('keeps the first sentences when told so', async () => {
    expect(await kept({ keep: '1', by: 'lead' })).toEqual(['Odalys keeps bees behind the station.'])
  })

  it('leaves short turns as they were said', async () => {
    expect(await kept({ keep: '4' })).toEqual([ESSAY])
  })
})
