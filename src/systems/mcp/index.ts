import { z } from 'zod'
import { messageOf, UserError, unknownName } from '../../base/errors.js'
import { fingerprint } from '../../base/hash.js'
import { commandWords, type OutsideSpec, settingsIn } from '../../base/outside-spec.js'
import { removeTemporary, temporaryFolder } from '../../base/temporary.js'
import type { SystemDefinition } from '../../model/index.js'
import { numberOption, optionTable, readOptions } from '../options.js'
import { processEnvironment } from '../outside/environment.js'
import { headerValues } from '../outside/secrets.js'
import { askerOf, readPromptFile } from '../parts/index.js'
import { loadSdk } from './client.js'
import { drivenMemory, readingTools } from './driven.js'
import { mappedMemory } from './mapped.js'
import { fill, type Mapping, NO_MAPPING, passesTime, presetOf, readMapping, requireTools } from './mapping.js'
import { PROMPTS } from './prompts.js'
import { drivenRehearsal } from './rehearsal.js'
import { type McpServer, openServer, type ServerPlace } from './server.js'

const OPTIONS = ['driven', 'map', 'rounds', 'temperature', 'prompts']

/** Bumped whenever results may change. */
const VERSION = 1

/**
 * Makes a system of an MCP server: a command that starts one for every life, or the address of one. Its tools are called as a mapping says, or by
 * a model. The server is opened once to read what it is.
 *
 * @param timeoutMs longest that this may take, request by request
 * @example await loadMcp(readOutsideSpec('mcp[driven]:npx -y @modelcontextprotocol/server-memory@2026.8.31')!, process.cwd(), 120_000)
 */
export async function loadMcp(spec: OutsideSpec, cwd: string, timeoutMs: number): Promise<SystemDefinition> {
  const { name, target } = spec
  const { own: options, env: names, headers } = settingsIn(spec)
  for (const option of Object.keys(options))
    if (!OPTIONS.includes(option)) throw unknownName('option of mcp', option, OPTIONS)
  const way = options.driven === undefined || options.driven === 'off' ? 'mapped' : 'driven'
  const sdk = await loadSdk(cwd)
  const own = options.map === undefined ? undefined : readMapping(options.map, cwd)
  const placeOf = ({ env }: Mapping, workdir: string, namespace: string): ServerPlace =>
    /^https?:/.test(target)
      ? { url: new URL(target), headers: headerValues(headers) }
      : {
          words: commandWords(target),
          cwd,
          env: processEnvironment(names, fill(env, { workdir, namespace })),
          passed: names.flatMap((one) => process.env[one] ?? []),
        }
  const server = await looked(target, (workdir) =>
    openServer(sdk, placeOf(own ?? NO_MAPPING, workdir, 'look'), new AbortController().signal, timeoutMs),
  )
  const mapping = own ?? presetOf(server.name, way) ?? NO_MAPPING
  requireTools(mapping, server.tools)
  if (way === 'mapped' && !(mapping.find && mapping.store.length > 0)) throw unmapped(server, own !== undefined)
  if (way === 'driven' && readingTools(server.tools, mapping).length === 0) throw unread(server)
  const prompts = options.prompts === undefined ? null : readPromptFile(options.prompts, PROMPTS, cwd)
  const called = name ?? `${server.name.replace(/[^\w.-]+/g, '-')}${way === 'driven' ? '-driven' : ''}`
  const loop = z.object({
    rounds: numberOption(options.rounds ?? '12', 'calls of the model in a loop, at most', {
      min: 1,
      max: 50,
      whole: true,
    }),
    temperature: numberOption(options.temperature ?? '0', 'of the model', { min: 0, max: 2 }),
  })
  const base = {
    name: called,
    version: versionOf(server, target, mapping, prompts?.print),
    class: 'processed' as const,
    needs: {},
    atomic: way === 'mapped' && mapping.atomic,
    idempotent: way === 'mapped' && mapping.idempotent,
    remarks: passesTime(mapping) && way === 'mapped' ? [] : ['does not go by scenario time'],
  }
  if (way === 'mapped') {
    return {
      ...base,
      about: `The MCP server ${server.name}, its tools called as a mapping says.`,
      create: async ({ workdir, namespace, signal }) =>
        mappedMemory(await openServer(sdk, placeOf(mapping, workdir, namespace), signal), mapping, namespace),
    }
  }
  return {
    ...base,
    about: `The MCP server ${server.name}, its tools called by a model.`,
    needs: { llm: true },
    cost: { store: '2 to 12 a conversation', retrieve: '2 to 12' },
    prompts: PROMPTS,
    rehearsal: drivenRehearsal,
    options: optionTable(loop),
    create: async (context, given) => {
      const { workdir, namespace, signal } = context
      const model = askerOf({ ...prompts, ...context }, called, PROMPTS)
      const parts = { name: called, model, ...readOptions(loop, given) }
      const opened = await openServer(sdk, placeOf(mapping, workdir, namespace), signal)
      return drivenMemory(opened, mapping, namespace, parts)
    },
  }
}

/** What a server says of itself; it is closed again. */
async function looked(target: string, open: (workdir: string) => Promise<McpServer>): Promise<McpServer> {
  const workdir = temporaryFolder('mcp')
  try {
    const server = await open(workdir)
    await server.close()
    return server
  } catch (error) {
    if (error instanceof UserError) throw error
    throw new UserError(`The MCP server "${target}" cannot be opened: ${messageOf(error)}`, 'Start it by hand to see.')
  } finally {
    removeTemporary(workdir)
  }
}

/** A package that is named with its version, a changed tool or another mapping is another subject. */
function versionOf(server: McpServer, target: string, mapping: Mapping, prompts: string | undefined): string {
  const packages = /^https?:/.test(target)
    ? []
    : commandWords(target).filter((word) => /^@?[\w./-]+@\d[\w.-]*$/.test(word))
  const tools = server.tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))
  return [
    VERSION,
    `${server.name} ${server.version}`,
    ...packages,
    `${tools.length} tools ${fingerprint(tools).slice(0, 8)}`,
    `mapping ${fingerprint(mapping).slice(0, 8)}`,
    ...(prompts === undefined ? [] : [prompts]),
  ].join(', ')
}

function unmapped({ name, tools }: McpServer, given: boolean): UserError {
  const known = tools.map((tool) => tool.name).join(', ')
  return new UserError(
    given
      ? 'The mapping does not say how to store and how to find.'
      : `Nothing is known of the MCP server "${name}" (${known}).`,
    'Say which tools store and find with mcp[map=./mapping.json]:… (see docs/mcp.md), or let a model call them with mcp[driven]:…',
  )
}

function unread({ name }: McpServer): UserError {
  return new UserError(
    `No tool of the MCP server "${name}" says that it only reads.`,
    'Name those that do with mcp[driven,map=./mapping.json]:… and {"reads": ["…"]}.',
  )
}
