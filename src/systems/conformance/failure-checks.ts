import { type Embedder, type Llm, LlmError, type SystemDefinition } from '../../model/index.js'
import { CONVERSATIONS, LONG_CONVERSATION } from './fixtures.js'
import { assertSame } from './same.js'
import { type CheckSubject, filled, modelBefore, SETTLE_MS, type SystemCheck, stateOf, storeAll } from './subject.js'

const LIFE = [...CONVERSATIONS, LONG_CONVERSATION]

/** What a memory promises about work that is broken off, and about work that is done twice. It promises what it declares. */
export const failureChecks = {
  atomic: {
    title: 'keeps all of a conversation or nothing, whichever call fails while it is stored',
    unless: undeclared('atomic'),
    run: async (subject) => {
      const { system, whole, faults } = await twins(subject)
      for (const conversation of LIFE) {
        const before = await stateOf(system)
        await untilDone(
          faults,
          () => system.store(structuredClone(conversation)),
          async (failed) => {
            const after = await stateOf(system)
            assertSame(after, before, `${failed} failed while "${conversation.id}" was stored, and left a change`)
          },
        )
        await storeAll(whole, [conversation])
        const message = `"${conversation.id}" was stored after failures, and is not kept as it would be without them`
        assertSame(await stateOf(system), await stateOf(whole), message)
      }
    },
  },
  'settles-again': {
    title: 'loses nothing when a call fails in its background work',
    unless: undeclared('atomic'),
    run: async (subject) => {
      const { system, whole, faults } = await twins(subject)
      for (const conversation of LIFE) {
        await system.store(structuredClone(conversation))
        await untilDone(faults, async () => system.settle?.(SETTLE_MS))
        await storeAll(whole, [conversation])
        const message = `"${conversation.id}" was stored, settling failed, and what is held is not what it would be otherwise`
        assertSame(await stateOf(system), await stateOf(whole), message)
      }
    },
  },
  idempotent: {
    title: 'stays as it is when a conversation is stored again',
    unless: undeclared('idempotent'),
    run: async ({ create }) => {
      const system = await filled(create)
      const before = await stateOf(system)
      for (const conversation of CONVERSATIONS) {
        await storeAll(system, [conversation])
        assertSame(await stateOf(system), before, `"${conversation.id}" was stored again, and left a change`)
      }
    },
  },
} as const satisfies Record<string, SystemCheck>

function undeclared(property: 'atomic' | 'idempotent') {
  return (definition: SystemDefinition) => (definition[property] ? null : `It does not declare \`${property}\`.`)
}

/** An instance whose calls can be made to fail, and one that lives the same life without failures. */
async function twins({ create, llm, embed }: CheckSubject) {
  const faults = new Faults()
  const system = await create({ embed: faults.inEmbedder(embed), ...(llm && { llm: faults.inModel(llm) }) })
  return { system, whole: await create(), faults }
}

/** Does something over and over, failing at its first call, then at its second, and so on, until it makes no call that is left to fail. */
async function untilDone(
  faults: Faults,
  work: () => Promise<void>,
  check: (failed: string) => Promise<void> = async () => {},
): Promise<void> {
  for (let at = 1; ; at++) {
    faults.failAt(at)
    const error = await work().then(
      () => null,
      (thrown: unknown) => thrown,
    )
    // Calls that were made beside the one that failed may still come back, and must not leave anything.
    await new Promise((resume) => setImmediate(resume))
    const { failed } = faults
    faults.failAt(null)
    if (error === null) return
    if (failed === null) throw error
    await check(failed)
  }
}

/** Makes one call fail, of a model or an embedder. */
class Faults {
  #left: number | null = null
  /** The call that failed, in words. */
  failed: string | null = null

  /** Lets the call of this number fail, counted from now on; null: none. */
  failAt(number: number | null): void {
    this.#left = number
    this.failed = null
  }

  inModel(llm: Llm): Llm {
    return modelBefore(llm, ({ label = '' }) => this.#count(`The model call "${label}"`))
  }

  inEmbedder(embed: Embedder): Embedder {
    return {
      id: embed.id,
      dimensions: embed.dimensions,
      embed: async (texts) => {
        this.#count(`The embedding of ${texts.length} texts`)
        return embed.embed(texts)
      },
    }
  }

  #count(call: string): void {
    if (this.#left === null || --this.#left > 0) return
    this.#left = null
    this.failed = call
    throw new LlmError('unparsable', `${call} gave nothing that can be used.`, '')
  }
}
