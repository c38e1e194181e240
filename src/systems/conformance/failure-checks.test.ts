import { describe, expect, it } from 'vitest'
import { systems as builtin, loadAll } from '../../builtins.js'
import { defineSystem, type Memory, type MemorySystem, type SystemDefinition } from '../../model/index.js'
import { checkSystem, runCheck, type SystemCheckResult } from './run.js'

const systems = await loadAll(builtin)

/** Systems whose `store` is not atomic yet. */
const NOT_YET: readonly string[] = []

describe('built-in systems', () => {
  it('declare that they store all of a conversation or nothing', () => {
    expect(systems.filter(({ atomic }) => !atomic).map(({ name }) => name)).toEqual(NOT_YET)
  })

  // Those that are packages of others are checked beside them, where the package is installed.
  for (const definition of systems.filter(({ atomic, needs }) => atomic && !needs?.packages)) {
    const variants = Object.entries({ '': { options: {} }, ...definition.variants })
    for (const [variant, { options }] of variants) {
      const name = [definition.name, ...(variant ? [variant] : [])].join(':')
      it(`${name} keeps it, whichever call fails`, async () => {
        for (const check of ['atomic', 'settles-again'] as const) await runCheck(check, { name, definition, options })
      })
    }
  }
})

interface Parts {
  held: Memory[]
  rewrite(text: string): Promise<string>
  embed(text: string): Promise<unknown>
}

/** A system that declares everything, and keeps what a model makes of every turn. */
function declared(store: (parts: Parts) => Partial<MemorySystem> & Pick<MemorySystem, 'store'>): SystemDefinition {
  return defineSystem({
    name: 'sample',
    version: '1',
    class: 'processed',
    about: '',
    atomic: true,
    idempotent: true,
    needs: { llm: true, embed: true },
    rehearsal: ({ prompt }) => ({ text: prompt.toUpperCase() }),
    create: ({ llm, embed }) => {
      const held: Memory[] = []
      const rewrite = async (content: string) => {
        const request = { messages: [{ role: 'user' as const, content }] }
        return (await llm!.generate(request, { role: 'ingest', label: 'sample/rewrite' })).text
      }
      return {
        ...store({ held, rewrite, embed: (text) => embed.embed([text]) }),
        retrieve: async (_query, k) => held.slice(0, k),
        dump: async () => held.slice(),
      }
    },
  })
}

const good = declared(({ held, rewrite, embed }) => ({
  store: async ({ id, turns }) => {
    const added: Memory[] = []
    for (const [i, { text }] of turns.entries()) {
      added.push({ id: `${id}#${i}`, text: await rewrite(text) })
      await embed(text)
    }
    for (const memory of added) if (!held.some((known) => known.id === memory.id)) held.push(memory)
  },
}))

async function results(definition: SystemDefinition): Promise<Record<string, SystemCheckResult>> {
  const all = await checkSystem({ name: 'sample', definition })
  return Object.fromEntries(all.map((result) => [result.check, result]))
}

describe('checks of failures', () => {
  it('pass a system that keeps what it declares', async () => {
    const failed = Object.values(await results(good)).filter(({ status }) => status === 'failed')
    expect(failed).toEqual([])
  })

  it('are not made of a system that declares nothing', async () => {
    const { atomic, idempotent } = await results({ ...good, atomic: false, idempotent: false })
    expect(atomic).toMatchObject({ status: 'skipped', reason: 'It does not declare `atomic`.' })
    expect(idempotent).toMatchObject({ status: 'skipped', reason: 'It does not declare `idempotent`.' })
  })

  it('catch what is kept of a conversation before a model call fails', async () => {
    const { atomic } = await results(
      declared(({ held, rewrite }) => ({
        store: async ({ id, turns }) => {
          for (const [i, { text }] of turns.entries()) held.push({ id: `${id}#${i}`, text: await rewrite(text) })
        },
      })),
    )
    expect(atomic).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('"sample/rewrite" failed while "monday" was stored, and left a change'),
    })
  })

  it('catch what is kept before an embedding fails', async () => {
    const { atomic } = await results(
      declared(({ held, embed }) => ({
        store: async ({ id, turns }) => {
          held.push({ id, text: turns[0]?.text ?? '' })
          await embed(id)
        },
      })),
    )
    expect(atomic?.reason).toContain('The embedding of 1 texts failed while "monday" was stored, and left a change')
  })

  it('catch a failure that shows only later: a number that was used up', async () => {
    let number = 0
    const { atomic } = await results(
      declared(({ held, rewrite }) => {
        number = 0
        return {
          store: async ({ turns }) => {
            const id = `m${++number}`
            held.push({ id, text: await rewrite(turns[0]?.text ?? '') })
          },
        }
      }),
    )
    expect(atomic?.reason).toContain('"monday" was stored after failures')
  })

  it('catch what is written by a call that comes back after another failed', async () => {
    const { atomic } = await results(
      declared(({ held, rewrite }) => ({
        store: async ({ id, turns }) => {
          const one = async (text: string, i: number) => {
            const said = await rewrite(text)
            held.push({ id: `${id}#${i}`, text: said })
          }
          await Promise.all(turns.map(({ text }, i) => one(text, i)))
        },
      })),
    )
    expect(atomic?.reason).toContain('and left a change')
  })

  it('catch background work that forgets what it failed at', async () => {
    const waiting: Memory[][] = []
    const found = await results(
      declared(({ held, rewrite }) => {
        const queue: Memory[] = []
        waiting.push(queue)
        return {
          store: async ({ id, turns }) => void queue.push({ id, text: turns[0]?.text ?? '' }),
          settle: async () => {
            for (const memory of queue.splice(0)) held.push({ ...memory, text: await rewrite(memory.text) })
          },
        }
      }),
    )
    expect(found.atomic?.status).toBe('passed')
    expect(found['settles-again']).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('settling failed'),
    })
  })

  it('catch a conversation that is kept twice', async () => {
    const { idempotent } = await results(
      declared(({ held }) => ({
        store: async ({ id, turns }) => void held.push({ id: `${id}@${held.length}`, text: turns[0]?.text ?? '' }),
      })),
    )
    expect(idempotent?.reason).toContain('"monday" was stored again, and left a change')
  })
})
