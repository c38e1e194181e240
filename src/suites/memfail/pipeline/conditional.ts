import { z } from 'zod'
import { entryOf } from '../../../base/group-by.js'
import { Random } from '../../../base/random.js'
import { escapeRegExp, fold } from '../../../base/text.js'
import type { ConditionalRow } from '../../../corpora/memfail/schema.js'
import { fill } from '../../generation/fill.js'
import { type Maker, type Refusal, rowStep } from '../../generation/maker.js'
import { conditionalRow } from '../generate/conditional.js'
import { type Category, categoriesFor, conditionTypes } from '../generate/conditional-parts.js'
import { uniqueName } from '../generate/people.js'
import { FORBIDDEN } from '../lint/conditional-rules.js'
import { compatible, filterRows, proposed, type RowReading, refusals } from './reading.js'

/** What a rule is to be: its kind of condition, whom it is about, and whether the question meets it. */
interface RuleSpec {
  row: number
  condition_type: string
  category: Category
  /** By our rules given, so that both come equally often, and with a name that nobody else has; by the paper's the model chooses. */
  condition_met?: 'yes' | 'no'
  entity?: string
}

const Rule = z.object({
  row: z.number().int(),
  entity: z.string().min(1),
  behavior: z.string().min(1),
  condition: z.string().min(1),
  rule: z.string().min(1),
  other_wordings: z.object({ behavior: z.array(z.string()), condition: z.array(z.string()) }),
  question: z.string().min(1),
  situation: z.string().min(1),
  condition_met: z.enum(['yes', 'no']),
  answer: z.string().min(1),
})
type Rule = z.infer<typeof Rule>

const Easy = z.object({ row: z.number().int(), essay: z.string().min(1), rule: z.string().min(1) })
const Hard = z.object({
  row: z.number().int(),
  essay: z.string().min(1),
  behavior: z.string().min(1),
  condition: z.string().min(1),
  link: z.string().min(1),
})

/** A rule to be told in an essay. */
type Telling = RuleSpec & Pick<Rule, 'entity' | 'behavior' | 'condition' | 'rule'>

export const rules = rowStep<RuleSpec, Rule>('conditional', Rule, (spec) => {
  const { own, entity } = rehearsed(spec)
  return {
    row: spec.row,
    entity,
    behavior: own.behavior,
    condition: own.condition,
    rule: own.easy.rule,
    other_wordings: { behavior: own.cues.what.slice(1), condition: own.cues.condition.slice(1) },
    question: own.question,
    situation: own.questionContext,
    condition_met: own.answer,
    answer: own.answerText,
  }
})

export const easyEssays = rowStep<Telling, z.infer<typeof Easy>>('conditional-easy', Easy, (spec) => {
  return { row: spec.row, ...rehearsed(spec).own.easy }
})

export const hardEssays = rowStep<Telling, z.infer<typeof Hard>>('conditional-hard', Hard, (spec) => {
  return { row: spec.row, ...rehearsed(spec).own.hard }
})

/** How far rows that a rehearsal takes lie apart, so that no two specs get the same. */
const APART = 640
const found = new Map<string, ConditionalRow>()

/** A row of the keyless generator that is what a spec asks for, under the name that it gives. */
function rehearsed({ row, condition_type, category, condition_met, entity }: RuleSpec) {
  const answer = condition_met ?? (row % 2 === 0 ? 'yes' : 'no')
  const own = entryOf(found, `${row} ${condition_type} ${category} ${answer}`, () => {
    for (let index = row * APART; ; index++) {
      const one = conditionalRow(index, 42)
      if (one.conditionType === condition_type && one.category === category && one.answer === answer) return one
    }
  })
  const name = entity ?? own.entity
  const renamed = JSON.stringify(own).replace(new RegExp(`\\b${escapeRegExp(own.entity)}\\b`, 'g'), name)
  return { own: JSON.parse(renamed) as ConditionalRow, entity: name }
}

export const conditionalReading: RowReading<ConditionalRow> = {
  kind: 'conditional',
  tasks: ['conditional-easy', 'conditional-hard'],
  judged: ['conditional-easy'],
  paperRules: ['sentence-count', 'forbidden-connective', 'marked-sentences', 'label', 'condition-type'],
  dedup: { threshold: 0.8, texts: ({ easy, hard }) => [easy.essay, hard.essay] },
  asOwn: (rows) => ({ kind: 'conditional', rows, hash: '' }),
  claims: (row) => {
    const situation = `In the situation "${row.questionContext}" that condition is ${row.conditionMet ? '' : 'not '}met.`
    return [row.easy.essay, row.hard.essay].map((text) => ({ text, claims: [ruleOf(row), situation] }))
  },
  claimOf: ruleOf,
  pieces: ({ entity, behavior, condition, cues, hard }) => [
    {
      text: hard.behavior,
      claim: `${entity} ${behavior}.`,
      cues: { kind: 'statement', explicit: true, parts: [{ role: 'what', forms: cues.what }] },
    },
    {
      text: hard.condition,
      claim: `${condition}.`,
      cues: { kind: 'statement', explicit: true, parts: [{ role: 'condition', forms: cues.condition }] },
    },
  ],
}

/** Stratum of rows whose answer the model chooses. */
const EITHER = 'either'

function ruleOf({ entity, behavior, condition }: ConditionalRow): string {
  return `${entity} ${behavior} only ${condition}.`
}

/** Rules with a condition, each told in one sentence of an essay and over three of another. */
export async function makeConditional(maker: Maker, target: number, seed: number): Promise<ConditionalRow[]> {
  const sound = maker.making.rules === 'sound'
  return fill<RuleSpec, ConditionalRow>(maker, {
    strata: Array.from({ length: target }, (_, at) => (!sound ? EITHER : at % 2 === 0 ? 'yes' : 'no')),
    stratumOf: ({ answer }) => (sound ? answer : EITHER),
    spec(place, stratum) {
      const random = new Random(`conditional spec ${seed} ${place}`)
      const type = random.pick(conditionTypes())
      const category = random.pick(categoriesFor(type))
      const kind = category === 'person' ? (random.below(2) === 0 ? 'woman' : 'man') : category
      return {
        row: place + 1,
        condition_type: type,
        category,
        ...(sound && { condition_met: stratum === 'yes' ? 'yes' : 'no', entity: uniqueName(kind, place, seed) }),
      }
    },
    async make(specs, kept) {
      const found = await proposed(maker, 'proposed', rules, specs, ruleProblems)
      const tellings = specs.flatMap((spec): Telling[] => {
        const rule = found.get(spec.row)
        return rule
          ? [{ ...spec, entity: rule.entity, behavior: rule.behavior, condition: rule.condition, rule: rule.rule }]
          : []
      })
      const rowOf = (spec: Telling, essays: Pick<ConditionalRow, 'easy' | 'hard'>) =>
        conditionalFrom(found.get(spec.row)!, spec, seed, essays)
      const none = { easy: { essay: '', rule: '' }, hard: { essay: '', behavior: '', condition: '', link: '' } }
      const check = (task: 'conditional-easy' | 'conditional-hard', row: ConditionalRow) => [
        ...refusals(conditionalReading, row, maker.making.rules, [task]),
        ...(task === 'conditional-hard' ? whole(row) : otherRules(row)),
      ]
      const easy = await proposed(maker, 'told easily', easyEssays, tellings, ({ row: _, ...telling }, spec) =>
        check('conditional-easy', rowOf(spec, { ...none, easy: telling })),
      )
      const told = tellings.filter(({ row }) => easy.has(row))
      const hard = await proposed(maker, 'told hard', hardEssays, told, ({ row: _, ...telling }, spec) =>
        check('conditional-hard', rowOf(spec, { ...none, hard: telling })),
      )
      const rows = told.flatMap((spec) => {
        const [one, other] = [easy.get(spec.row), hard.get(spec.row)]
        if (!one || !other) return []
        const [{ row: _, ...plain }, { row: __, ...spread }] = [one, other]
        return rowOf(spec, { easy: plain, hard: spread })
      })
      return filterRows(maker, conditionalReading, compatible(maker, conditionalReading, rows, kept))
    },
  })
}

function ruleProblems(row: Rule, spec: RuleSpec): Refusal[] {
  const found: Refusal[] = []
  const wrong = (rule: string, message: string) => found.push({ rule, message })
  if (spec.entity !== undefined && row.entity !== spec.entity)
    wrong('name', `The entity must be ${spec.entity}, not ${row.entity}.`)
  if (spec.condition_met !== undefined && row.condition_met !== spec.condition_met)
    wrong('label', `condition_met must be ${spec.condition_met}.`)
  if (!fold(row.answer).startsWith(row.condition_met))
    wrong('label', `The answer must begin with ${row.condition_met}.`)
  if (!fold(row.question).includes(fold(row.entity.split(' ')[0]!)))
    wrong('question-names-entity', `The question must name ${row.entity}.`)
  if (
    !/^(?:when|while|after|before|during|in|on|at|if|as|once|with|for|within|between|under|over|near|by|from|until|where|no|less|more|fewer)\b/.test(
      fold(row.condition),
    )
  )
    wrong('condition', 'The condition must go on behind "only": "when it rains", "after five in the afternoon".')
  if (/\b(?:sometimes|often|usually|now and then)\b/.test(fold(row.condition)))
    wrong('condition', 'The condition must be one that can be tested.')
  return found
}

/** An easy essay has one rule, and no other conditional sentence. */
function otherRules({ easy: { essay, rule } }: ConditionalRow): Refusal[] {
  const [found] = FORBIDDEN.exec(fold(essay.replace(rule, ' '))) ?? []
  return found === undefined
    ? []
    : [{ rule: 'forbidden-connective', message: `Only the rule may have a connective such as "${found}".` }]
}

/** No sentence of a rule that is spread tells all of it, and the behaviour and the condition keep to their own. */
function whole({ hard, behavior, condition }: ConditionalRow): Refusal[] {
  const has = (sentence: string, phrase: string) => fold(sentence).includes(fold(phrase))
  const told = [hard.behavior, hard.condition, hard.link].find((one) => has(one, behavior) && has(one, condition))
  return told === undefined
    ? []
    : [{ rule: 'rule-in-one-sentence', message: `One sentence tells the whole rule: ${told}` }]
}

function conditionalFrom(
  rule: Rule,
  spec: RuleSpec,
  seed: number,
  essays: Pick<ConditionalRow, 'easy' | 'hard'>,
): ConditionalRow {
  const { entity, behavior, condition, other_wordings: others } = rule
  return {
    id: `mod-cond-${String(spec.row).padStart(6, '0')}`,
    entity,
    category: spec.category,
    behavior,
    conditionType: spec.condition_type,
    condition,
    conditionMet: rule.condition_met === 'yes',
    question: rule.question,
    questionContext: rule.situation,
    answer: rule.condition_met,
    answerText: rule.answer,
    cues: { what: distinct([behavior, ...others.behavior]), condition: distinct([condition, ...others.condition]) },
    damaged: [
      `${entity} ${behavior}.`,
      `${entity} never ${behavior} ${condition}.`,
      `Somebody ${entity} knows ${behavior} only ${condition}.`,
    ],
    ...essays,
    provenance: {
      generator: 'memfail/conditional with a model',
      version: '1',
      seed,
      index: spec.row - 1,
      spec: { type: spec.condition_type, category: spec.category, answer: rule.condition_met },
    },
  }
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts.map((text) => text.trim()))].filter((text) => text !== '')
}
