import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commitOf } from '../src/library/version.js'
import { type DataFile, LlmError, type ModelMaking, type WriteOptions } from '../src/model/index.js'
import { type DomainData, graphOf } from '../src/suites/meme/graph.js'
import { writeEpisodes } from '../src/suites/meme/pipeline/index.js'
import { makeRows } from '../src/suites/memfail/pipeline/index.js'
import { makeLives } from '../src/suites/memora/pipeline/index.js'
import { rehearse } from '../src/systems/parts/rehearse.js'
import { memscopeHere, root, temporaryFolder } from './cli.js'

interface Told {
  step: string
  told: Record<string, unknown> & { rows?: Record<string, unknown>[] }
}

/** Making with a model that says what a rehearsal does, unless told otherwise, and what it was asked. */
function played(
  rules: ModelMaking['rules'],
  otherwise: (asked: Told, say: () => unknown) => unknown = (_, say) => say(),
) {
  const asked: Told[] = []
  const messages: string[] = []
  const vector = (text: string) =>
    Float32Array.from([1, text.length % 7, text.length % 5], (x, _, all = [1, 2, 3]) => x / Math.hypot(...all))
  const making: ModelMaking = {
    rules,
    commit: null,
    models: () => ['played:model'],
    llm: (model, say) => ({
      ...rehearse(async ({ step, request }) => {
        const one = { step, told: JSON.parse(request.messages.at(-1)!.content) as Told['told'] }
        asked.push(one)
        return { json: await otherwise(one, say) }
      }),
      model,
    }),
    rejected: new Set(),
    judgeFacts: async (facts) =>
      facts.map(() => ({ label: 'correct', reason: '', uncertain: false, supportedBy: [] })) as never,
    judgeAnswer: async () => ({ grade: 'wrong', reason: '' }) as never,
    embedder: async () => ({ id: 'played', embed: async (texts: readonly string[]) => texts.map(vector) }) as never,
    nearest: async (texts) => async (_, count) => texts.map((_, at) => at).slice(0, count),
    tell: (message) => messages.push(message),
    signal: new AbortController().signal,
  }
  return { asked, messages, making }
}

const options = (making: ModelMaking, extra: Record<string, string> = {}): WriteOptions => ({
  seed: 42,
  extra,
  stdout: false,
  harness: 'test',
  making,
})

interface Config {
  datasets: Record<
    string,
    {
      stages: { stage: string; before: number; after: number }[]
      steps: { step: string; why: Record<string, number> }[]
      figures: object
    }
  >
}

async function configOf(files: readonly { path: string; lines: unknown }[]): Promise<Config> {
  const lines = files.find(({ path }) => path === 'generation_config.json')!.lines as string[]
  return JSON.parse(lines.join(''))
}

describe('MemFail by the rules of its paper', () => {
  it('leaves names and answers to the model; ours are given', async () => {
    const specs = async (rules: ModelMaking['rules']) => {
      const { asked, making } = played(rules)
      await makeRows(['conditional-easy', 'conditional-hard'], { ...making, target: 4 }, options(making))
      return asked.flatMap(({ step, told }) => (step === 'conditional' ? told.rows! : []))
    }
    for (const spec of await specs('paper')) expect(Object.keys(spec)).toEqual(['row', 'condition_type', 'category'])
    const given = await specs('sound')
    expect(given.map((spec) => spec.condition_met)).toEqual(['yes', 'no', 'yes', 'no'])
    expect(new Set(given.map((spec) => spec.entity)).size).toBe(4)
  })

  it('tells of every chain before how it begins and ends', async () => {
    const { asked, making } = played('paper')
    await makeRows(['long-hop'], { ...making, target: 40 }, options(making))
    const proposals = asked.filter(({ step }) => step === 'long-hop')
    expect(proposals.map(({ told }) => (told.earlier as string[]).length)).toEqual([0, 5, 10, 14, 19, 24, 27, 32, 37])
    for (const one of proposals.at(-1)!.told.earlier as string[]) expect(one).toMatch(/^[^→]+ → [^→]+$/)
  })

  it('goes on where a provider’s filter refuses a request, and ends where it refuses all for another reason', async () => {
    const refusing = (message: string) => {
      const { making } = played('paper', ({ step, told }, say) => {
        if (step === 'coexisting' && told.rows?.some(({ row }) => row === 1))
          throw new LlmError('provider', message, '', 400)
        return say()
      })
      return makeRows(['coexisting'], { ...making, target: 8 }, options(making))
    }
    const { files } = await refusing('The response was filtered (content_filter).')
    const { steps } = (await configOf(files!)).datasets.coexisting!
    expect(steps.find(({ step }) => step === 'coexisting')!.why.filtered).toBeGreaterThan(0)
    await expect(refusing('temperature is not known')).rejects.toThrow('temperature')
  })

  it('takes no option that is a part of a relation', async () => {
    const refused: unknown[] = []
    const { making } = played('paper', ({ step, told }, say) => {
      const reply = say() as { rows: { facts: object[] }[]; options: string[] }
      if (step === 'long-hop') {
        const related = (fact: object) => ({ ...fact, relation: 'always makes one think of' })
        return { rows: reply.rows.map((row) => ({ ...row, facts: row.facts.map(related) })) }
      }
      if (step !== 'long-hop-distractors') return reply
      refused.push(told.refused)
      return told.refused === undefined ? { options: ['makes', ...reply.options.slice(1)] } : reply
    })
    await makeRows(['long-hop'], { ...making, target: 1 }, options(making))
    expect(refused).toEqual([undefined, ['"makes" is too near to "always makes one think of".']])
  })
})

describe('Memora', () => {
  const life = { days: '1', personas: 'academic_researcher' }

  it.each([
    ['paper', [0, 0, 0, 0, 0, 0, 0, 0]],
    ['sound', [0, 0, 0, 0, 1, 1, 1, 1]],
  ] as const)('by the rules %s: tries a session eight times, by these flows', async (rules, flows) => {
    const { asked, making } = played(rules, ({ step }, say) =>
      step === 'coherence' ? { coherent: false, why: 'No.' } : say(),
    )
    await makeLives(options(making, life))
    const first = asked.filter(({ step, told }) => step !== 'coherence' && told.turn === 0 && told.session === 1)
    const seed = ({ told }: Told) => (told.life as { seed: number }).seed
    // Three simulations, each given up.
    expect(new Set(first.map(seed))).toEqual(new Set([42, 43, 44]))
    const own = first.filter((one) => seed(one) === 42)
    expect(own.map(({ told }) => [told.attempt, told.flow])).toEqual(flows.map((flow, attempt) => [attempt, flow]))
  })

  it('has no more lives than personas', async () => {
    const { making } = played('paper')
    await expect(makeLives(options({ ...making, target: 11 }))).rejects.toThrow(/more lives than memora has personas/)
  })

  it('tells a life from another simulation where a session could not be told, and says how alike sessions are', async () => {
    const { messages, making } = played('paper', ({ step, told }, say) => {
      const { seed } = (told.life ?? {}) as { seed?: number }
      return step === 'user' && seed === 42 && told.session === 3 ? { nothing: true } : say()
    })
    const { files } = await makeLives(options(making, life))
    const [head] = files.find(({ path }) => path.endsWith('.life.jsonl'))!.lines as Iterable<string>
    expect(JSON.parse(head as string)).toMatchObject({ seed: 43 })
    expect(messages[0]).toMatch(/^academic_researcher: (\d+) of (\d+) sessions accepted$/)
    const { stages, figures } = (await configOf(files)).datasets.academic_researcher!
    expect(stages.find(({ stage }) => stage === 'lives')).toMatchObject({ before: 2, after: 1 })
    expect(figures).toMatchObject({ tries: { 1: expect.any(Number) }, overlap: {}, cosine: expect.any(Number) })
  })
})

describe('MEME', () => {
  it('makes no episode of a domain whose fillers could not be looked through for want of money, and goes on', async () => {
    const fillers = temporaryFolder()
    const talk = Array.from({ length: 60 }, (_, i) => ({
      role: i % 2 === 0 ? 'user' : 'assistant',
      content: `The ${i}th lantern in the harbour was painted over before the fair, and nobody minded it much.`,
    }))
    for (const name of ['one', 'two']) writeFileSync(join(fillers, `${name}.json`), JSON.stringify(talk))
    const { messages, making } = played('sound', ({ step }, say) => {
      if (step === 'filler-conflict') throw new LlmError('budget', 'The budget is spent.', '')
      return say()
    })
    const made = await writeEpisodes(options({ ...making, target: 2 }, { fillers }))
    const { files } = made as { files: DataFile[] }
    expect(messages).toEqual(['personal-life: The budget is spent.', 'software-project: The budget is spent.'])
    expect(files.map(({ path }) => path)).toEqual(['generation_config.json'])
  })
})

describe('a graph of one’s own', () => {
  const graph = JSON.parse(readFileSync(join(root, 'src/corpora/meme/personal-life.json'), 'utf8')) as DomainData
  const written = (data: DomainData) => {
    const file = join(temporaryFolder(), 'graph.json')
    writeFileSync(file, JSON.stringify(data))
    return file
  }
  /** A graph with these entities and what depends on them, three values and a phrase of each. */
  const cut = (data: DomainData, ids: readonly string[]): DomainData => {
    const below = graphOf(data).descendants(ids[0]!)
    const isIn = (id: string) => ids.includes(id) || below.has(id)
    const edges = data.edges.filter(({ source, target }) => isIn(source) && isIn(target))
    const of = <T>(record: Record<string, T>, names: readonly string[]) =>
      Object.fromEntries(Object.entries(record).filter(([name]) => names.includes(name)))
    const first = (record: Record<string, string[]>) =>
      Object.fromEntries(Object.entries(record).map(([name, [phrase]]) => [name, [phrase!]]))
    const [patterns, sources] = [edges.map(({ pattern }) => pattern), edges.map(({ source }) => source)]
    const hasChild = (id: string) => sources.includes(id)
    return {
      ...data,
      entities: data.entities
        .filter(({ id }) => isIn(id))
        .map((one) => ({
          ...one,
          role: one.role === 'middle' && !hasChild(one.id) ? 'leaf' : one.role,
          values: one.values.slice(0, 3),
          facts: one.facts.slice(0, 1),
          questions: one.questions.slice(0, 1),
        })),
      edges,
      clauses: first(of(data.clauses, patterns)),
      implicit: first(of(data.implicit, patterns)),
      parents: first(of(data.parents, sources)),
      changes: first(of(data.changes, [ids[0]!])),
      considered: first(of(data.considered, [ids[0]!])),
      revoked: of(data.revoked, [ids[0]!]),
      triples: data.triples.filter(({ entities }) =>
        entities.every((id) => isIn(id) && !below.has(id) && id !== ids[0]),
      ),
      constraints: [],
    }
  }
  interface Release {
    episodes: { sessions: { conversation: { content: string }[] }[] }[]
  }
  const told = async (extra: Record<string, string>) => {
    const { making } = played('sound')
    const made = await writeEpisodes(options({ ...making, target: 3 }, extra))
    const { files } = made as { files: DataFile[] }
    const [text] = files.find(({ path }) => path === 'meme_nofiller.json')!.lines as string[]
    const said = (JSON.parse(text!) as Release).episodes.flatMap(({ sessions }) =>
      sessions.flatMap(({ conversation }) => conversation.map(({ content }) => content)),
    )
    return { text: text!, said: said.join('\n') }
  }
  /** What stands between the placeholders of phrases, so that it can be looked for. */
  const phrases = (shapes: Record<string, string[]>) =>
    Object.values(shapes)
      .flat()
      .flatMap((shape) => shape.split(/\{\w+\}/))
      .filter((piece) => piece.length > 15)

  it('is told in its own values', async () => {
    const own = JSON.parse(JSON.stringify(graph).replaceAll('Ostermere', 'Vellinghoe')) as DomainData
    own.entities.find(({ id }) => id === 'residence_location')!.values.splice(3)
    const { text } = await told({ graph: written(own) })
    expect(text).toContain('Vellinghoe')
    expect(text).not.toContain('Ostermere')
  })

  it('may be small, and is refused in words where it is too small', async () => {
    const small = cut(graph, [
      'health_condition',
      'hobby',
      'sports',
      'club_membership',
      'life_philosophy',
      'vehicle',
      'upcoming_event',
    ])
    const { text } = await told({ graph: written(small) })
    for (const task of ['ER', 'Agg', 'Tr', 'Del', 'Cas', 'Abs']) expect(text).toContain(`"task_type":"${task}"`)
    const { making } = played('sound')
    const bare = cut(graph, ['health_condition', 'hobby', 'sports', 'club_membership', 'life_philosophy'])
    const refused = writeEpisodes(options({ ...making, target: 1 }, { graph: written(bare) }))
    await expect(refused).rejects.toThrow(/the graph is too small/)
    await expect(writeEpisodes(options(making, { graph: written({ ...bare, triples: [] }) }))).rejects.toThrow(
      /triples/,
    )
  })

  it.each([
    [
      'a name that nobody has',
      (data: DomainData) => data.edges.push({ ...data.edges[0]!, target: 'nobody' }),
      /nobody/,
    ],
    [
      'a fact without a place for its value',
      (data: DomainData) => data.entities[0]!.facts.push('I live somewhere.'),
      /residence_location/,
    ],
    [
      'no value that is exact',
      (data: DomainData) => data.entities.map((one) => Object.assign(one, { exact: undefined })),
      /exact/,
    ],
  ])('is refused with %s', async (_, spoil, why) => {
    const data = structuredClone(graph)
    spoil(data)
    const { asked, making } = played('sound')
    await expect(writeEpisodes(options(making, { graph: written(data) }))).rejects.toThrow(why)
    expect(asked).toEqual([])
  })

  it('is told with dependencies said outright, hinted at or not at all', async () => {
    const file = written(graph)
    const says = async (conditionals: string) => {
      const { said, text } = await told({ graph: file, conditionals })
      const has = (shapes: Record<string, string[]>) => phrases(shapes).some((piece) => said.includes(piece))
      return {
        explicit: has(graph.clauses),
        implicit: has(graph.implicit),
        absence: text.includes('"task_type":"Abs"'),
      }
    }
    expect(await says('explicit')).toEqual({ explicit: true, implicit: false, absence: true })
    expect(await says('implicit')).toEqual({ explicit: false, implicit: true, absence: true })
    expect(await says('none')).toEqual({ explicit: false, implicit: false, absence: false })
  })
})

describe('the commit that made a file', () => {
  it('is that of the repository of the program, not of one that it is installed in', () => {
    const repository = temporaryFolder()
    const installed = join(repository, 'node_modules/memscope/dist')
    mkdirSync(installed, { recursive: true })
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: repository })
    git('init', '-q')
    git('commit', '-q', '--allow-empty', '-m', 'first')
    expect(commitOf(repository)).toMatch(/^[0-9a-f]{40}$/)
    expect(commitOf(installed)).toBeNull()
    expect(commitOf(temporaryFolder())).toBeNull()
  })
})

describe('the help of memscope data', () => {
  it('is that of the verb', async () => {
    const { out } = await memscopeHere(['data', 'generate', '--help'])
    for (const flag of ['--generator', '--conditionals', '--out']) expect(out).toContain(`  ${flag} `)
    for (const flag of ['--for-scoring', '--sample', '--pack'])
      expect(out).not.toMatch(new RegExp(`^ {2}${flag} `, 'm'))
    expect((await memscopeHere(['data', 'review', '--help'])).out).toContain('--reviewer a|b')
    expect((await memscopeHere(['data', '--help'])).out).toContain('--for-scoring')
    expect((await memscopeHere(['data', 'export', '--help'])).out).toContain('--format jsonl|published|gold')
  })
})
