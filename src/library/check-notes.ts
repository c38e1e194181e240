import type { SystemDefinition } from '../model/index.js'

/** How long calls of one method took, in milliseconds. */
export interface CallTimes {
  method: string
  n: number
  median: number
  longest: number
}

const METHODS = ['dump', 'settle', 'insert', 'snapshot'] as const

/** Watches memories of a definition while they are checked. */
export function watchedDefinition(definition: SystemDefinition): {
  definition: SystemDefinition
  /** The methods that its memories have. */
  methods: ReadonlySet<string>
  times(): CallTimes[]
} {
  const took = new Map<string, number[]>()
  const methods = new Set<string>()
  const timed = async <T>(method: string, work: () => Promise<T>): Promise<T> => {
    const since = performance.now()
    try {
      return await work()
    } finally {
      took.set(method, [...(took.get(method) ?? []), performance.now() - since])
    }
  }
  const create: SystemDefinition['create'] = async (context, options) => {
    const system = await timed('create', async () => definition.create(context, options))
    for (const name of METHODS) if (typeof system?.[name] === 'function') methods.add(name)
    return new Proxy(system, {
      get(target, name) {
        const method: unknown = Reflect.get(target, name)
        if (typeof method !== 'function' || typeof name !== 'string') return method
        return (...given: unknown[]) => timed(name, async () => Reflect.apply(method, target, given))
      },
    })
  }
  return {
    definition: { ...definition, create },
    methods,
    times: () =>
      [...took].map(([method, all]) => {
        const sorted = all.sort((a, b) => a - b)
        return { method, n: all.length, median: sorted[Math.floor(all.length / 2)]!, longest: sorted.at(-1)! }
      }),
  }
}

/** What a memory does without, and what comes of it. */
export function lacksOf({ atomic, idempotent, remarks = [] }: SystemDefinition, has: ReadonlySet<string>): string[] {
  const lacks: [isThere: boolean | undefined, words: string][] = [
    [
      has.has('dump'),
      'No dump: where a fact was lost before retrieval cannot be told; evidence is judged on what is retrieved.',
    ],
    [has.has('settle'), 'No settle: it is asked as soon as a conversation is stored.'],
    [has.has('snapshot'), 'No snapshot and restore: retrieve must leave the memory as it is.'],
    [has.has('insert'), 'No insert: what explain says of lost facts is less exact.'],
    [atomic, 'Not declared atomic: when a conversation cannot be stored, its life begins again, once.'],
    [idempotent, 'Not declared idempotent: a store that failed is not tried again.'],
  ]
  return [
    ...lacks.flatMap(([isThere, words]) => (isThere ? [] : [words])),
    ...remarks.map((one) => `Its rows will say: ${one}.`),
  ]
}
