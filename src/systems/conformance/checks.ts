import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import type { Memory } from '../../model/index.js'
import { failureChecks } from './failure-checks.js'
import { CONVERSATIONS, ODD_CONVERSATIONS, ODD_QUERIES, QUERIES } from './fixtures.js'
import { lifeChecks } from './life-checks.js'
import { modelChecks } from './model-checks.js'
import { assertSame, formatValue } from './same.js'
import { askAll, dumpOf, filled, heldBy, type SystemCheck, stateOf, storeAll } from './subject.js'

/** The contract of a memory system, promise by promise. Keys are stable: skips name them. */
export const systemChecks = {
  created: {
    title: 'can be made, with the methods that are needed',
    run: async ({ create }) => void (await create()),
  },
  'return-types': {
    title: 'gives what the contract says from every method',
    run: async ({ create }) => {
      const system = await filled(create)
      await stateOf(system)
      for (const query of system.answer ? QUERIES : []) checkAnswer(await system.answer!({ ...query }))
    },
  },
  keeps: {
    title: 'keeps something of what it is told',
    unless: ({ class: kind }) => (kind === 'reference' ? 'It is a yardstick, which may keep nothing.' : null),
    run: async ({ create }) => {
      const { dump, found } = await stateOf(await filled(create))
      const told = `${CONVERSATIONS.length} conversations were stored and ${QUERIES.length} questions asked`
      assert.ok(dump.length + found.flat().length > 0, `It keeps nothing: ${told}, and nothing was held or found`)
    },
  },
  shape: {
    title: 'returns memories with an id, a text and sensible fields',
    run: async ({ create }) => {
      const system = await filled(create)
      const retrieved = (await askAll(system, QUERIES, 5)).flat()
      for (const memory of [...(await heldBy(system)), ...retrieved]) checkShape(memory)
    },
  },
  'at-most-k': {
    title: 'retrieves at most k memories',
    run: async ({ create, definition }) => {
      const system = await filled(create)
      for (const k of definition.depth === 'fixed' ? [] : [1, 2, 5, 50]) {
        for (const [i, list] of (await askAll(system, QUERIES, k)).entries()) {
          assert.ok(
            list.length <= (definition.mostFound?.(k) ?? k),
            `Asked "${QUERIES[i]!.text}" for ${k} memories, got ${list.length}`,
          )
        }
      }
    },
  },
  'best-first': {
    title: 'retrieves the best first',
    run: async ({ create }) => {
      for (const list of await askAll(await filled(create), QUERIES, 50)) {
        const scores = list.flatMap((memory) => memory.score ?? [])
        const sorted = scores.toSorted((a, b) => b - a)
        assert.ok(isDeepStrictEqual(scores, sorted), `Scores should fall, got ${scores.join(', ')}`)
      }
    },
  },
  'unique-ids': {
    title: 'gives every memory an id of its own',
    run: async ({ create }) => {
      const system = await filled(create)
      for (const list of [await heldBy(system), ...(await askAll(system, QUERIES, 50))]) {
        const ids = list.map((memory) => memory.id)
        const twice = [...new Set(ids.filter((id, i) => ids.indexOf(id) !== i))]
        assert.ok(twice.length === 0, `Ids that occur more than once: ${quoted(twice)}`)
      }
    },
  },
  'stable-ids': {
    title: 'keeps the id of a memory that stays the same',
    run: async ({ create }) => {
      const system = await create()
      await storeAll(system, CONVERSATIONS.slice(0, 3))
      const before = await dumpOf(system)
      assertSame(await dumpOf(system), before, 'Two dumps in a row should be equal')
      await storeAll(system, CONVERSATIONS.slice(3))
      const after = await dumpOf(system)
      for (const { id, text } of before) {
        const same = after.filter((memory) => memory.text === text)
        const kept = same.length === 0 || same.some((memory) => memory.id === id)
        assert.ok(kept, `Memory "${text}" had id ${id}, later ${same.map((memory) => memory.id).join(', ')}`)
      }
    },
  },
  'retrieved-in-dump': {
    title: 'retrieves only what is in its dump',
    run: async ({ create }) => {
      const system = await filled(create)
      const held = new Map((await dumpOf(system)).map((memory) => [memory.id, memory.text]))
      for (const memory of (await askAll(system, QUERIES, 5)).flat()) {
        assert.ok(held.has(memory.id), `Retrieved ${memory.id} ("${memory.text}"), which is not in the dump`)
        assert.equal(memory.text, held.get(memory.id), `Memory ${memory.id} has another text in the dump`)
      }
    },
  },
  'read-only': {
    title: 'is not changed by being asked',
    run: async ({ create }) => {
      const system = await filled(create)
      const before = await heldBy(system)
      const first = await askAll(system, QUERIES, 5)
      assertSame(await heldBy(system), before, 'The dump should be the same before and after retrieval')
      assertSame(await askAll(system, QUERIES, 5), first, 'The same query should give the same list')
    },
  },
  isolated: {
    title: 'shares nothing with another instance',
    run: async ({ create, definition }) => {
      const [one, other] = [await create(), await create()]
      const before = await heldBy(other)
      await storeAll(one, CONVERSATIONS)
      assertSame(await heldBy(other), before, 'What is stored in one instance should not show in another')
      if (definition.class !== 'reference')
        assertSame((await askAll(other, QUERIES, 5)).flat(), [], 'Nothing was stored in the other instance')
    },
  },
  'time-and-order': {
    title: 'keeps times and sources as given, and the order of what it keeps raw',
    run: async ({ create, definition }) => {
      const dump = await dumpOf(await filled(create))
      const known = CONVERSATIONS.map((conversation) => conversation.id)
      for (const memory of dump) {
        for (const source of memory.sources ?? []) assert.ok(known.includes(source), `Unknown source ${source}`)
        if (memory.time === undefined || memory.sources?.length !== 1) continue
        const said = CONVERSATIONS.find((conversation) => conversation.id === memory.sources![0])!.time
        assert.equal(Date.parse(memory.time), Date.parse(said), `Memory ${memory.id} has another time than its source`)
      }
      if (definition.class !== 'raw') return
      const order = dump.map((memory) => known.indexOf(memory.sources?.[0] ?? ''))
      const sorted = order.toSorted((a, b) => a - b)
      assertSame(order, sorted, 'Raw memories should be dumped in the order in which they were stored')
    },
  },
  'empty-store': {
    title: 'answers with nothing while it holds nothing',
    run: async ({ create, definition }) => {
      const system = await create()
      const lists = [await heldBy(system), ...(await askAll(system, QUERIES, 5))]
      if (definition.class !== 'reference')
        assertSame(lists.flat(), [], 'Nothing was stored, so nothing should be there')
    },
  },
  'odd-text': {
    title: 'takes empty turns, emoji, very long turns and text that gives orders',
    run: async ({ create }) => {
      const system = await create()
      await storeAll(system, [...ODD_CONVERSATIONS, ...CONVERSATIONS])
      const retrieved = await askAll(system, [...ODD_QUERIES, ...QUERIES], 5)
      const dump = await heldBy(system)
      for (const memory of [...dump, ...retrieved.flat()]) checkShape(memory)
      assert.equal(new Set(dump.map((memory) => memory.id)).size, dump.length, 'Ids should be unique')
    },
  },
  deterministic: {
    title: 'gives the same for the same',
    run: async ({ create }) => {
      const [one, other] = [await filled(create), await filled(create)]
      const message = 'Two instances that were told the same should be the same'
      assertSame(await heldBy(other), await heldBy(one), message)
      assertSame(await askAll(other, QUERIES, 5), await askAll(one, QUERIES, 5), message)
    },
  },
  concurrent: {
    title: 'can be asked several questions at once',
    run: async ({ create }) => {
      const system = await filled(create)
      if (system.snapshot) return
      const oneByOne = await askAll(system, QUERIES, 5)
      const atOnce = await Promise.all(QUERIES.map((query) => system.retrieve(query, 5, { k: 5 })))
      assertSame(atOnce, oneByOne, 'Questions asked at once should find what they find one by one')
    },
  },
  ...lifeChecks,
  ...modelChecks,
  ...failureChecks,
} as const satisfies Record<string, SystemCheck>

/** Name of a check, as used in skips. */
export type SystemCheckName = keyof typeof systemChecks

function quoted(ids: readonly string[]): string {
  const more = ids.length - MOST_IDS
  const named = ids.slice(0, MOST_IDS).map((id) => JSON.stringify(id) ?? 'undefined')
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** Ids that are named one by one. */
const MOST_IDS = 5

function checkAnswer(answer: unknown): void {
  const text: unknown = typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'text') : undefined
  assert.ok(typeof text === 'string', `answer() should give { text } with a string, got ${formatValue(answer)}`)
  const used: unknown = Reflect.get(answer as object, 'used')
  assert.ok(
    used === undefined || Array.isArray(used),
    `answer() should give memories as "used", got ${formatValue(used)}`,
  )
}

function checkShape(memory: Memory): void {
  const { id, text, score, time, sources = [], status = 'live' } = memory
  const expect = (holds: boolean, what: string) => assert.ok(holds, `Expected ${what}: ${formatValue(memory)}`)
  expect(typeof id === 'string', 'a string as id')
  expect(id.length > 0, 'an id')
  expect(typeof text === 'string', 'a string as text')
  expect(score === undefined || Number.isFinite(score), 'a finite score')
  const isTime = typeof time === 'string' && !Number.isNaN(Date.parse(time))
  expect(time === undefined || isTime, 'ISO 8601 as time')
  expect(Array.isArray(sources), 'a list as sources')
  expect(/^(?:live|invalidated|tombstone)$/.test(String(status)), 'live, invalidated or tombstone as status')
}
