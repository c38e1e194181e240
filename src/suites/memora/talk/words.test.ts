import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { words } from '../../../base/text.js'
import { PERSONAS } from '../seed.js'
import { simulate } from '../simulate/index.js'
import { inventoryOf } from './inventory.js'
import { conversationsFor } from './talk.js'
import { Voice } from './voice.js'

const lives = PERSONAS.slice(3, 7).map((persona) => simulate({ persona, days: 14, seed: 6 }))
const texts = lives.flatMap((life) => conversationsFor(life, 6).flatMap(({ turns }) => turns.map(({ text }) => text)))

/** What no careful writer leaves in a sentence. */
const SLIPS: Record<string, RegExp> = {
  'a blank before a mark': / [.,;:!?](?!\w)/,
  'two marks in a row': /[.,;:]{2}|[?!][.,]|[.,][?!]|""/,
  'a slot or a choice left over': /[{}|]/,
  'two blanks': / {2}/,
  'a word twice': /\b(?!hello\b)(\w{2,}) \1\b/i,
  'a small letter at the beginning': /^"?\p{Ll}/u,
  'an open end': /[^.!?"]$/,
  'the wrong article': /\ba (?!one|uni|use|eu)[aeiou]\w+|\ban (?!hour|honest|honou?r|L\b)[^aeiou\W]/i,
  'one thing spoken of as several': /\bgroceries goes\b|\bthe attachments are\b/i,
}

describe('what is said', () => {
  it.each(Object.entries(SLIPS))('never has %s', (_, slip) => {
    expect(texts.filter((text) => slip.test(text))).toEqual([])
  })

  it('does not name an item by a word that it has already', () => {
    const voice = new Voice('frames', inventoryOf(lives[0]!))
    const frames = ['{item} music', '{item} films', 'listening to {item}']
    const chosen = (item: string) => new Set(Array.from({ length: 40 }, () => voice.frame(frames, [item])))
    expect(chosen('chamber music')).toEqual(new Set(['{item} films', 'listening to {item}']))
    expect(chosen('disaster movie')).toEqual(new Set(['{item} music', 'listening to {item}']))
    expect(chosen('grunge')).toEqual(new Set(frames))
  })
})

const shared = fileURLToPath(new URL('../../../../../shared/', import.meta.url))
const folders = ['papers', 'data/memora'].map((name) => join(shared, name))

describe.skipIf(!folders.every(existsSync))('the words of this project (skipped without ../shared)', () => {
  it('have no run of twelve in common with published conversations or papers', () => {
    const published = folders.flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.(?:json|txt)$/.test(name))
        .flatMap((name) => stringsIn(readFileSync(join(folder, name), 'utf8'), name.endsWith('.json'))),
    )
    const theirs = new Set(published.flatMap(runsOf))
    expect(theirs.size).toBeGreaterThan(100_000)
    const corpus = fileURLToPath(new URL('../../../corpora/memora/', import.meta.url))
    const written = readdirSync(corpus, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.json'))
      .flatMap((name) => stringsIn(readFileSync(join(corpus, name), 'utf8'), true))
    expect([...texts, ...written].flatMap(runsOf).filter((run) => theirs.has(run))).toEqual([])
  })
})

function runsOf(text: string): string[] {
  const list = words(text)
  return list.slice(11).map((_, at) => list.slice(at, at + 12).join(' '))
}

function stringsIn(text: string, json: boolean): string[] {
  if (!json) return [text]
  const visit = (value: unknown): string[] => {
    if (typeof value === 'string') return [value]
    return value !== null && typeof value === 'object' ? Object.values(value).flatMap(visit) : []
  }
  return visit(JSON.parse(text))
}
