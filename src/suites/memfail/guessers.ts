import { fold } from '../../base/text.js'
import { conversationsOf, type Guesser, type Question, questionsOf } from '../../model/index.js'
import { contained } from './contained.js'

const always = (answer: 'yes' | 'no'): Guesser => ({
  name: `always-${answer}`,
  about: `says ${answer} to every yes/no question`,
  guess: (scenario) =>
    questionsOf(scenario).map(({ gold }) => (gold.kind === 'yes-no' ? Number(gold.answer === answer) : null)),
})

const alwaysAbstain: Guesser = {
  name: 'always-abstain',
  about: 'says of everybody that nothing is known',
  guess: (scenario) => {
    const questions = questionsOf(scenario)
    if (!questions.some(({ gold }) => gold.kind === 'abstain')) return questions.map(() => null)
    return questions.map(({ gold }) => Number(gold.kind === 'abstain'))
  },
}

const rarestOption: Guesser = {
  name: 'rarest-option',
  about: 'takes the option that is offered least often over all questions',
  guess: (scenario) => {
    const offered = new Map<string, number>()
    for (const { choices } of questionsOf(scenario)) {
      for (const { text } of choices ?? []) offered.set(fold(text), (offered.get(fold(text)) ?? 0) + 1)
    }
    return questionsOf(scenario).map((question) => shareOfBest(question, (text) => -offered.get(text)!))
  },
}

const optionInStore: Guesser = {
  name: 'option-in-store',
  about: 'takes an option that stands word for word in what was said',
  guess: (scenario) => {
    const said = conversationsOf(scenario)
      .flatMap(({ turns }) => turns)
      .map(({ text }) => fold(text))
      .join('\n')
    const options = questionsOf(scenario).flatMap(({ choices }) => (choices ?? []).map(({ text }) => fold(text)))
    const present = contained(options, said)
    return questionsOf(scenario).map((question) => shareOfBest(question, (text) => Number(present.has(text))))
  },
}

/** Guesses that read no memory. Whoever does not beat them has shown nothing. */
export const guessers: Guesser[] = [always('yes'), always('no'), alwaysAbstain, rarestOption, optionInStore]

/** The chance of being right when one of the best-scored options is taken at random. */
function shareOfBest({ choices, gold }: Question, score: (text: string) => number): number | null {
  if (!choices || gold.kind !== 'choice') return null
  const scored = choices.map(({ letter, text }) => ({ letter, score: score(fold(text)) }))
  const best = Math.max(...scored.map((option) => option.score))
  const tied = scored.filter((option) => option.score === best)
  return tied.some(({ letter }) => letter === gold.letter) ? 1 / tied.length : 0
}
