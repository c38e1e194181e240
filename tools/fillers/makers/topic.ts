import type { Random } from '../../../src/base/random.js'
import { sentences } from '../../../src/base/text.js'
import type { Moves, Topic } from '../schema.js'
import { between, type Exchange, fenced, type Maker, say, some, vary } from '../thread.js'

type Facet = Topic['facets'][number]

/** How the question stands before a part of an answer. */
const HEADINGS = [
  { inline: true, write: (ask: string) => `**${ask}** ` },
  { inline: false, write: (ask: string) => `**${ask}**\n` },
  { inline: false, write: (ask: string) => `### ${ask}\n` },
  { inline: true, write: (ask: string) => `*${ask}* ` },
] as const

/** Conversations on a subject: an overview, questions about its parts, a mistake put right, a summary. */
export function topicMaker(topic: Topic, moves: Moves): Maker {
  return (random) => {
    const [main, ...rest] = topic.facets
    const facets = random.shuffle(rest)
    const first = [main!, ...facets.splice(0, 2)]
    const exchanges: Exchange[] = [{ ask: say(topic.open, random), answer: joined(first, random, moves, false) }]
    const told = [...first]
    while (facets.length > 0 && (exchanges.length < 2 || random.random() < 0.5)) {
      const asked = facets.splice(0, between(1, 2, random))
      told.push(...asked)
      const ask = vary(asked[0]!.ask, random)
      const head = random.pick(HEADINGS).write(ask)
      exchanges.push({ ask, answer: joined(asked, random, moves, true), joins: true, head })
    }
    if (topic.claim && topic.truth && random.random() < 0.6) {
      exchanges.splice(between(1, exchanges.length, random), 0, {
        ask: say(moves.doubts, random, { claim: vary(topic.claim, random) }),
        answer: `${say(moves.corrections, random)} ${vary(topic.truth, random)}`,
      })
    }
    if (told.length > 3 && random.random() < 0.2) exchanges.push(summary(told, random, moves))
    return exchanges
  }
}

/**
 * Parts of a subject one after the other, some of them in one paragraph. A part nobody asked for stands under its question, since it may
 * begin with a yes or no.
 */
function joined(facets: readonly Facet[], random: Random, moves: Moves, asked: boolean): string {
  const heading = random.pick(HEADINGS)
  return facets.reduce((text, facet, at) => {
    const before = facets[at - 1]
    const flows = before && !before.list && !before.code && heading.inline && random.random() < 0.45
    const bridge = before && heading.inline && random.random() < 0.25 ? `${say(moves.bridges, random)} ` : ''
    const head = asked && at === 0 ? '' : heading.write(vary(facet.ask, random))
    return `${text}${before ? (flows ? ' ' : '\n\n') : ''}${bridge}${head}${written(facet, random)}`
  }, '')
}

function written(facet: Facet, random: Random): string {
  const parts = [thinned(vary(facet.say, random), random)]
  if (facet.list) {
    const items = facet.list.length > 3 ? some(facet.list, facet.list.length - random.below(2), random) : facet.list
    const numbered = random.random() < 0.3
    parts.push(items.map((item, at) => `${numbered ? `${at + 1}.` : '-'} ${vary(item, random)}`).join('\n'))
  }
  if (facet.code) parts.push(fenced('', random.random() < 0.5 ? facet.code : narrowed(facet.code)))
  return parts.join('\n')
}

/** Leaves out some of the later sentences now and then, so that the same matter is not always told in the same words. */
function thinned(text: string, random: Random): string {
  const [first, second, ...later] = sentences(text)
  const kept = later.filter(() => random.random() < 0.75)
  return [first, second, ...(later.length > 1 ? kept : later)].filter(Boolean).join(' ')
}

/** The same code indented by two. */
function narrowed(code: string): string {
  return code.replace(/^ +/gm, (indent) => (indent.length % 4 === 0 ? indent.slice(indent.length / 2) : indent))
}

function summary(told: readonly Facet[], random: Random, moves: Moves): Exchange {
  const points = told.map((facet) => `- ${vary(facet.ask, random)} ${sentences(vary(facet.say, random))[0]}`)
  return { ask: say(moves.summaries, random), answer: `${say(moves.summaryLeads, random)}\n${points.join('\n')}` }
}
