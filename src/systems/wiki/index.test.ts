import { describe, expect, it } from 'vitest'
import { runStory } from '../../../bench/story/run.js'
import { readStoryScript } from '../../../bench/story/script.js'
import type { Conversation, Rehearsal } from '../../model/index.js'
import { systemTestContext } from '../conformance/fixtures.js'
import { runSystemConformance } from '../conformance.js'
import { dataIn, rehearse } from '../parts/index.js'
import { wiki } from './index.js'

runSystemConformance({ name: 'wiki', definition: wiki })
runSystemConformance({ name: 'wiki:evening', definition: wiki, options: wiki.variants!.evening!.options })

describe('wiki in the story', () => {
  const script = readStoryScript('wiki')

  it('notes every conversation in the log of its day, and compiles logs that have changed', async () => {
    const { asked, dumps } = await runStory('wiki', script)
    expect(asked.slice(0, 24).map(({ at, step }) => `${at} ${step}`)).toEqual(
      ['s1', 's2', 's3', 's4', 's5', 's6', 's7', 's8'].flatMap((at) => [
        `${at} flush`,
        `${at} compile`,
        `${at} compile`,
      ]),
    )
    expect(dumps.s1!.map(({ id }) => id)).toEqual([
      'daily/2024-05-06.md',
      'index.md',
      'concepts/tea.md',
      'concepts/office.md',
    ])
    expect(dumps.s1![0]!.text).toMatch(
      /^# 2024-05-06\n\n### Session \(08:30\)\n\n\*\*Context:\*\* Tea and the office\n/,
    )
    const { index, articles, log } = dataIn(asked[4]!.prompt)
    expect(index).toContain('| [[concepts/office]] |')
    expect(articles).toMatch(/^\[concepts\/tea\.md\] ---\n {2}\| title: Tea\n/)
    expect(log).toContain('User eats lunch at the Anchor')
  })

  it('changes an article in place, and notes where it comes from', async () => {
    const { dumps } = await runStory('wiki', script)
    const office = (at: string) => dumps[at]!.find(({ id }) => id === 'concepts/office.md')!
    expect(office('s6')).toMatchObject({ time: '2024-05-06T08:30:00Z', sources: ['s1'] })
    expect(office('s7')).toMatchObject({ time: '2024-05-21T09:15:00Z', sources: ['s1', 's7'] })
    expect(office('s7').text).toContain("- User's office is on Mill Lane now")
    expect(office('s7').text).not.toContain('Harbour Street')
  })

  it('finds the pages it opens, in that order, and answers by itself in the same loop', async () => {
    const { asked, retrieved, answers } = await runStory('wiki', script)
    const queries = asked.filter(({ step }) => step === 'query')
    expect(queries.map(({ role }) => role)).toEqual(Array(21).fill('retrieve'))
    expect(retrieved.cascade!.map(({ id }) => id)).toEqual(['index.md', 'concepts/lunch.md', 'concepts/office.md'])
    expect(answers.cascade).toBe('At the Bakehouse. [[concepts/lunch]] [[concepts/office]]')
  })

  it('leaves a change in the log of the day when logs are compiled in the evening', async () => {
    const evening = await runStory('wiki:evening', script)
    expect(evening.asked.filter(({ step }) => step === 'compile').map(({ at }) => at)).toEqual([
      ...Array(8).fill('s4'),
      's5',
      's5',
      's6',
      's6',
    ])
    expect(evening.held.find(({ id }) => id === 'daily/2024-05-21.md')!.text).toContain('office is on Mill Lane now')
    expect(evening.outcomes.change!.outcome).toBe('not_retrieved')
    expect(evening.answers.change).toBe('On Harbour Street. [[concepts/office]]')
    const settled = await runStory('wiki', script)
    expect(settled.outcomes.change!.outcome).toBe('answerable')
    expect(settled.answers.change).toBe('On Mill Lane. [[concepts/office]]')
  })
})

describe('wiki', () => {
  const talk = (id: string, time: string): Conversation => ({ id, time, turns: [{ role: 'user', text: 'Hello.' }] })
  const query = { id: 'q', text: 'What?', time: '2024-01-05T00:00:00Z' }
  const create = (rehearsal: Rehearsal, options = {}) =>
    wiki.create({ ...systemTestContext(), llm: rehearse(rehearsal) }, options)

  it('puts conversations of one day into one log, compiles it again when it has grown, and skips those that leave nothing', async () => {
    const steps: string[] = []
    const notes = ['- one', '- two', ' FLUSH_OK\n']
    const system = await create(({ step }) => {
      steps.push(step)
      return { text: step === 'flush' ? notes.shift()! : 'Done.' }
    })
    for (const [id, hour] of Object.entries({ c1: '08', c2: '09', c3: '10' })) {
      await system.store(talk(id, `2024-01-01T${hour}:00:00Z`))
      await system.settle!(1000)
    }
    expect(steps).toEqual(['flush', 'compile', 'flush', 'compile', 'flush'])
    const [log] = await system.dump!()
    expect(log).toEqual({
      id: 'daily/2024-01-01.md',
      text: '# 2024-01-01\n\n### Session (08:00)\n\n- one\n\n### Session (09:00)\n\n- two',
      time: '2024-01-01T09:00:00Z',
      sources: ['c1', 'c2'],
    })
  })

  it('compiles from the hour of the evening on, and not before', async () => {
    const steps: string[] = []
    const system = await create(
      ({ step }) => {
        steps.push(step)
        return { text: step === 'flush' ? '- one' : 'Done.' }
      },
      { compile: 'evening' },
    )
    for (const [day, hour] of ['09:59', '17:59', '18:00'].entries())
      await system.store(talk(`c${day}`, `2024-01-0${day + 1}T${hour}:00Z`))
    expect(steps).toEqual(['flush', 'flush', 'flush', 'compile', 'compile', 'compile'])
  })

  it('lets the editor write articles and the index only, and tells it what went wrong', async () => {
    const outputs: string[] = []
    const inputs = [
      { name: 'write_file', input: { path: 'daily/2024-01-01.md', content: 'x' } },
      { name: 'write_file', input: { path: './concepts/a', content: 'tea tea' } },
      { name: 'edit_file', input: { path: 'concepts/a.md', old: 'tea', new: 'figs' } },
      { name: 'edit_file', input: { path: 'concepts/a.md', old: 'tea tea', new: '$& and figs' } },
      { name: 'edit_file', input: { path: 'concepts/a.md', old: '', new: 'figs' } },
      { name: 'edit_file', input: { path: 'concepts/a.md', old: 'rice', new: 'figs' } },
      { name: 'read_file', input: { path: 'concepts/b.md' } },
      { name: 'glob', input: { pattern: '**/*.md' } },
      { name: 'glob', input: { pattern: '*' } },
      { name: 'glob', input: { pattern: '**' } },
      { name: 'glob', input: { pattern: 'concepts/*' } },
      { name: 'grep', input: { text: 'FIGS' } },
    ]
    const system = await create(({ step, request }) => {
      if (step === 'flush') return { text: '- one' }
      const results = request.messages.filter(({ role }) => role === 'tool')
      outputs.push(...results.map(({ content }) => content))
      return results.length === 0 ? { calls: inputs } : { text: 'Done.' }
    })
    await system.store(talk('c1', '2024-01-01T08:00:00Z'))
    await system.settle!(1000)
    expect(outputs).toEqual([
      'Error: Only concepts/<name>.md, connections/<name>.md and index.md can be written, not daily/2024-01-01.md.',
      'Wrote concepts/a.md.',
      'Error: That text occurs 2 times in concepts/a.md, not once.',
      'Wrote concepts/a.md.',
      'Error: That text occurs 0 times in concepts/a.md, not once.',
      'Error: That text occurs 0 times in concepts/a.md, not once.',
      'Error: There is no file concepts/b.md.',
      'daily/2024-01-01.md\nindex.md\nconcepts/a.md',
      'index.md',
      'daily/2024-01-01.md\nindex.md\nconcepts/a.md',
      'concepts/a.md',
      'concepts/a.md',
    ])
    expect((await system.dump!()).at(-1)).toMatchObject({ id: 'concepts/a.md', text: '$& and figs' })
  })

  it('reads once for a question until the wiki changes, and answers without having been asked for pages', async () => {
    const roles: string[] = []
    const llm = rehearse(wiki.rehearsal!, {
      onCall: ({ step, options }) => step === 'query' && roles.push(options.role),
    })
    const system = await wiki.create({ ...systemTestContext(), llm }, {})
    await system.store({ ...talk('c1', '2024-01-01T08:00:00Z'), turns: [{ role: 'user', text: 'I like figs.' }] })
    await system.settle!(1000)
    const asked = { ...query, text: 'Do I like figs?' }
    const { used } = await system.answer!(asked)
    expect(used!.map(({ id }) => id)).toEqual(['index.md', 'concepts/2024-01-01.md'])
    expect(await system.retrieve(asked, 1, { k: 1 })).toEqual(used!.slice(0, 1))
    expect(roles).toEqual(['answer', 'answer', 'answer'])
    await system.insert!([{ id: 'oracle:dates', text: 'User likes figs and dates.' }])
    const found = await system.retrieve(asked, 5, { k: 5 })
    expect(found.map(({ id }) => id)).toContain('oracle:dates')
    expect(roles).toHaveLength(6)
  })

  it('has found the pages that were opened, and nothing that was only named or is not there', async () => {
    const looks = [
      { name: 'glob', input: { pattern: '*' } },
      { name: 'read_file', input: { path: 'concepts/none.md' } },
      { name: 'read_file', input: { path: 'index' } },
    ]
    const system = await create(({ step, request }) => {
      if (step !== 'query') return { text: step === 'flush' ? '- one' : 'Done.' }
      return request.messages.some(({ role }) => role === 'tool') ? { text: 'Nothing.' } : { calls: looks }
    })
    await system.store(talk('c1', '2024-01-01T08:00:00Z'))
    await system.settle!(1000)
    expect((await system.retrieve(query, 5, { k: 5 })).map(({ id }) => id)).toEqual(['index.md'])
  })

  it('is an error when there is no answer in the rounds that it has', async () => {
    const system = await create(({ step }) =>
      step === 'flush' ? { text: '- one' } : { calls: [{ name: 'glob', input: { pattern: '*' } }] },
    )
    await system.store(talk('c1', '2024-01-01T08:00:00Z'))
    await expect(system.retrieve(query, 5, { k: 5 })).rejects.toMatchObject({ code: 'unparsable' })
  })

  it('is an error when words come with calls to the end of its rounds, and not at their end', async () => {
    const llm = rehearse(({ step }) =>
      step === 'flush' ? { text: '- one' } : { calls: [{ name: 'glob', input: { pattern: '*' } }] },
    )
    const chatty: typeof llm = {
      ...llm,
      generate: async (request, options) => ({ ...(await llm.generate(request, options)), text: 'I look further.' }),
    }
    const system = await wiki.create({ ...systemTestContext(), llm: chatty }, {})
    await system.store(talk('c1', '2024-01-01T08:00:00Z'))
    await expect(system.retrieve(query, 5, { k: 5 })).rejects.toThrow('gave no answer in 15 rounds')
  })

  it('lists what is put in by its first hundred characters', async () => {
    const system = await create(() => ({ text: 'Done.' }))
    const text = `The |river|\n${'x'.repeat(200)}`
    await system.insert!([{ id: 'one', text, time: '2024-01-01T08:00:00Z' }])
    const index = (await system.dump!()).find(({ id }) => id === 'index.md')!.text
    expect(index.split('\n').at(-1)).toBe(`| [[concepts/one]] | The  river ${'x'.repeat(89)} | | 2024-01-01 |`)
  })

  it('is an error when the editor calls no tool and does not say that it is done', async () => {
    const system = await create(({ step }) => ({ text: step === 'flush' ? '- one' : 'I wrote an article on it.' }))
    await system.store(talk('c1', '2024-01-01T08:00:00Z'))
    await expect(system.settle!(1000)).rejects.toMatchObject({ code: 'unparsable' })
  })

  it('stores all of a conversation or nothing, and compiles all of a log or nothing, when its model fails in the middle', async () => {
    let fails = false
    const writing: Rehearsal = ({ step, request }) => {
      if (step === 'flush') return { text: '- one' }
      if (request.messages.at(-1)!.role !== 'tool')
        return { calls: [{ name: 'write_file', input: { path: 'concepts/a.md', content: fails ? 'half' : 'whole' } }] }
      if (fails) throw new Error('gone')
      return { text: 'Done.' }
    }
    for (const when of ['evening', 'settle']) {
      const system = await create(writing, { compile: when, evening: '0' })
      fails = false
      await system.store(talk('c1', '2024-01-01T08:00:00Z'))
      await system.settle!(1000)
      let before = await system.dump!()
      expect(before.map(({ id }) => id)).toEqual(['daily/2024-01-01.md', 'index.md', 'concepts/a.md'])
      fails = true
      const next = system.store(talk('c2', '2024-01-02T08:00:00Z'))
      if (when === 'evening') await expect(next).rejects.toThrow('gone')
      else {
        await next
        before = await system.dump!()
        await expect(system.settle!(1000)).rejects.toThrow('gone')
      }
      expect(await system.dump!()).toEqual(before)
    }
  })
})
