import type { Reviews } from '../schema.js'
import { capital, type Exchange, fenced, type Maker, say, some, vary } from '../thread.js'

const LEADS = [
  '{There is one real fault|One thing is wrong|The main problem}:',
  '{Yes, something is off|I see it|Found it}.',
  '{Short answer first|The finding}:',
  '{Apart from taste, one point matters|One point is serious}:',
]
const FIXES = ['{I would write|Better|A version that holds}:', '{Like this|So rather|With the fault removed}:']
const NEXT = [
  '{Anything else|What else|More remarks}?',
  '{And the style|Other points}?',
  '{Would you change anything more|Nitpicks}?',
]

/** Reviews of toy programs with one fault each; things and names differ from review to review. */
export function reviewMaker(reviews: Reviews): Maker {
  return (random) => {
    const fault = random.pick(reviews.faults)
    const [x, xs, v] = random.pick(reviews.nouns)
    const names: Record<string, string> = { x: x!, xs: xs!, v: v!, X: capital(x!) }
    const code = (text: string) => text.replace(/\{(x|xs|v|X)\}/g, (_, slot: string) => names[slot]!)
    const exchanges: Exchange[] = [
      {
        ask: `${say(reviews.asks, random)}\n\n${fenced(fault.language, code(fault.code))}`,
        answer: [
          `${say(LEADS, random)} ${say(fault.problem, random, names)}`,
          `${say(FIXES, random)}\n${fenced(fault.language, code(fault.fixed))}`,
          random
            .shuffle([...fault.why])
            .map((why) => vary(why, random, names))
            .join(' '),
        ].join('\n\n'),
      },
    ]
    const more = random.pick(fault.more)
    if (random.random() < 0.7)
      exchanges.push({ ask: more.ask, answer: `${more.say} ${random.pick(reviews.small)}`, joins: true })
    if (random.random() < 0.5) {
      exchanges.push({ ask: say(NEXT, random), answer: some(reviews.small, 3, random).join(' '), joins: true })
    }
    return exchanges
  }
}
