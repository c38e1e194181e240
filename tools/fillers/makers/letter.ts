import type { Letters } from '../schema.js'
import { type Maker, say, some, vary } from '../thread.js'

/** Letters drafted on behalf of others, then shortened. */
export function letterMaker(letters: Letters): Maker {
  return (random) => {
    const who = random.pick(letters.senders)
    const cause = random.pick(letters.causes)
    const tone = random.pick(letters.tones)
    const body = some(cause.body, cause.body.length, random)
    const [advice, second] = some(letters.advice, 2, random)
    const want = say(cause.want, random)
    const hello = say(tone.hello, random)
    const bye = say(tone.bye, random)
    const values = { who, to: cause.to, about: cause.about, tone: tone.ask }
    return [
      {
        ask: capitalised(vary(random.pick(letters.asks), random, values)),
        answer: [
          `${vary('{Here is a draft|A draft to start from|This should do|You could send this}:', random)}\n${[
            hello,
            body.join(' '),
            want,
            bye,
          ]
            .map((part) => `> ${part}`)
            .join('\n>\n')}`,
          `${say(tone.note, random)} ${say(cause.facts, random)} ${advice}`,
        ].join('\n\n'),
      },
      {
        ask: capitalised(vary(random.pick(letters.shorter), random, values)),
        answer: `> ${hello} ${body[0]} ${want} ${bye}\n\n${vary(
          '{What was cut can be told on the telephone|The details can follow when they answer|A short text is more likely to be answered}.',
          random,
        )} ${second}`,
      },
    ]
  }
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
