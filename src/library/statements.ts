import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UserError } from '../base/errors.js'
import { createLexicalJudge } from '../judges/lexical/index.js'
import { CallWatch, type Fact, hasModelInside, type Memory, type MemorySystem } from '../model/index.js'
import { requirePackages, resolveSystem } from '../systems/registry.js'
import { homeAt, openEmbedder } from './compose.js'
import { Parts } from './parts.js'
import { systemMsFrom } from './request.js'
import type { OpenMemoryOptions, StatementVerdict } from './types.js'

/** Whether memories keep what statements say, by the keyless judge. */
export async function judgeStatements(
  statements: readonly string[],
  memories: readonly Memory[],
  { home }: { home?: string } = {},
): Promise<StatementVerdict[]> {
  const embed = await openEmbedder('minilm', homeAt(home))
  try {
    const facts = statements.map(
      (text, i): Fact => ({
        id: `statement-${i + 1}`,
        text,
        sources: [],
        cues: { kind: 'statement', parts: [], explicit: false },
      }),
    )
    const verdicts = await createLexicalJudge({ embed }).judgeFacts(facts, memories)
    return verdicts.map(({ label, uncertain, reason, support }, i) => {
      const ids = new Set(support.flat())
      return { statement: statements[i]!, label, uncertain, reason, memories: memories.filter(({ id }) => ids.has(id)) }
    })
  } finally {
    await embed.close()
  }
}

/** Opens one memory of a system, as a run would, for tests of one's own. */
export async function openMemory(asked: OpenMemoryOptions): Promise<MemorySystem> {
  const parts = new Parts()
  const spec = parts.name(asked.system)
  const systemMs = systemMsFrom(asked)
  const { definition, options, label } = await resolveSystem(spec, process.cwd(), systemMs, parts.systems)
  requirePackages(definition, process.cwd())
  if (definition.needs?.gold || (await hasModelInside(definition, options)))
    throw new UserError(`${label} needs a model, or what only a run knows.`, 'Measure it with run().')
  const embed = await openEmbedder('minilm', homeAt(asked.home))
  const workdir = await mkdtemp(join(tmpdir(), 'memscope-memory-'))
  const watch = new CallWatch(systemMs, new AbortController().signal)
  let now = asked.time ?? new Date().toISOString()
  const clean = async () => {
    await embed.close()
    await rm(workdir, { recursive: true, force: true })
  }
  try {
    const { signal } = watch
    const context = {
      embed,
      workdir,
      namespace: `memory-${process.pid}-${++opened}`,
      now: () => now,
      signal,
      log: () => {},
    }
    const memory = watch.system(await watch.call('create', async () => definition.create(context, options)))
    return {
      ...memory,
      store: (conversation) => {
        now = conversation.time
        return memory.store(conversation)
      },
      close: async () => {
        await memory.close?.()
        await clean()
      },
    }
  } catch (error) {
    await clean()
    throw error
  }
}

let opened = 0
