import type { Random } from '../../../src/base/random.js'
import type { Dish } from '../schema.js'
import { between, type Maker, some, vary } from '../thread.js'

const ASKS = [
  'How do I scale {dish} to {n} {people|servings}? {It is for a street party.|Others will eat it.|A club has ordered it.}',
  '{Somebody|A neighbour} {needs|wants} {dish} for {n}. {The card says {of}.|Their recipe is for {of}.} What are the amounts?',
  '{Can you write out|Please write out} {dish}, {amounts for {n}|for a party of {n}}?',
]

/** Recipes scaled for others, with the reckoning shown. */
export function dishMaker(dishes: readonly Dish[]): Maker {
  return (random) => {
    const dish = random.pick(dishes)
    const count = dish.for * between(1, 4, random) + random.pick([-2, 2, 3, 5])
    const other = count + random.pick([4, 6, 9, 12])
    const notes = some(dish.notes, dish.notes.length, random)
    const steps = dish.steps.map((step, at) => `${at + 1}. ${step}`).join('\n')
    return [
      {
        ask: vary(random.pick(ASKS), random, { dish: dish.name, n: count, of: dish.for }),
        answer: [
          vary(
            '{The factor is|Multiply everything by} {count} divided by {of}, which is {f}. {Rounded to what one can weigh|In sensible figures}, that gives:',
            random,
            { count, of: dish.for, f: (count / dish.for).toFixed(2) },
          ),
          amounts(dish, count),
          steps,
          notes.slice(0, 2).join(' '),
        ].join('\n\n'),
      },
      {
        ask: vary('{And if|What if} {there are|they are} {n} in the end?', random, { n: other }),
        answer: `${amounts(dish, other)}\n\n${vary(advice(dish, random), random)} ${notes.at(-1)}`,
        joins: true,
      },
    ]
  }
}

function advice(dish: Dish, random: Random): string {
  const first = dish.steps[0]!.replace(/\.$/, '').toLowerCase()
  return random.pick([
    `The {order of work|method} {stays the same|does not change}, but a {larger|fuller} pot {heats up more slowly|needs longer to come to the boil}. Times for baking {hardly|do not} grow in proportion.`,
    `{Salt and spices|Seasoning} should be {raised a little less than in proportion|added in two goes and tasted}. For the rest, begin as before: ${first}.`,
    `{Two smaller dishes|Two pots} {are better than one huge one|cook more evenly than a single large one}. {Plan|Allow} {ten|fifteen} minutes more for the start.`,
  ])
}

function amounts(dish: Dish, count: number): string {
  return dish.parts
    .map(([amount, unit, what]) => `- ${rounded((amount * count) / dish.for, unit)}${unit ? ` ${unit}` : ''} ${what}`)
    .join('\n')
}

/** Rounded to what a kitchen can measure: grams and millilitres to fives, kilograms and litres to tenths, the rest to halves. */
function rounded(amount: number, unit: string): string {
  if (unit === 'g' || unit === 'ml') return String(Math.max(5, Math.round(amount / 5) * 5))
  if (unit === 'kg' || unit === 'l') return String(Math.round(amount * 10) / 10)
  return String(Math.max(0.5, Math.round(amount * 2) / 2))
}
