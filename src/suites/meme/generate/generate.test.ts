import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { fold } from '../../../base/text.js'
import { compileEpisode } from '../compile.js'
import { BEFORE, type Episode, PAPER_TASKS } from '../episode.js'
import { conflicts, fillerPool } from '../filler/index.js'
import { DOMAINS, type Domain, readGraph } from '../graph.js'
import { standsIn } from '../validate-text.js'
import { check } from './check.js'
import { makeEpisode } from './index.js'

const MANY = 300
const DIALOGUE = new URL('../../../corpora/meme/dialogue.json', import.meta.url)

/** Sentences by which an assistant may answer anything. */
function phraseTexts(node: unknown = JSON.parse(readFileSync(DIALOGUE, 'utf8'))): string[] {
  if (typeof node === 'string') return [node]
  return node !== null && typeof node === 'object' ? Object.values(node).flatMap((each) => phraseTexts(each)) : []
}

const make = (domain: Domain, index: number, seed = 42): Episode =>
  makeEpisode({ domain, seed, index, filler: 0, fillerName: 'none' })
const counts = (keys: readonly string[]): Map<string, number> => {
  const found = new Map<string, number>()
  for (const key of keys) found.set(key, (found.get(key) ?? 0) + 1)
  return found
}
const spread = (keys: readonly string[]): number => {
  const all = [...counts(keys).values()]
  return Math.max(...all) - Math.min(...all)
}

describe.each(DOMAINS)('generated episodes of %s', (domain) => {
  const episodes = Array.from({ length: MANY }, (_, index) => make(domain, index))
  const asked = episodes.flatMap(({ questions }) => questions)
  const valuesOf = (task: string) => asked.filter((question) => question.task === task)

  it('are the same for the same seed, to the byte, and others for another', () => {
    const bytes = (episode: Episode) => JSON.stringify(compileEpisode(episode))
    expect(bytes(make(domain, 7))).toBe(bytes(episodes[7]!))
    expect(bytes(make(domain, 7, 43))).not.toBe(bytes(episodes[7]!))
    expect(new Set(episodes.map(bytes)).size).toBe(MANY)
  })

  it('are sound: every gold follows from what is said, in one way only, and no value is taken for another', () => {
    const problems = episodes.flatMap((episode) => check(episode).map(({ why }) => `${episode.id}: ${why}`))
    expect(problems).toEqual([])
  })

  it('let every root change, every triple be asked for and every exact string be given equally often', () => {
    const graph = readGraph(domain)
    const triples = valuesOf('aggregation').map(({ entities }) => entities.join(' '))
    const strings = valuesOf('exact-recall').map(({ values }) => values[0]!)
    expect(counts(episodes.map(({ root }) => root.entity)).size).toBe(5)
    expect(spread(episodes.map(({ root }) => root.entity))).toBe(0)
    expect(counts(triples).size).toBe(graph.data.triples.length)
    expect(spread(triples)).toBeLessThanOrEqual(3)
    expect(counts(strings).size).toBeGreaterThanOrEqual(50)
    expect(spread(strings)).toBeLessThanOrEqual(1)
  })

  it('have all tasks of the paper, and all controls over a few episodes', () => {
    for (const { id, questions } of episodes) {
      const tasks = new Set(questions.map(({ task }) => task))
      expect([id, PAPER_TASKS.filter((task) => !tasks.has(task))]).toEqual([id, []])
    }
    const all = counts(asked.map(({ task }) => task))
    const controls = [...all.keys()].filter((task) => task !== BEFORE && !PAPER_TASKS.some((one) => one === task))
    expect(controls).toHaveLength(5)
    for (const task of controls) expect([task, all.get(task)! >= MANY / 2]).toEqual([task, true])
    for (const task of ['cascade', 'absence']) expect(valuesOf(task).some(({ hop }) => hop === 2)).toBe(true)
  })

  it('delete orphans only, and do not give series in the order of the pool', () => {
    const graph = readGraph(domain)
    for (const { entities } of valuesOf('deletion')) expect(graph.entity(entities[0]!).role).toBe('orphan')
    const inOrder = valuesOf('tracking').filter(({ entities, values }) => {
      const pool = graph.entity(entities[0]!).values.map(({ text }) => text)
      const places = values.map((value) => pool.indexOf(value))
      return places[0]! < places[1]! && places[1]! < places[2]!
    })
    // One order of six.
    expect(inOrder.length / MANY).toBeGreaterThan(0.08)
    expect(inOrder.length / MANY).toBeLessThan(0.27)
  })

  it('pair every question about one value with one before the change', () => {
    for (const { questions } of episodes) {
      const before = new Set(questions.filter(({ probe }) => probe === 'before').map(({ id }) => id))
      for (const { task, probe, pair } of questions)
        if (probe === 'after' && task !== 'aggregation' && task !== 'tracking') expect(before.has(pair!)).toBe(true)
    }
  })

  it('never let an assistant phrase carry a value', () => {
    const phrases = phraseTexts().map(fold)
    const values = readGraph(domain).data.entities.flatMap((entity) => entity.values.map(({ text }) => fold(text)))
    const said = values.filter((value) => phrases.some((phrase) => phrase.includes(value) && standsIn(value, phrase)))
    expect(said).toEqual([])
  })

  it('take fillers that say none of their values, in rising time', () => {
    const all = fillerPool(domain)
    const pool = { size: 80, at: (index: number) => all.at(index) }
    const episode = makeEpisode({ domain, seed: 42, index: 0, filler: 32_000, fillerName: '32k', pool })
    const values = episode.statements.flatMap(({ entity, value }) => episode.formsOf(entity, value))
    const fillers = episode.sessions.filter(({ evidence }) => !evidence)
    expect(fillers.length).toBeGreaterThan(5)
    expect(fillers.flatMap(({ turns }) => conflicts(turns, values))).toEqual([])
    expect(check(episode)).toEqual([])
    expect(episode.questions.map(({ values: gold }) => gold)).toEqual(
      episodes[0]!.questions.map(({ values: gold }) => gold),
    )
  })
})
