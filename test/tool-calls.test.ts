import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { SPEC } from '../bench/llm-model.js'
import { rehearsedModel } from '../bench/rehearsed-model.js'
import { ScriptedModel, type ScriptedReply } from '../src/gateway/index.js'
import type { Conversation } from '../src/model/index.js'
import type { WrittenCell as Cell, WrittenSummary as Summary } from '../src/report/summary-json.js'
import { systemTestContext } from '../src/systems/conformance/fixtures.js'
import { resolveSystem } from '../src/systems/registry.js'
import { Harness } from './gateway/harness.js'
import { Stage } from './llm.js'

interface Call {
  name: string
  arguments: string
}

/** How Llama writes calls that its server does not read. */
const asJson = (calls: readonly Call[]) =>
  calls.map((call) => `{"name": "functions.${call.name}", "parameters": ${call.arguments}}`).join('\n')

/** How others do. */
const WAYS: readonly ((calls: readonly Call[]) => string)[] = [
  (calls) => `So:\n${calls.map((call) => `\`\`\`json\n${argued(call)}\n\`\`\``).join('\n')}`,
  (calls) => calls.map((call) => `<think>Is [it]?</think><tool_call>\n${argued(call)}\n</tool_call>`).join('\n'),
  (calls) => `[TOOL_CALLS] [${calls.map(argued).join(', ')}]`,
  (calls) => calls.map((call) => `<function=${call.name}>${call.arguments}</function>`).join(''),
  (calls) => `Let me think.\n</think>\n<|python_tag|>${calls.map(argued).join('; ')}`,
]

function argued({ name, arguments: input }: Call): string {
  return `{"name": "${name}", "arguments": ${input}}`
}

/** As code: nobody can tell which text is what. */
const asCode = (calls: readonly Call[]) =>
  calls.map((call) => `${call.name}(${call.arguments.slice(1, -1)})`).join('\n')

/** The rehearsed model behind a server that knows no tool calls. */
function writing(...ways: readonly ((calls: readonly Call[]) => string)[]): ScriptedModel {
  const native = rehearsedModel()
  return new ScriptedModel({
    rules: [],
    otherwise: async ({ request, number }): Promise<ScriptedReply> => {
      const { text, toolCalls } = await native.reply(request, number)
      return toolCalls.length > 0 ? ways[number % ways.length]!(toolCalls) : text
    },
  })
}

const TOOL_SYSTEMS = ['langmem', 'md-flat', 'memory-tool', 'wiki']

const SLICE = [
  ...['--suite', 'memfail/long-hop', '--size', '2', '--limit', '2', '--k', '5', '--model', SPEC],
  ...['--system', TOOL_SYSTEMS.join(','), '--embedder', 'openai-compatible:words'],
]

const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close()
})

/** The cells of the systems with tools in a run against a model. */
async function run(model: ScriptedModel): Promise<{ summary: Summary; cells: Cell[]; out: string }> {
  const stage = await Stage.open(model)
  opened.push(stage.server)
  const file = join(stage.cwd, 'summary.json')
  const { out } = await stage.play(['run', ...SLICE, '--json', file])
  const summary = JSON.parse(readFileSync(file, 'utf8')) as Summary
  return { summary, cells: summary.cells.filter(({ system }) => TOOL_SYSTEMS.includes(system)), out }
}

describe('a model that writes its tool calls as text', () => {
  /** All but tokens and prices, which tell how the calls were written. */
  const measured = (cells: readonly Cell[]) =>
    cells.map(({ system, n, errors, evidence, outcomes, facts, memory }) => ({
      system,
      n,
      errors,
      evidence,
      outcomes,
      facts,
      entries: memory?.entries,
    }))

  it('fills memories as well as one that calls tools, whatever its way of writing', async () => {
    const { summary, cells } = await run(rehearsedModel())
    expect([summary.status, summary.errors, cells.length]).toEqual(['valid', 0, TOOL_SYSTEMS.length])
    for (const { system, memory } of cells) expect(memory!.entries, system).toBeGreaterThan(1)
    for (const model of [writing(asJson), writing(...WAYS)]) {
      const written = await run(model)
      expect([written.summary.status, written.summary.errors]).toEqual(['valid', 0])
      expect(measured(written.cells)).toEqual(measured(cells))
    }
  })

  it('is an error where nobody can tell what it calls for, never an empty memory', async () => {
    for (const model of [writing(asCode), new ScriptedModel({ rules: [], otherwise: 'I have updated the memory.' })]) {
      const { summary, cells, out } = await run(model)
      expect(summary.status).toBe('invalid')
      for (const { system, n, outcomes } of cells) {
        expect([outcomes.error, outcomes.not_stored], system).toEqual([n, 0])
      }
      expect(out).not.toMatch(/lost at storage/)
    }
  })
})

describe('a model that makes mistakes in calling tools', () => {
  const talk: Conversation = {
    id: 'c1',
    time: '2024-01-01T20:00:00Z',
    turns: [{ role: 'user', text: 'I like figs and dates.' }],
  }

  /** Calls that put figs and dates into each memory, one a text, and what is said at the end. */
  const WRITES: Record<string, { spec: string; call(text: string): Call; end: ScriptedReply }> = {
    langmem: {
      spec: 'langmem',
      call: (text) => ({ name: 'insert', arguments: JSON.stringify({ content: text }) }),
      end: { toolCalls: [{ name: 'done' }] },
    },
    'md-flat': {
      spec: 'md-flat',
      call: (text) => ({ name: 'append_file', arguments: JSON.stringify({ path: 'memory.md', content: text }) }),
      end: 'Done.',
    },
    'memory-tool': {
      spec: 'memory-tool',
      call: (text) => ({
        name: 'memory',
        arguments: JSON.stringify({ command: 'create', path: `/memories/${text}.md`, file_text: text }),
      }),
      end: 'Done.',
    },
    wiki: {
      spec: 'wiki:evening',
      call: (text) => ({
        name: 'write_file',
        arguments: JSON.stringify({ path: `concepts/${text}.md`, content: text }),
      }),
      end: 'Done.',
    },
  }

  /** Mistakes, made of a right call. */
  const MISTAKES: Record<string, (call: Call) => Call> = {
    'a tool that is not there': ({ arguments: text }) => ({ name: 'burn', arguments: text }),
    'a list instead of a text': ({ name, arguments: text }) => ({
      name,
      arguments: text.replace(/"(content|file_text)":(".*?")/, '"$1":[$2]'),
    }),
    'an argument that is missing': ({ name }) => ({ name, arguments: '{}' }),
    'a list of arguments': ({ name }) => ({ name, arguments: '["dates"]' }),
  }

  async function held(spec: string, model: ScriptedModel): Promise<string> {
    const harness = await Harness.start(model)
    opened.push(harness)
    const { definition, options } = await resolveSystem(spec, process.cwd())
    const system = await definition.create({ ...systemTestContext(), llm: harness.open().llm(SPEC) }, options)
    await system.store(talk)
    return (await system.dump!()).map(({ text }) => text).join('\n')
  }

  /** Makes a right call and a wrong one, and the right one in its place when told; or never. */
  function careless(
    { call, end }: (typeof WRITES)[string],
    mistake: (call: Call) => Call,
    learns: boolean,
  ): ScriptedModel {
    return new ScriptedModel({
      rules: [],
      otherwise: ({ request, last }) => {
        if (!request.tools) return '- Fruit'
        if (request.messages.at(-1)!.role !== 'tool') return { toolCalls: [call('figs'), mistake(call('dates'))] }
        if (!last.startsWith('Error: ')) return end
        return { toolCalls: [learns ? call('dates') : mistake(call('dates'))] }
      },
    })
  }

  it.each(Object.keys(WRITES))(
    'hears of them as the results of its calls, and can correct them: %s',
    async (system) => {
      const writes = WRITES[system]!
      for (const [name, mistake] of Object.entries(MISTAKES)) {
        const texts = await held(writes.spec, careless(writes, mistake, true))
        expect([texts.includes('figs'), texts.includes('dates')], `${name}: ${texts}`).toEqual([true, true])
      }
      const prefixed = ({ name, arguments: text }: Call) => ({ name: `functions.${name}`, arguments: text })
      expect(await held(writes.spec, careless(writes, prefixed, false))).toContain('dates')
      const comma = ({ name, arguments: text }: Call) => ({ name, arguments: text.replace(/\}$/, ',}') })
      expect(await held(writes.spec, careless(writes, comma, false))).toContain('dates')
    },
  )

  it.each(Object.keys(WRITES))('is an error that says so when it never gets them right: %s', async (system) => {
    const writes = WRITES[system]!
    for (const [name, mistake] of Object.entries(MISTAKES)) {
      const kept = held(writes.spec, careless(writes, mistake, false))
      await expect(kept, name).rejects.toMatchObject({
        code: 'unparsable',
        message: expect.stringMatching(/did not get its tool calls .* right in \d+ rounds/),
      })
    }
  })
})
