import type { Random } from '../../../src/base/random.js'
import type { Procedures } from '../schema.js'
import { type Exchange, fenced, type Maker, say, some, vary } from '../thread.js'

/** A procedure carried out on numbers of its own: what goes into the sentences, and what is shown. */
export interface Worked {
  values: Record<string, string | number>
  shown: string
}

export type Work = (random: Random) => Worked

const AGAIN = [
  '{And|What about} another one, {to be sure I got it|for practice}: {ask}',
  '{Now the same with other numbers|A second example, please|Once more with other input}. {ask}',
  '{Let me check whether I understood|I tried this one myself}: {ask}',
]
const IN_CODE = [
  '{How would that look|What does that look like} in {language}?',
  '{Could you write|Please write} {it|that} {down |}in {language}, {short but readable|as a function}?',
  '{Now in code|And the code}, {language} if possible?',
]
const AFTER_CODE = [
  '{The names are free to choose|Rename things as you like}, {the order of the steps is not|but keep the order of the steps}.',
  '{Try it|Run it} on an empty {input|list} and on {a single element|one with equal elements} {first|too}.',
  '{I left out|It leaves out} checks of the input {to keep it short|so that the idea stays visible}.',
  '{Mind|Watch} the {boundary|boundaries}: {off by one|one too many or one too few} is the {usual|classic} {slip|mistake} here.',
  '{With|Given} {larger|really large} inputs {measure|profile} {it|the loop} before {tuning|changing} {anything|a line}.',
  '{Each line|Every line} {matches|corresponds to} a step {above|of the trace}.',
  '{A few assertions|Two or three small tests} {around it|beside it} {would be well spent|pay off quickly}.',
]
const NAMES = {
  xs: ['values', 'items', 'data', 'row', 'cells', 'numbers', 'seq', 'entries'],
  i: ['i', 'k', 'pos', 'idx', 'j', 'here'],
  a1: ['first', 'left', 'start', 'a', 'one', 'size', 'limit', 'm'],
  b1: ['second', 'right', 'goal', 'b', 'other', 'value', 'n'],
} as const

/** Conversations around a worked example: the example, a second one, its code, a question about it. */
export function procedureMaker(about: Procedures[string], work: Work): Maker {
  return (random) => {
    const notes = random.shuffle([...about.notes])
    const worked = (): Exchange => {
      const { values, shown } = work(random)
      const lead = say(about.leads, random, values)
      return { ask: say(about.asks, random, values), answer: `${lead}\n${shown}\n\n${notes.splice(0, 2).join(' ')}` }
    }
    const exchanges = [worked()]
    if (about.code && random.random() < 0.7) exchanges.push(coded(about.code, random))
    if (about.more && random.random() < 0.6) {
      const more = random.pick(about.more)
      const answer = [more.say, ...notes.splice(0, 1)].join(' ')
      exchanges.push({ ask: vary(more.ask, random), answer, joins: true })
    }
    if (random.random() < 0.6) {
      const second = worked()
      exchanges.push({ ...second, ask: vary(random.pick(AGAIN), random, { ask: second.ask }) })
    }
    return exchanges
  }
}

function coded(code: Record<string, string>, random: Random): Exchange {
  const [language, text] = random.pick(Object.entries(code))
  const names: Record<string, string> = {}
  for (const [slot, ways] of Object.entries(NAMES)) names[slot] = random.pick(ways)
  const filled = text.replace(/\{(xs|i|a1|b1)\}/g, (_, slot: string) => names[slot]!)
  const remarks = some(AFTER_CODE, 2, random).map((remark) => vary(remark, random))
  return {
    ask: say(IN_CODE, random, { language: language === 'python' ? 'Python' : 'JavaScript' }),
    answer: `${fenced(language, filled)}\n\n${remarks.join(' ')}`,
    joins: true,
  }
}
