import { describe, expect, it } from 'vitest'
import { withoutThought } from './thought.js'

describe('withoutThought', () => {
  it.each([
    ['before the answer', '<think>\nIs it {"a": 1}?\n</think>\n\nYes.', 'Yes.'],
    ['under another name', '<thinking>Hm.</thinking>Yes.', 'Yes.'],
    ['as Mistral marks it', '[THINK]Hm.[/THINK]Yes.', 'Yes.'],
    ['in capitals', '<THINK>Hm.</THINK> Yes.', 'Yes.'],
    ['more than once', '<think>a</think>One.\n<think>b</think>\nTwo.', 'One.\n\nTwo.'],
    ['one inside of another', '<think>a <think>b</think> c</think>Yes.', 'Yes.'],
    ['whose opening was in the prompt', 'Is it A? No.\n</think>\n\nB', 'B'],
    ['whose opening was in the prompt, before others', 'a</think>B\n<think>c</think>', 'B'],
    ['that was cut off', '<think>Is it A? Is it', ''],
    ['that was cut off after an answer', 'Yes.\n<think>But', 'Yes.'],
    ['and nothing else', '<think></think>\n', ''],
  ])('takes out a thought %s', (_, text, said) => {
    expect(withoutThought(text)).toBe(said)
  })

  it.each([
    ['text without a thought, to the letter', ' Yes. \n'],
    ['JSON in which a mark is quoted', '{"fact": "User hides <think>…</think> and </think>"}'],
    ['a mark that is only spoken of', 'User asked what <think> stands for.'],
  ])('leaves alone %s', (_, text) => {
    expect(withoutThought(text)).toBe(text)
  })
})
