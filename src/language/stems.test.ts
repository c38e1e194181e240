import { describe, expect, it } from 'vitest'
import { cueStem, indexStem, inflectionStem, porterStem, wordStart } from './stems.js'

describe('inflectionStem', () => {
  it.each([
    ['bake', 'bakes', 'baking', 'baked'],
    ['run', 'runs', 'running'],
    ['study', 'studies', 'studied', 'studying'],
    ['visit', 'visits', 'visiting', 'visited'],
    ['organize', 'organizes', 'organizing', 'organized'],
    ['box', 'boxes'],
    ['class', 'classes'],
    ['call', 'calls', 'calling', 'called'],
    ['exercise', 'exercises', 'exercising'],
  ])('brings the forms of "%s" together', (...forms) => {
    expect(new Set(forms.map(inflectionStem)).size).toBe(1)
  })

  it.each(['bus', 'glass', 'thing', 'red', 'need', 'tennis', '20th', 'élan'])('leaves "%s" alone', (word) => {
    expect(inflectionStem(word)).toBe(word)
  })

  it.each([
    ['tried', 'try'],
    ['tries', 'try'],
    ['ties', 'tie'],
    ['ads', 'ads'],
    ['going', 'go'],
    ['polite', 'polit'],
    ['unite', 'unit'],
    ['bake', 'bake'],
  ])('takes "%s" to "%s"', (word, root) => {
    expect(inflectionStem(word)).toBe(root)
  })

  it.each([
    ['painter', 'painting'],
    ['cat', 'category'],
    ['hop', 'hope'],
    ['sing', 's'],
  ])('keeps "%s" and "%s" apart', (one, other) => {
    expect(inflectionStem(one)).not.toBe(inflectionStem(other))
  })
})

describe('indexStem', () => {
  it.each([
    ['paint', 'paints', 'painted', 'painting', 'painter', 'painters'],
    ['story', 'stories'],
    ['plan', 'plans', 'planned', 'planning', 'planner'],
  ])('brings the forms of "%s" together', (...forms) => {
    expect(new Set(forms.map(indexStem)).size).toBe(1)
  })

  it('leaves words of three letters, and words that would be shorter, alone', () => {
    expect(['day', 'news', 'used'].map(indexStem)).toEqual(['day', 'new', 'used'])
  })
})

describe('porterStem', () => {
  it('stems as Porter did', () => {
    const words =
      'caresses ponies cats feed agreed plastered motoring sing conflated sized hopping falling filing happy sky relational conditional'
    const stems = 'caress poni cat feed agre plaster motor sing conflat size hop fall file happi sky relat condit'
    expect(words.split(' ').map(porterStem).join(' ')).toBe(stems)
    expect(
      'triplicate hopeful goodness revival adjustment adoption rate cease controll'
        .split(' ')
        .map(porterStem)
        .join(' '),
    ).toBe('triplic hope good reviv adjust adopt rate ceas control')
  })
})

describe('cueStem and wordStart', () => {
  it('bring inflections together, and leave short words alone', () => {
    expect(['walks', 'walked', 'walking', 'walk'].map(cueStem)).toEqual(['walk', 'walk', 'walk', 'walk'])
    expect(['uses', 'reads'].map(cueStem)).toEqual(['uses', 'read'])
    expect(['planning', 'plans', 'plan'].map(wordStart)).toEqual(['plann', 'plans', 'plan'])
  })
})
