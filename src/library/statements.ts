import { UserError } from '../base/errors.js'
import { removeTemporary, temporaryFolder } from '../base/temporary.js'
import type { LocalEmbedder } from '../gateway/embed/index.js'
import type { LocalEntailment } from '../gateway/entailment/index.js'
import { createLexicalJudge } from '../judges/lexical/index.js'
import { CallWatch, type Fact, hasModelInside, type Memory, type MemorySystem } from '../model/index.js'
import { requirePackages, resolveSystem } from '../systems/registry.js'
import { type Home, homeAt, openEmbedder, openEntailment } from './compose.js'
import { Parts } from './own-parts.js'
import type { OpenMemoryOptions, StatementVerdict } from './own-types.js'
import { systemMsFrom } from './settings/values.js'

/** Whether memories keep what statements say, by the keyless judge. */
export async function judgeStatements(
  statements: readonly string[],
  memories: readonly Memory[],
  { home }: { home?: string } = {},
): Promise<StatementVerdict[]> {
  const { models, leave } = await sharedModels(home)
  try {
    const facts = statements.map(
      (text, i): Fact => ({
        id: `statement-${i + 1}`,
        text,
        sources: [],
        cues: { kind: 'statement', parts: [], explicit: false },
      }),
    )
    const verdicts = await createLexicalJudge(models).judgeFacts(facts, memories)
    return verdicts.map(({ label, uncertain, reason, support }, i) => {
      const ids = new Set(support.flat())
      return { statement: statements[i]!, label, uncertain, reason, memories: memories.filter(({ id }) => ids.has(id)) }
    })
  } finally {
    leave()
  }
}

/** Milliseconds for which models wait for their next use: starting them takes longer than most uses. */
const IDLE_MS = 2_000

interface LocalModels {
  embed: LocalEmbedder
  entail: LocalEntailment
}

interface SharedModels {
  opened: Promise<LocalModels>
  users: number
  closing?: NodeJS.Timeout
}

const held = new Map<string, SharedModels>()

/** What judges read with in a home, the same for all who use it at a time or soon after one another. */
async function sharedModels(home = ''): Promise<{ models: LocalModels; leave(): void }> {
  const shared: SharedModels = held.get(home) ?? { opened: openModels(homeAt(home || undefined)), users: 0 }
  held.set(home, shared)
  clearTimeout(shared.closing)
  shared.users++
  const close = async () => {
    held.delete(home)
    const { embed, entail } = await shared.opened
    await Promise.all([embed.close(), entail.close()])
  }
  return {
    models: await shared.opened,
    leave: () => {
      if (--shared.users === 0) shared.closing = setTimeout(() => void close(), IDLE_MS)
    },
  }
}

async function openModels(home: Home): Promise<LocalModels> {
  return { embed: await openEmbedder('minilm', home), entail: openEntailment('minilm', home)! }
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
  const { models, leave } = await sharedModels(asked.home)
  const workdir = temporaryFolder('memory')
  const watch = new CallWatch(systemMs, new AbortController().signal)
  let now = asked.time ?? new Date().toISOString()
  const clean = async () => {
    leave()
    removeTemporary(workdir)
  }
  try {
    const { signal } = watch
    const context = {
      embed: models.embed,
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
