import { inPercent } from '../../../base/figures.js'
import { fold } from '../../../base/text.js'
import { ofWhole } from '../../lint-report.js'
import type { ChainRow } from './corpus.js'
import { dissimilar, eachRow, type LintRule, unshared } from './rule.js'

/** Lower case, punctuation stripped, white space collapsed: how the paper compares anchors. */
function normalise(text: string): string {
  return fold(text)
    .replace(/[^\p{L}\p{N}\s]/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
}

/** Rules of chains of facts. */
export const chainRules: LintRule<ChainRow>[] = [
  eachRow('count', 'K hops have K+1 facts and K+2 anchors', ({ hops, facts, anchors }) => [
    ...(facts.length === hops + 1 ? [] : [`${facts.length} facts for ${hops} hops`]),
    ...(anchors.length === hops + 2 ? [] : [`${anchors.length} anchors for ${hops} hops`]),
  ]),
  eachRow(
    'anchors-distinct',
    'the anchors of a chain differ',
    ({ anchors }) => new Set(anchors.map(normalise)).size < anchors.length && 'an anchor is repeated',
  ),
  eachRow('anchor-in-facts', 'every anchor stands literally in each fact it borders', ({ anchors, facts }) =>
    anchors.flatMap((anchor, i) =>
      [i - 1, i].flatMap((at) => {
        const fact = facts[at]
        return fact === undefined || normalise(fact).includes(normalise(anchor))
          ? []
          : [`"${anchor}" is not in fact ${at + 1}`]
      }),
    ),
  ),
  eachRow('anchor-confined', 'middle and last anchors stand in no other fact of the chain', ({ anchors, facts }) =>
    anchors
      .slice(1)
      .flatMap((anchor, i) =>
        facts.flatMap((fact, at) =>
          at !== i && at !== i + 1 && asWords(fact).includes(asWords(anchor))
            ? [`"${anchor}" is in fact ${at + 1} too`]
            : [],
        ),
      ),
  ),
  eachRow('head-in-question', 'the question names the first anchor', ({ anchors: [head = ''], question }) => {
    const tail = normalise(head)
      .split(' ')
      .filter((word) => word.length >= 3)
      .at(-1)
    const named =
      normalise(question).includes(normalise(head)) || (tail !== undefined && normalise(question).includes(tail))
    return !named && `"${head}" is not in the question`
  }),
  eachRow('anchor-in-question', 'the question names no other anchor', ({ anchors, question }) =>
    anchors
      .slice(1)
      .filter((anchor) => asWords(question).includes(asWords(anchor)))
      .map((anchor) => `the question names "${anchor}"`),
  ),
  eachRow('answer', 'the answer is the last anchor and one of the options', ({ anchors, answer, choices }) => {
    const last = normalise(anchors.at(-1) ?? '')
    const given = normalise(answer)
    return [
      ...(given.includes(last) || last.includes(given)
        ? []
        : [`the answer is "${answer}", the chain ends in "${anchors.at(-1)}"`]),
      ...(choices.includes(answer) ? [] : ['the answer is not among the options']),
    ]
  }),
  eachRow(
    'options-distinct',
    'there are five different options',
    ({ choices }) =>
      new Set(choices.map(normalise)).size !== 5 && `${new Set(choices.map(normalise)).size} different options`,
  ),
  unshared(
    'anchor-shared',
    'no two chains have an anchor in common: what follows from it would be ambiguous',
    ({ anchors }) => anchors.map(normalise),
    (anchor, { list }) => `"${anchor}" is an anchor of ${list}`,
  ),
  {
    name: 'anchor-elsewhere',
    about: 'no anchor stands in a fact of another chain',
    check: (rows) => {
      const facts = rows.flatMap(({ row, facts: own }) => own.map((fact) => ({ row, text: asWords(fact) })))
      return rows.flatMap(({ row, anchors }) =>
        anchors.flatMap((anchor) => {
          const found = facts.find((fact) => fact.row !== row && fact.text.includes(asWords(anchor)))
          return found ? [{ row, message: `"${anchor}" stands in a fact of ${found.row}` }] : []
        }),
      )
    },
  },
  {
    name: 'options-even',
    about: 'all options stand in the store or none but the answer’s own fact tells them apart',
    check: (rows) => {
      const store = rows
        .flatMap(({ facts }) => facts)
        .map(asWords)
        .join('\n')
      return rows.flatMap(({ row, choices }) => {
        const present = choices.filter((choice) => store.includes(asWords(choice)))
        if (present.length === choices.length || present.length === 0) return []
        return [
          {
            row,
            message: `only ${present.length} of ${choices.length} options stand in the store: ${present.join(', ')}`,
          },
        ]
      })
    },
  },
  {
    name: 'distractor-is-anchor',
    about: 'wrong options are ends of other chains, all of them or none',
    check: (rows) => {
      const chains = new Map<string, string[]>()
      for (const { row, anchors } of rows)
        for (const anchor of anchors) chains.set(normalise(anchor), [...(chains.get(normalise(anchor)) ?? []), row])
      return rows.flatMap(({ row, answer, choices }) => {
        const wrong = choices.filter((choice) => normalise(choice) !== normalise(answer))
        const taken = wrong.filter((choice) => chains.get(normalise(choice))?.some((other) => other !== row))
        if (taken.length === 0 || taken.length === wrong.length) return []
        return [{ row, message: `${taken.map((choice) => `"${choice}"`).join(', ')} is an anchor of another chain` }]
      })
    },
  },
  dissimilar(
    'no two facts share 70 % of their words',
    0.7,
    ({ facts }) => facts,
    (like, other, fact) => `"${fact}" is ${like} a fact of ${other}`,
  ),
  {
    name: 'balance',
    about: 'no letter is right in more than 30 % of the questions',
    check: (rows) => {
      const counts = [0, 0, 0, 0, 0]
      for (const { choices, answer } of rows) counts[choices.indexOf(answer)]!++
      return counts.flatMap((count, i) =>
        ofWhole(count > 0.3 * rows.length && `"${'ABCDE'[i]}" is right in ${inPercent(count / rows.length)}`),
      )
    },
  },
]

function asWords(text: string): string {
  return ` ${normalise(text)} `
}
