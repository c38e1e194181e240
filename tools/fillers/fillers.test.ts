import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { Random } from '../../src/base/random.js'
import { fillerPool } from '../../src/suites/meme/filler/index.js'
import { DOMAINS } from '../../src/suites/meme/graph.js'
import { measureTextOverlap } from '../../src/suites/memfail/generate/diversity.js'
import { RECKONINGS } from './makers/reckon.js'
import { fillerFile, fillerLines, makeFillers, POOL_SIZE, packed } from './render.js'
import { drawStyle, styled } from './style.js'
import { vary } from './thread.js'

/** Statements of a user about themselves that could be taken for a fact of an episode. */
const ABOUT_ME =
  /\b(?:(?<!do )i (?:live|work|drive|commute|play|study|sleep|own|take the)|i'm (?:allergic|married|single|subscribed|learning)|my (?:job|home|house|flat|partner|dog|cat|pet|doctor|commute|employer|diet|gym|car|hobby|school|boss|team|project|database|framework)|our (?:team|project|database|framework|lead|sprint|build|branch|repo|service|office)|we (?:use|deploy|release|moved|switched|live))\b/i

describe.each(DOMAINS)('the pool of %s', (domain) => {
  const pool = fillerPool(domain)
  const sessions = Array.from({ length: POOL_SIZE }, (_, index) => pool.at(index))

  it('is in the corpora as it is made (npm run fillers)', () => {
    expect(pool.size).toBe(POOL_SIZE)
    const held = gunzipSync(readFileSync(new URL(`../../${fillerFile(domain)}`, import.meta.url))).toString()
    // Not by toBe: it would print the whole of both.
    expect(held === fillerLines(makeFillers(domain))).toBe(true)
  })

  it('is packed into the same bytes every time, whatever the hour and the machine', () => {
    const lines = fillerLines(sessions.slice(0, 3))
    expect(packed(lines).equals(packed(lines))).toBe(true)
    expect([...packed(lines).subarray(4, 8), packed(lines)[9]]).toEqual([0, 0, 0, 0, 255])
  })

  it('is diverse', async () => {
    const texts = sessions.filter((_, at) => at % 3 === 0).map(({ turns }) => turns.map(({ text }) => text).join('\n'))
    const { overlap } = await measureTextOverlap(texts, 1)
    expect(overlap[1]).toBeLessThan(0.22)
    expect(overlap[2]).toBeLessThan(0.06)
    expect(overlap[3]).toBeLessThan(0.03)
    expect(new Set(sessions.map(({ turns }) => turns[0]!.text)).size).toBeGreaterThan(0.9 * POOL_SIZE)
  })

  it('has no paragraph that many sessions share', () => {
    const seen = new Map<string, number>()
    for (const { turns } of sessions) {
      const own = turns.filter(({ role }) => role === 'assistant').flatMap(({ text }) => paragraphs(text))
      for (const paragraph of new Set(own)) seen.set(paragraph, (seen.get(paragraph) ?? 0) + 1)
    }
    expect([...seen].filter(([, count]) => count > 0.04 * POOL_SIZE)).toEqual([])
  })

  it('leaves no slot or choice open and says nothing about its user', () => {
    const turns = sessions.flatMap((session) => session.turns)
    expect(turns.filter(({ text }) => /\{\w*\|[^{}\n]*\}|\{(?:name|v|ask|a|b|n|who|claim|many)\}/.test(text))).toEqual(
      [],
    )
    expect(turns.filter(({ role, text }) => role === 'user' && ABOUT_ME.test(text))).toEqual([])
  })
})

describe('worked examples', () => {
  it('name the weekday that the calendar has', () => {
    const random = new Random(3)
    for (let n = 0; n < 300; n++) {
      const { values, shown } = RECKONINGS.weekday!(random)
      const day = new Date(`${values.date} 12:00 UTC`).toLocaleDateString('en-GB', { weekday: 'long', timeZone: 'UTC' })
      expect(shown.endsWith(`the answer is ${day}.`), `${values.date}`).toBe(true)
    }
  })

  it('make squares whose rows, columns and diagonals agree', () => {
    const random = new Random(4)
    for (let n = 0; n < 50; n++) {
      const { values, shown } = RECKONINGS.square!(random)
      const cells = shown
        .split('```')[1]!
        .trim()
        .split('\n')
        .map((row) => row.split(/\s+/).map(Number))
      const lines = [...cells, ...cells.map((_, x) => cells.map((row) => row[x]!)), cells.map((row, i) => row[i]!)]
      for (const line of lines) expect(line.reduce((a, b) => a + b)).toBe(values.sum)
      expect(new Set(cells.flat()).size).toBe(9)
    }
  })
})

describe('wording', () => {
  it('fills slots before it decides choices', () => {
    const text = vary('{x {a}|y {a}} and {b}', new Random(1), { a: 'one', b: 'two' })
    expect(['x one and two', 'y one and two']).toContain(text)
  })

  it('keeps a speaker to one expression, outside code, quotes and headings', () => {
    const swaps = [['rarely', 'seldom']]
    const styles = Array.from({ length: 20 }, (_, seed) =>
      styled('rarely `rarely` "rarely" **rarely**', drawStyle(swaps, new Random(seed))),
    )
    expect(new Set(styles)).toEqual(
      new Set(['rarely `rarely` "rarely" **rarely**', 'seldom `rarely` "rarely" **rarely**']),
    )
  })
})

/** Paragraphs of a text; a block of code belongs to one. */
function paragraphs(text: string): string[] {
  return text.replace(/```[\s\S]*?```/g, (block) => block.replaceAll('\n\n', '\n')).split('\n\n')
}
