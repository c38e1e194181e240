import { describe, expect, it } from 'vitest'
import { PERSONAS } from '../seed.js'
import { simulate } from '../simulate/index.js'
import { inventoryOf } from './inventory.js'
import { tellSessions } from './talk.js'
import { Voice } from './voice.js'

const lives = PERSONAS.slice(3, 7).map((persona) => simulate({ persona, days: 14, seed: 6 }))
const texts = lives.flatMap((life) => [...tellSessions(life, 6)].flatMap(({ turns }) => turns.map(({ text }) => text)))

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
