import type { ReaderObject } from '../../src/library/types.js'
import { defineReader, type Memory, type ReaderQuestion } from '../../src/model/index.js'

/** A way to answer without understanding anything. */
export interface AnswerCheat {
  name: string
  reader: ReaderObject & { name: string }
}

type Say = (question: ReaderQuestion, memories: readonly Memory[]) => string

function answering(name: string, say: Say): AnswerCheat {
  const reader = defineReader({
    name: name.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, ''),
    create: () => ({
      read: async (question: ReaderQuestion, memories: readonly Memory[]) => {
        const answer = say(question, memories) || '-'
        return { answer, prompt: '', tokens: { input: 0, output: 0 }, cost: 0 }
      },
    }),
  })
  return { name, reader: reader as ReaderObject & { name: string } }
}

const letterOr = ({ choices = [] }: ReaderQuestion, said: string) => (choices[0] ? choices[0].letter : said)

/** Answers of one kind, which anybody may give: a cheat has to be better than the best of them at every task. */
export const plainReaders: readonly AnswerCheat[] = [
  answering('plain: yes', (question) => letterOr(question, 'Yes.')),
  answering('plain: no', (question) => letterOr(question, 'No.')),
  answering('plain: nothing is known', (question) => letterOr(question, 'Nothing is known of it.')),
  answering('plain: what was found first', (question, [first]) =>
    letterOr(question, first?.text ?? 'Nothing is known of it.'),
  ),
]

const all = (memories: readonly Memory[]) => memories.map(({ text }) => text)
const wordsIn = (texts: readonly string[]) => [...new Set(texts.join(' ').match(/[\p{L}\p{N}'-]+/gu))]

/** Answers that are made to be right whatever is asked. */
export const answerCheats: readonly AnswerCheat[] = [
  answering('yes, no, and nothing is known', (question) => letterOr(question, 'Yes. No. Nothing is known of it.')),
  answering('no, and nothing is known', (question) => letterOr(question, 'No. Nothing is known of it.')),
  answering('it could be any of these', (question, memories) =>
    letterOr(question, `It could be any of these: ${wordsIn(all(memories)).join(' or ')}.`),
  ),
  answering('all words of all memories', (question, memories) => letterOr(question, wordsIn(all(memories)).join(' '))),
  answering('all memories', (question, memories) => letterOr(question, all(memories).join('\n'))),
  answering('all memories with commas', (question, memories) =>
    letterOr(
      question,
      all(memories)
        .join(' ')
        .replace(/((?:\S+ ){3})/g, '$1, '),
    ),
  ),
  answering('all memories, and nothing is known', (question, memories) =>
    letterOr(question, `${all(memories).join(' ')} Nothing is known of it.`),
  ),
  answering('the first two, and it may have changed', (question, memories) =>
    letterOr(question, `${all(memories).slice(0, 2).join(' ')} That may have changed.`),
  ),
  answering('every letter', ({ choices = [] }, memories) =>
    choices.length > 0 ? choices.map(({ letter }) => `Answer: ${letter}`).join('\n') : (memories[0]?.text ?? 'No.'),
  ),
  answering('the question again', ({ text, choices = [] }) => [text, ...choices.map((one) => one.text)].join(' ')),
]
