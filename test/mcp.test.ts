import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runStory } from '../bench/story/run.js'
import { Script } from '../bench/story/script.js'
import { rowOf } from '../bench/story/signatures.js'
import { readOutsideSpec } from '../src/base/outside-spec.js'
import type { Conversation, Rehearsal, SystemContext } from '../src/model/index.js'
import { systemTestContext } from '../src/systems/conformance/fixtures.js'
import { loadMcp } from '../src/systems/mcp/index.js'
import { rehearse } from '../src/systems/parts/index.js'
import { memscope, memscopeHere, root, temporaryFolder } from './cli.js'
import { hasMcp, NOTES_MAP, NOTES_SERVER, REFERENCE } from './mcp-peers.js'

const load = (spec: string, timeoutMs = 30_000) => loadMcp(readOutsideSpec(spec)!, root, timeoutMs)

const talk = (id: string, ...said: string[]): Conversation => ({
  id,
  time: '2024-03-04T09:00:00Z',
  turns: said.map((text) => ({ role: 'user', text })),
})
const ask = (text: string) => ({ id: 'q', text, time: '2024-03-10T09:00:00Z' })

/** What the model says that drives the reference server through the story. */
function graphScript(): Script {
  const create = (...entities: object[]) => ({ name: 'create_entities', input: { entities } })
  const entity = (name: string, entityType: string, ...observations: string[]) => ({ name, entityType, observations })
  const add = (...contents: string[]) => ({
    name: 'add_observations',
    input: { observations: [{ entityName: 'User', contents }] },
  })
  const drop = (...observations: string[]) => ({
    name: 'delete_observations',
    input: { deletions: [{ entityName: 'User', observations }] },
  })
  const neighbour = { from: 'Tamsin', relationType: 'is the neighbour of', to: 'User' }
  const stores: Record<string, object[]> = {
    s1: [create(entity('User', 'person', 'likes oolong tea', 'has an office on Harbour Street'))],
    s2: [add('eats lunch at the Anchor when working on Harbour Street and at the Bakehouse when working on Mill Lane')],
    s3: [add('User only cycles to work when the wind is below 20 km/h')],
    s4: [create(entity('Studio door', 'thing', 'has the code QX7-4418-LIME'))],
    s5: [
      create(entity('Tamsin', 'person', 'is allergic to walnuts', 'visits User most Sundays')),
      { name: 'create_relations', input: { relations: [neighbour] } },
      add('takes a pottery class at the Kiln House on Thursdays'),
    ],
    s6: [add('likes rooibos tea')],
    s7: [drop('has an office on Harbour Street'), add('has an office on Mill Lane')],
    s8: [drop('takes a pottery class at the Kiln House on Thursdays'), add('has given up the pottery class')],
  }
  const looks: Record<string, string> = {
    likes: 'tea',
    rule: 'cycle',
    change: 'office',
    exact: 'studio door',
    other: 'Tamsin',
    deletion: 'pottery',
    cascade: 'lunch',
  }
  const search = (query: string) => [{ name: 'search_nodes', input: { query } }]
  return Script.parse({
    failures: [{ question: 'deletion', shows: 'not_retrieved', by: 'whole entities are found', off: '' }],
    steps: {
      store: [...Object.entries(stores).map(([at, calls]) => ({ at, unless: '<<result', calls })), { text: 'Done.' }],
      retrieve: [
        ...Object.entries(looks).map(([at, query]) => ({ at, unless: '<<result', calls: search(query) })),
        { text: 'Done.' },
      ],
    },
  })
}

describe.skipIf(!hasMcp)('the reference memory server', () => {
  it('keeps the contract of memories, mapped and driven, in the real command line', async () => {
    for (const spec of [`mcp:${REFERENCE}`, `mcp[driven]:${REFERENCE}`]) {
      const { code, out, err } = await memscope(['check', spec], { cwd: root })
      expect([code, err], out).toEqual([0, ''])
      expect(out).toMatch(/memory-server(-driven)?: keeps the contract/)
    }
  })

  it('fails as docs/systems.md says: a question finds nothing, words do, and a model gets whole entities', async () => {
    const words = join(temporaryFolder(), 'words.json')
    const page = readFileSync(join(root, 'docs/mcp.md'), 'utf8')
    writeFileSync(words, /<!-- example -->\n```json\n([\s\S]*?)```/.exec(page)![1]!)
    const rows = [
      rowOf('server-memory', await runStory(`mcp:${REFERENCE}`, null)),
      rowOf('server-memory, word by word', await runStory(`mcp[map=${words}]:${REFERENCE}`, null)),
      rowOf('server-memory, driven', await runStory(`mcp[driven]:${REFERENCE}`, graphScript())),
    ]
    const shown = readFileSync(join(root, 'docs/systems.md'), 'utf8').match(/^\| `server-memory.*$/gm)
    expect(shown).toEqual(rows.map((row) => `| ${row.join(' | ')} |`))
  })

  it('drops what a conversation brings when its entity is created again, so the mapping adds', async () => {
    const { create } = await load(`mcp:${REFERENCE}`)
    const system = await create(systemTestContext(), {})
    await system.store(talk('c1', 'I like figs.'))
    await system.store(talk('c1', 'I like dates.'))
    expect((await system.dump!()).map(({ text, sources }) => `${text} ${sources}`)).toEqual([
      '[2024-03-04] user: I like figs. c1',
      '[2024-03-04] user: I like dates. c1',
    ])
    expect(await system.retrieve(ask('What do I like?'), 5, { k: 5 })).toEqual([])
    expect(await system.retrieve(ask('figs'), 1, { k: 1 })).toHaveLength(1)
    await system.close!()
  })

  it('has a file of its own for every life, and is another subject when its mapping is', async () => {
    const definition = await load(`mcp:${REFERENCE}`)
    expect(definition).toMatchObject({ name: 'memory-server', atomic: true, idempotent: true, remarks: [] })
    expect(definition.version).toMatch(/^1, memory-server 0\.6\.3, 9 tools [0-9a-f]{8}, mapping [0-9a-f]{8}$/)
    const driven = await load(`mine=mcp[driven,rounds=3]:${REFERENCE}`)
    expect(driven).toMatchObject({ name: 'mine', options: { rounds: { default: '3' } } })
    expect(driven.remarks).toEqual(['does not go by scenario time'])
    expect(driven.version).not.toBe(definition.version)
    const [one, other] = [systemTestContext(), systemTestContext()]
    const systems = [await definition.create(one, {}), await definition.create(other, {})]
    await systems[0]!.store(talk('c1', 'I like figs.'))
    expect([one, other].map(({ workdir }) => readdirSync(workdir))).toEqual([['memory.jsonl'], []])
    for (const system of systems) await system.close!()
  })
})

describe.skipIf(!hasMcp)('a server that a model drives', () => {
  async function driven(rehearsal: Rehearsal, own: Partial<SystemContext> = {}, options = {}) {
    const { create } = await load(`mcp[driven,map=${NOTES_MAP}]:node ${NOTES_SERVER}`)
    return create({ ...systemTestContext(), llm: rehearse(rehearsal), ...own }, options)
  }

  it('tells the model of its mistakes and shows results as data, and only tools that read look things up', async () => {
    const seen: string[] = []
    const offered: string[][] = []
    const system = await driven(({ step, request }) => {
      offered.push(request.tools!.map(({ name }) => name))
      const results = request.messages.filter(({ role }) => role === 'tool')
      seen.push(...results.slice(-1).map(({ content }) => content))
      if (step === 'retrieve')
        return results.length === 0 ? { calls: [{ name: 'recall', input: { query: 'figs' } }] } : { text: 'Done.' }
      if (results.length === 0) return { calls: [{ name: 'remember', input: { text: ['figs'] } }] }
      return results.length === 1
        ? { calls: [{ name: 'remember', input: { text: 'User likes figs' } }] }
        : { text: 'Done.' }
    })
    await system.store(talk('c1', 'I like figs.'))
    expect(seen[0]).toMatch(/^Error: The arguments do not fit: .*expected string, received array/s)
    expect(seen[1]).toMatch(/^<<result [0-9a-f]{16}>>\n\[\]\n<<end/)
    expect(await system.retrieve(ask('What do I like?'), 5, { k: 5 })).toMatchObject([{ text: 'User likes figs' }])
    expect([offered[0], offered.at(-1)]).toEqual([
      ['remember', 'recall', 'all'],
      ['recall', 'all'],
    ])
    await system.close!()
  })

  it('is an error of that conversation when the model is not done in its rounds, and ends looking up with what was seen', async () => {
    const system = await driven(
      ({ step }) => ({
        calls: [step === 'store' ? { name: 'remember', input: { text: 'x figs' } } : { name: 'all', input: {} }],
      }),
      {},
      { rounds: '2' },
    )
    await expect(system.store(talk('c1', 'I like figs.'))).rejects.toMatchObject({
      code: 'unparsable',
      message: expect.stringContaining('not done storing "c1" in 2 rounds'),
    })
    expect(await system.retrieve(ask('What?'), 1, { k: 1 })).toMatchObject([{ text: 'x figs' }])
    await system.close!()
  })

  it('runs with a rehearsed model, and its report says what the server is not told', async () => {
    const { code, out, err } = await memscopeHere([
      ...['run', '--suite', 'memfail/persona', '--size', '2', '--system', `mcp[driven]:${REFERENCE}`],
      ...['--model', 'rehearsal:demo', '--home', temporaryFolder(), '--json', '-', '--quiet'],
    ])
    expect(code, err).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ status: 'valid', errors: 0 })
  })
})

describe('a server that cannot be used', () => {
  it.skipIf(!hasMcp)('is refused with what to do', async () => {
    const server = `node ${NOTES_SERVER}`
    await expect(load(`mcp:${server}`)).rejects.toMatchObject({
      message: 'Nothing is known of the MCP server "notes" (remember, recall, all).',
      hint: expect.stringContaining('mcp[driven]'),
    })
    await expect(load(`mcp[maps=x]:${server}`)).rejects.toThrow('no option of mcp "maps"')
    await expect(load(`mcp[map=nowhere.json]:${server}`)).rejects.toThrow('no mapping "nowhere.json"')
    await expect(load('mcp:/nowhere/to/be/found')).rejects.toThrow(/cannot be opened: .*ENOENT/)
    await expect(load('mcp:http://127.0.0.1:9/mcp')).rejects.toThrow(/cannot be opened/)
    await expect(load('mcp:node -e process.exit(3)')).rejects.toThrow(/its process ended \(code 3\) during opening/)
    await expect(load('mcp:node -e setInterval(()=>{},1000)', 500)).rejects.toThrow(/took longer than 0.5 s/)
  })

  it('is missed with one line of advice when the client is not installed', async () => {
    const { code, err } = await memscope(['check', 'mcp:node server.mjs'], { env: { MEMSCOPE_PEERS: '/nowhere' } })
    expect([code, existsSync(join(root, 'node_modules/@modelcontextprotocol/client'))]).toEqual([2, false])
    expect(err).toMatch(
      /need the package @modelcontextprotocol\/client\.\s+Run: npm install @modelcontextprotocol\/client@2/,
    )
  })
})
