import { expect, it } from 'vitest'
import { DOMAINS, readGraph } from '../src/suites/meme/graph.js'
import { CONFLICTS, filterPlanted } from '../tools/making/fillers.js'

/** A graph with those entities alone that are spoken of, and few of their values. */
function cut(domain: (typeof DOMAINS)[number]) {
  const facts = CONFLICTS.filter((one) => one.domain === domain).map(({ fact }) => fact)
  const { data } = readGraph(domain)
  const entities = data.entities.flatMap((entity) => {
    const isMeant = ({ text }: { text: string }) => facts.includes(entity.facts[0]!.replace('{value}', text))
    const meant = entity.values.filter(isMeant)
    return meant.length === 0 ? [] : { ...entity, values: [...meant, ...entity.values.slice(0, 1)] }
  })
  return { data: { ...data, entities } }
}

it.each(DOMAINS)('fillers of %s that conflict with a gold sentence are blocked, and no others', async (domain) => {
  const { planted, clean, left, asked, funnel } = await filterPlanted(domain, { clean: 21, graph: cut(domain) })
  expect(planted).toHaveLength(9)
  // Ten of thirty are brought up for a fact: those that conflict with it are among them.
  for (const { id, fact } of planted) expect(asked.get(id)).toContain(fact)
  expect(planted.filter(({ id }) => left.has(id))).toEqual([])
  expect(clean.filter((id) => !left.has(id))).toEqual([])
  const { stages, figures } = funnel.report()
  const dropped = stages.find(({ stage }) => stage === 'fillers')!.dropped
  expect(dropped).toEqual({ contradiction: 3, alternative: 3, confusion: 3 })
  const { blocked } = figures!.fillers as { blocked: { id: string; conflict: string; fact: string }[] }
  const wanted = planted.map(({ id, type }) => `${id} ${type}`).sort()
  expect(blocked.map(({ id, conflict }) => `${id} ${conflict}`)).toEqual(wanted)
})
