import { entryOf } from '../../base/group-by.js'
import { fingerprint } from '../../base/hash.js'
import { type Memory, type SystemDefinition, UnseenError } from '../../model/index.js'
import type { BroughtMemory, BroughtTraces } from './read.js'

/** A moment of a scenario, by how many conversations were stored: what a memory holds depends on nothing else. */
export function momentIdOf(scenario: string, stored: number): string {
  return `${scenario}-${stored}`
}

/** A system that was run elsewhere: gives what was brought of it. A question without a trace fails; a moment without a dump is not seen. */
export function tracesSystem(traces: BroughtTraces, remarks: readonly string[]): SystemDefinition {
  const { header, questions, dumps, content } = traces
  const { version, depth } = header
  const stores = new Map<string, BroughtStore>()
  const storeAt = (moment: string) => entryOf(stores, moment, () => broughtStore(dumps.get(moment)?.memories ?? []))
  const traceOf = (query: string) => {
    const trace = questions.get(query)
    if (!trace) throw new Error('no trace of it was brought')
    return trace
  }
  return {
    name: header.system,
    version: version == null ? content : `${version}+${content}`,
    class: 'processed',
    about: 'run elsewhere',
    playback: true,
    answers: bringsAnswers(traces),
    atomic: true,
    remarks,
    ...(depth && { depth }),
    create({ scenario = '' }) {
      let stored = 0
      const moment = () => momentIdOf(scenario, stored)
      const dump = async () => {
        if (!dumps.has(moment())) throw new UnseenError('no dump was brought of this moment')
        return storeAt(moment()).held
      }
      return {
        async store() {
          stored++
        },
        retrieve: async ({ id }, k) => storeAt(moment()).linked(traceOf(id).memories.slice(0, k)),
        async answer({ id }) {
          const { answer } = traceOf(id)
          if (answer === undefined) throw new Error('no answer to it was brought')
          return { text: answer }
        },
        ...(dumps.size > 0 && { dump }),
      }
    },
  }
}

/** Whether it answered by itself. */
export function bringsAnswers({ questions }: BroughtTraces): boolean {
  return [...questions.values()].some(({ answer }) => answer !== undefined)
}

/** A store as it was brought, and what links retrieved memories with it. */
interface BroughtStore {
  held: Memory[]
  linked(found: readonly BroughtMemory[]): Memory[]
}

/** Retrieved memories are those of the store that have the same id and text, else the same text; others stand for themselves. */
function broughtStore(memories: readonly BroughtMemory[]): BroughtStore {
  const named = new Set(memories.flatMap(({ id }) => id ?? []))
  const fresh = freshIds((id) => named.has(id))
  const held = new Map<string, Memory>()
  const sameText = new Map<string, string[]>()
  for (const memory of memories) {
    const id = memory.id ?? fresh(memory.text)
    if (held.has(id)) continue
    held.set(id, { ...memory, id })
    entryOf(sameText, memory.text, () => []).push(id)
  }
  return {
    held: [...held.values()],
    linked(found) {
      const taken = new Set<string>()
      const rest = new Map<string, number>()
      const freshHere = freshIds((id) => held.has(id) || taken.has(id))
      const idOf = ({ id = '', text }: BroughtMemory): string => {
        const isHeld = held.get(id)?.text === text
        const isOther = id !== '' && !held.has(id) && !sameText.has(text)
        if ((isHeld || isOther) && !taken.has(id)) return id
        const same = sameText.get(text) ?? []
        let at = rest.get(text) ?? 0
        while (at < same.length && taken.has(same[at]!)) at++
        rest.set(text, at)
        return same[at] ?? freshHere(text)
      }
      return found.map((memory) => {
        const id = idOf(memory)
        taken.add(id)
        return { ...memory, id }
      })
    },
  }
}

/** Makes ids for texts that have none. */
function freshIds(isTaken: (id: string) => boolean): (text: string) => string {
  const made = new Map<string, number>()
  return (text) => {
    const base = `text:${fingerprint(text)}`
    for (let n = made.get(base) ?? 1; ; n++) {
      const id = n === 1 ? base : `${base}~${n}`
      made.set(base, n + 1)
      if (!isTaken(id)) return id
    }
  }
}
