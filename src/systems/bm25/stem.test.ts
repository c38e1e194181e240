import { describe, expect, it } from 'vitest'
import { stem } from './stem.js'

describe('stem', () => {
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
    expect(new Set(forms.map(stem)).size).toBe(1)
  })

  it.each(['bus', 'glass', 'thing', 'red', 'need', 'tennis', '20th', 'élan'])('leaves "%s" alone', (word) => {
    expect(stem(word)).toBe(word)
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
    expect(stem(word)).toBe(root)
  })

  it.each([
    ['painter', 'painting'],
    ['cat', 'category'],
    ['hop', 'hope'],
    ['sing', 's'],
  ])('keeps "%s" and "%s" apart', (one, other) => {
    expect(stem(one)).not.toBe(stem(other))
  })
})
