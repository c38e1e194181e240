import { describe, expect, it } from 'vitest'
import { noteOf } from './note.js'
import { NoteWeights } from './note-weights.js'

/** What a statement and a reply count for a question, where both say as much. */
function counted(question: string): number[] {
  const weights = new NoteWeights()
  const texts = [
    'My kiln stands in the old boathouse by the weir.',
    'Assistant: A kiln in a boathouse needs a stone floor.',
  ]
  for (const [at, text] of texts.entries()) weights.set(at, noteOf({ id: String(at), text }))
  const scores = Float64Array.of(1, 1)
  weights.weigh(scores, question, { isWeighed: true, isSet: false })
  return [...scores]
}

describe('a question', () => {
  it.each([
    'What did you suggest for the floor of my boathouse?',
    'What was your advice on my kiln?',
    'Which floors did you tell me to avoid?',
    'How had you explained the crack in my kiln?',
    'How much sand did you suggest for my kiln?',
    'What were your thoughts on my kiln?',
  ])('about what was said in reply has replies first: %s', (question) => {
    const [told, replied] = counted(question)
    expect(replied).toBeGreaterThan(told!)
  })

  it.each([
    'Which kiln would you recommend to me?',
    'Can you suggest a floor for my boathouse?',
    'What is your advice?',
  ])('that wants something said now is not about what was: %s', (question) => {
    const [told, replied] = counted(question)
    expect(told).toBeGreaterThan(replied!)
  })

  it.each([
    'Where does my kiln stand?',
    'What have you noted about my kiln?',
    'What have you already written down about my kiln?',
    'What did you actually note about my kiln?',
    'Could you tell me the name of my kiln?',
    'Did you know where my kiln is?',
    'What did you keep on my boathouse?',
    'What would you need to know about my kiln?',
    'What was said of my kiln?',
  ])('about somebody’s own has what they told first: %s', (question) => {
    const [told, replied] = counted(question)
    expect(told).toBeGreaterThan(2 * replied!)
  })
})
