import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UserError } from '../base/errors.js'
import type { LocalEmbedder } from '../gateway/embed/index.js'
import { createLexicalJudge } from '../judges/lexical/index.js'
import { CallWatch, type Fact, hasModelInside, type Memory, type MemorySystem } from '../model/index.js'
import { requirePackages, resolveSystem } from '../systems/registry.js'
import { homeAt, openEmbedder } from './compose.js'
import type { OpenMemoryOptions, StatementVerdict } from './own-types.js'
import { Parts } from './parts.js'
import { systemMsFrom } from './request.js'

/** Whether memories keep what statements say, by the keyless judge. */
export async function judgeStatements(
  statements: readonly string[],
  memories: readonly Memory[],
  { home }: { home?: string } = {},
): Promise<StatementVerdict[]> {
  const { embed, leave } = await sharedEmbedder(home)
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
    leave()
  }
}

/** Milliseconds for which an embedder waits for its next use: starting one takes longer than most uses. */
const IDLE_MS = 2_000

interface SharedEmbedder {
  opened: Promise<LocalEmbedder>
  users: number
  closing?: NodeJS.Timeout
}

const embedders = new Map<string, SharedEmbedder>()

/** The embedder of a home, the same for all who use it at a time or soon after one another. */
async function sharedEmbedder(home = ''): Promise<{ embed: LocalEmbedder; leave(): void }> {
  const shared: SharedEmbedder = embedders.get(home) ?? {
    opened: openEmbedder('minilm', homeAt(home || undefined)),
    users: 0,
  }
  embedders.set(home, shared)
  clearTimeout(shared.closing)
  shared.users++
  const close = async () => {
    embedders.delete(home)
    await (await shared.opened).close()
  }
  return {
    embed: await shared.opened,
    leave: () => {
      if (--shared.users === 0) shared.closing = setTimeout(() => void close(), IDLE_MS)
    },
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
  const { embed, leave } = await sharedEmbedder(asked.home)
  const workdir = await mkdtemp(join(tmpdir(), 'memscope-memory-'))
  const watch = new CallWatch(systemMs, new AbortController().signal)
  let now = asked.time ?? new Date().toISOString()
  const clean = async () => {
    leave()
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
