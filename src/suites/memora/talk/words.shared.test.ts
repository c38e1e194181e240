import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { words } from '../../../base/text.js'
import { PERSONAS } from '../seed.js'
import { simulate } from '../simulate/index.js'
import { tellSessions } from './talk.js'

const lives = PERSONAS.slice(3, 7).map((persona) => simulate({ persona, days: 14, seed: 6 }))
const texts = lives.flatMap((life) => [...tellSessions(life, 6)].flatMap(({ turns }) => turns.map(({ text }) => text)))

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
