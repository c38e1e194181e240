import { sentences } from '../../src/base/text.js'
import { annotation, assistantTurn, thirdPerson, userTurn } from '../../src/suites/meme/pipeline/conversation.js'
import { preferences } from '../../src/suites/memfail/pipeline/coexisting.js'
import { easyEssays, hardEssays, rules } from '../../src/suites/memfail/pipeline/conditional.js'
import { chains, distractors } from '../../src/suites/memfail/pipeline/long-hop.js'
import { lives } from '../../src/suites/memfail/pipeline/persona.js'
import * as memora from '../../src/suites/memora/pipeline/session.js'
import type { Defect, Say, Spoilt, Target } from './planter.js'

interface RuleReply {
  row: number
  entity: string
  question: string
  condition_met: 'yes' | 'no'
  answer: string
}
interface EasyReply {
  row: number
  essay: string
  rule: string
}
interface HardReply {
  row: number
  essay: string
  behavior: string
  condition: string
  link: string
}
interface TasteReply {
  row: number
  preferences: { name: string; fact: string }[]
  question: string
}
interface LifeReply {
  row: number
  essay: string
  details: { sentence: string; says: string[] }[]
  questions: { text: string; answer: string; detail: number | null }[]
}
interface ChainReply {
  row: number
  facts: { text: string; relation: string }[]
  anchors: string[]
  question: string
}
interface TurnReply {
  row: number
  text: string
}

const structural = <R>(kind: string, spoil: Defect<R>['spoil']) => ({ kind, spoil }) as Defect
const semantic = <R>(kind: string, spoil: Defect<R>['spoil']) => ({ kind, isSemantic: true, spoil }) as Defect
const json = (words: string) => ({ words, isJson: true })

/** The spec that a row was asked for with. */
function specOf(input: Record<string, unknown>, row: number): Record<string, string> {
  return (input.rows as ({ row: number } & Record<string, string>)[]).find((one) => one.row === row)!
}

/** An essay in which a sentence that carries nothing is replaced. */
function replaced<R extends { essay: string }>(row: R, carries: readonly string[], words: string): Spoilt<R> | null {
  const told = sentences(row.essay)
  const at = told.findLastIndex((sentence) => !carries.some((one) => one.includes(sentence) || sentence.includes(one)))
  return at < 1 ? null : { row: { ...row, essay: told.with(at, words).join(' ') }, words }
}

const retold = (row: EasyReply, rule: string): Spoilt<EasyReply> => {
  const told = rule.charAt(0).toUpperCase() + rule.slice(1)
  return { row: { ...row, rule: told, essay: row.essay.replace(row.rule, told) }, words: told }
}

const NUMBER = /\b\d+\b/

export const MEMFAIL: Target = {
  suite: 'memfail',
  prompts: new URL('../../src/suites/memfail/pipeline/prompts/', import.meta.url),
  steps: [rules, easyEssays, hardEssays, preferences, lives, chains, distractors] as never,
  unitOf: (step, _, row) => `${step.startsWith('conditional') ? 'conditional' : step}/${row}`,
  defects: {
    conditional: [
      structural<RuleReply>('label', (row) => {
        const answer = `Perhaps. ${row.answer}`
        return { row: { ...row, answer }, words: answer }
      }),
      structural<RuleReply>('duplicate name', (row) => ({ row: { ...row, entity: 'Pip' }, ...json('"entity":"Pip"') })),
      semantic<RuleReply>('leaked answer', (row, say) => {
        const question = `${say(`given_away ${row.condition_met}`, { name: row.entity })} ${row.question}`
        return { row: { ...row, question }, words: question }
      }),
    ],
    'conditional-easy': [
      structural<EasyReply>('connective', (row) => {
        const words = 'Whenever it rains, the cellar of the house fills up.'
        return replaced(row, [row.rule], words)
      }),
      structural<EasyReply>('count', (row) => {
        const essay = `${row.rule} That is all there is to tell.`
        return { row: { ...row, essay }, words: essay }
      }),
      semantic<EasyReply>('number changed', (row) => {
        const number = NUMBER.exec(row.rule)?.[0]
        return number === undefined ? null : retold(row, row.rule.replace(NUMBER, String(Number(number) + 7)))
      }),
      semantic<EasyReply>('condition lost', (row, say, input) => {
        const { entity, behavior } = specOf(input, row.row)
        return retold(row, say('anyway', { name: entity!, behavior: behavior! }))
      }),
      semantic<EasyReply>('condition turned round', (row, say, input) => {
        const { entity, behavior, condition } = specOf(input, row.row)
        return retold(row, say('inverted', { name: entity!, behavior: behavior!, condition: condition! }))
      }),
      semantic<EasyReply>('of somebody else', (row, say, input) => {
        const { entity, behavior, condition } = specOf(input, row.row)
        return retold(row, say('rule_of_another', { name: entity!, behavior: behavior!, condition: condition! }))
      }),
      semantic<EasyReply>('contradiction', (row, say, input) =>
        replaced(row, [row.rule], say('retracted', { name: specOf(input, row.row).entity! })),
      ),
    ],
    'conditional-hard': [
      structural<HardReply>('connective', (row) => {
        const words = 'Nobody in the street can tell if it rains.'
        return replaced(row, [row.behavior, row.condition, row.link], words)
      }),
      structural<HardReply>('count', (row) => {
        const essay = [row.behavior, row.condition, row.link].join(' ')
        return { row: { ...row, essay }, words: essay }
      }),
      semantic<HardReply>('link lost', (row, say, input) => {
        const link = say('link_lost', { name: specOf(input, row.row).entity! })
        return { row: { ...row, link, essay: row.essay.replace(row.link, link) }, words: link }
      }),
      semantic<HardReply>('contradiction', (row, say, input) => {
        const words = say('retracted', { name: specOf(input, row.row).entity! })
        return replaced(row, [row.behavior, row.condition, row.link], words)
      }),
    ],
    coexisting: [
      structural<TasteReply>('count', (row) => {
        const [, second] = row.preferences
        const start = json(`"preferences":[{"name":${JSON.stringify(second!.name)}`)
        return { row: { ...row, preferences: row.preferences.slice(1) }, ...start }
      }),
      structural<TasteReply>('leaked answer', (row) => {
        const question = `${row.question} Something like ${row.preferences[0]!.name}?`
        return { row: { ...row, question }, words: question }
      }),
      semantic<TasteReply>('contradiction', (row, say) => tasted(row, say, 'dislike')),
      semantic<TasteReply>('of somebody else', (row, say) => tasted(row, say, 'of_another')),
    ],
    persona: [
      structural<LifeReply>('count', (row) => ({
        row: { ...row, questions: row.questions.slice(1) },
        ...json(`"questions":[{"text":${JSON.stringify(row.questions[1]!.text)}`),
      })),
      structural<LifeReply>('leaked answer', (row) => {
        const at = row.questions.findIndex(({ detail }) => detail !== null)
        if (at < 0) return null
        const asked = row.questions[at]!
        const text = `${asked.text} Is it to do with ${row.details[asked.detail!]!.says.join(' and ')}?`
        return { row: { ...row, questions: row.questions.with(at, { ...asked, text }) }, words: text }
      }),
      semantic<LifeReply>('wrong answer', (row) => {
        const at = row.questions.findIndex(({ detail }) => detail !== null)
        if (at < 0) return null
        const asked = row.questions[at]!
        const other = row.details[(asked.detail! + 1) % row.details.length]!
        const answer = `Ninety-nine of the ${other.says[0]} kind, in Yalvington.`
        return { row: { ...row, questions: row.questions.with(at, { ...asked, answer }) }, words: answer }
      }),
      semantic<LifeReply>('contradiction', (row, say, input) => {
        const name = specOf(input, row.row).entity!
        const carries = row.details.map(({ sentence }) => sentence)
        return replaced(row, carries, say('retracted', { name: name.split(' ')[0]! }))
      }),
    ],
    'long-hop': [
      structural<ChainReply>('count', (row) => ({
        row: { ...row, anchors: row.anchors.slice(1) },
        ...json(`"anchors":[${JSON.stringify(row.anchors[1])}`),
      })),
      structural<ChainReply>('leaked answer', (row) => {
        const question = `${row.question} Is it ${row.anchors[1]}?`
        return { row: { ...row, question }, words: question }
      }),
      semantic<ChainReply>('conflict', (row, _, input) => {
        const other = (input.earlier as string[]).at(-1)?.split(' → ')[0]
        if (other === undefined) return null
        const swapped = JSON.stringify(row).replaceAll(JSON.stringify(row.anchors[0]).slice(1, -1), other)
        const spoilt = JSON.parse(swapped) as ChainReply
        return { row: spoilt, words: spoilt.facts[0]!.text }
      }),
      semantic<ChainReply>('contradiction', (row, say) => {
        const at = row.facts.length - 1
        const [from, to] = row.anchors.slice(-2) as [string, string]
        const said = say('not_linked', { from, to })
        const text = said.charAt(0).toUpperCase() + said.slice(1)
        return { row: { ...row, facts: row.facts.with(at, { ...row.facts[at]!, text }) }, words: text }
      }),
    ],
    'long-hop-distractors': [
      structural<{ row: number; options: string[] }>('count', (row) => ({
        row: { ...row, options: row.options.slice(1) },
        ...json(JSON.stringify(row.options.slice(1))),
      })),
    ],
  },
}

function tasted(row: TasteReply, say: Say, pool: 'dislike' | 'of_another'): Spoilt<TasteReply> {
  const [first, ...others] = row.preferences
  const said = say(pool, { thing: first!.name })
  const fact = said.charAt(0).toUpperCase() + said.slice(1)
  return { row: { ...row, preferences: [{ ...first!, fact }, ...others] }, words: fact }
}

/** The user's turns of both chats: words of a plan, and what can be done to them. */
const takenBack = (text: string, say: Say) => `${text} ${say('taken_back')}`

export const MEME: Target = {
  suite: 'meme',
  prompts: new URL('../../src/suites/meme/pipeline/prompts/', import.meta.url),
  steps: [thirdPerson, userTurn, assistantTurn, annotation] as never,
  unitOf: (_, { domain, episode, part }) => (domain === undefined ? 'all' : `${domain}/${episode}/${part}`),
  defects: {
    user: [
      structural<TurnReply>('value lost', (row, _, { value }) => {
        const text = `${row.text.replaceAll(String(value), 'that one')} (so it was)`
        return { row: { ...row, text }, words: text }
      }),
      structural<TurnReply>('value altered', (row, _, { value }) => {
        const text = row.text.replaceAll(String(value), `${String(value).slice(0, -2)}xq`)
        return { row: { ...row, text }, words: text }
      }),
      semantic<TurnReply>('contradiction', (row, say) => {
        const text = takenBack(row.text, say)
        return { row: { ...row, text }, words: text }
      }),
      semantic<TurnReply>('of somebody else', (row, say) => {
        const text = say('not_mine', { fact: row.text })
        return { row: { ...row, text }, words: text }
      }),
      semantic<TurnReply>('something added', (row, say) => {
        const text = `${row.text} ${say('extra')}`
        return { row: { ...row, text }, words: text }
      }),
    ],
    'third-person': [
      structural<TurnReply>('value lost', (row) => {
        const text = 'It is so of the user: there is a thing.'
        return { row: { ...row, text }, words: text }
      }),
    ],
  },
}

export const MEMORA: Target = {
  suite: 'memora',
  prompts: new URL('../../src/suites/memora/pipeline/prompts/', import.meta.url),
  steps: [memora.userTurn, memora.assistantTurn] as never,
  unitOf: (_, { life, session }) => `${(life as { persona: string }).persona}/${session}`,
  defects: {
    user: [
      structural<TurnReply>('value lost', (row, _, { convey, session, turn }) => {
        const text = `Nothing of note, on day ${session} at ${turn}.`
        return convey === null ? null : { row: { ...row, text }, words: text }
      }),
      structural<TurnReply>('number added', (row) => {
        const text = `${row.text} I also walked 4,321 steps.`
        return { row: { ...row, text }, words: text }
      }),
      semantic<TurnReply>('contradiction', (row, say, { convey }) => {
        const text = takenBack(row.text, say)
        return convey === null ? null : { row: { ...row, text }, words: text }
      }),
      semantic<TurnReply>('of somebody else', (row, say, { convey }) => {
        const text = say('not_mine', { fact: row.text })
        return convey === null ? null : { row: { ...row, text }, words: text }
      }),
      semantic<TurnReply>('something added', (row, say) => {
        const text = `${row.text} ${say('extra')}`
        return { row: { ...row, text }, words: text }
      }),
    ],
    assistant: [
      structural<TurnReply>('name of the world', (row) => {
        const text = `${row.text} That would be $55.20, I think.`
        return { row: { ...row, text }, words: text }
      }),
    ],
  },
}

export const TARGETS = [MEMFAIL, MEME, MEMORA]
