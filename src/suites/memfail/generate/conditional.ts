import type { ConditionalRow } from '../../../corpora/memfail/schema.js'
import {
  type Behavior,
  behaviorOf,
  type Category,
  type Chosen,
  categoriesFor,
  conditionOf,
  conditionTypes,
  fillers,
  patterns,
  wordings,
} from './conditional-parts.js'
import { finish } from './english.js'
import type { Scope } from './expand.js'
import { lexiconOf } from './grammar.js'
import { templateVariablesFor, uniqueName, withSubject } from './people.js'
import { keyOf, placeInBlock } from './permutation.js'
import { formatRowNumber, RowSource, sample } from './source.js'

const ANSWER_BLOCK = 10
/** All but one in so many are pets, where a pet is possible. */
const PET_SHARE = 3
const EASY = { least: 5, most: 8 }
const HARD = { least: 8, most: 12 }

/** One rule about one entity, told in one sentence and told in three. */
export function conditionalRow(index: number, seed: number): ConditionalRow {
  const source = new RowSource('conditional', seed, index, lexiconOf('conditional'))
  const types = conditionTypes()
  const type = types[placeInBlock(index, types.length, keyOf('type', seed))]!
  const fit = categoriesFor(type)
  const category =
    fit.includes('pet') && source.random.below(PET_SHARE) > 0
      ? 'pet'
      : source.random.pick(fit.filter((one) => one !== 'pet'))
  const woman = placeInBlock(index, 2, keyOf('gender', seed)) === 0
  const name = nameOf(category, woman, index, seed)
  const person = templateVariablesFor({ woman, given: name })
  const behavior = behaviorOf(source, category, type, person)
  const chosen = conditionOf(source, type, category, person)
  const when = source.text(chosen.spec.when, chosen.scope)
  const met = placeInBlock(index, ANSWER_BLOCK, keyOf('answer', seed)) < ANSWER_BLOCK / 2
  const essays = essaysOf(source, category, behavior, chosen, when)
  return {
    id: `gen-cond-${formatRowNumber(index)}`,
    entity: name,
    category,
    behavior: behavior.scope.does!,
    conditionType: type,
    condition: when,
    conditionMet: met,
    ...questionOf(source, behavior, chosen, when, met),
    cues: {
      what: behavior.forms,
      condition: wordings(source, chosen, when),
      ...(chosen.threshold && { threshold: chosen.threshold }),
    },
    damaged: damagedOf(source, category, woman, behavior, chosen, when),
    ...essays,
    provenance: source.provenance({
      type,
      category,
      woman,
      answer: met ? 'yes' : 'no',
      numeric: chosen.threshold !== undefined,
      ...(chosen.asked && { asked: met ? chosen.asked.yes : chosen.asked.no }),
    }),
  }
}

/** Of each two rows one is about a woman, so that half as many names of each kind will do. */
function nameOf(category: Category, woman: boolean, index: number, seed: number): string {
  if (category !== 'person') return uniqueName(category, index, seed)
  return uniqueName(woman ? 'woman' : 'man', Math.floor(index / 2), seed)
}

function questionOf(source: RowSource, behavior: Behavior, chosen: Chosen, when: string, met: boolean) {
  const { spec, scope } = chosen
  const context = source.text(source.random.pick(met ? spec.yes : spec.no), scope)
  const ask = source.text(source.random.pick(patterns().asks), behavior.scope)
  const { n, does } = behavior.scope
  const text = met
    ? `Yes — ${source.text(spec.whyYes, scope)}, and that is when ${n} ${does}.`
    : `No — ${n} ${does} only ${when}, and ${source.text(spec.whyNo, scope)}.`
  return {
    question: `${finish(`${context}.`)} ${finish(ask)}`,
    questionContext: context,
    answer: met ? ('yes' as const) : ('no' as const),
    answerText: finish(text),
  }
}

/** Dropped, generalised, inverted, another number or "sometimes", another person. */
function damagedOf(
  source: RowSource,
  category: Category,
  woman: boolean,
  behavior: Behavior,
  chosen: Chosen,
  when: string,
): string[] {
  const { n, does } = behavior.scope
  const { spec, scope } = chosen
  const one = (ways: readonly string[]) => source.text(source.random.pick(ways), scope)
  const kin = category === 'pet' ? (woman ? 'petfemale' : 'petmale') : woman ? 'woman' : 'man'
  return [
    `${n} ${does}.`,
    `${n} ${does} ${one(spec.vague)}.`,
    `${n} ${does} ${one(spec.inverse)}.`,
    spec.changed.length > 0 ? `${n} ${does} ${one(spec.changed)}.` : `${n} sometimes ${does} ${when}.`,
    `${n}'s ${source.random.pick(patterns().relatives[kin]!)} ${does} only ${when}.`,
  ].map(finish)
}

function essaysOf(
  source: RowSource,
  category: Category,
  behavior: Behavior,
  chosen: Chosen,
  when: string,
): Pick<ConditionalRow, 'easy' | 'hard'> {
  const { random } = source
  const { rules, behaviors, links } = patterns()
  const { spec } = chosen
  const [easy, hard] = [EASY, HARD].map(({ least, most }) => least + random.below(most - least + 1)) as [number, number]
  const others = sample(fillers()[category], easy - 1 + hard - 3, random)
  const tell = (templates: readonly string[]) => opened(templates, source, behavior.scope)
  const rule = finish(source.text(random.pick(rules), { ...behavior.scope, when }))
  const parts = {
    behavior: finish(source.text(random.pick(behaviors), withSubject(behavior.scope, random.below(2) === 0))),
    condition: finish(source.unique(`${random.pick(spec.state)}, {statetail}.`, chosen.scope)),
    link: finish(source.text(random.pick(links), { ...behavior.scope, ...anaphora(source, behavior, chosen) })),
  }
  return {
    easy: { essay: spread(tell(others.slice(0, easy - 1)), [rule], random), rule },
    hard: { essay: spread(tell(others.slice(easy - 1)), random.shuffle(Object.values(parts)), random), ...parts },
  }
}

/** Condition and behaviour taken up again without being named. */
function anaphora(source: RowSource, behavior: Behavior, { spec, scope }: Chosen): Scope {
  const one = (ways: readonly string[], within: Scope) => source.text(source.random.pick(ways), within)
  return {
    meanwhile: one(spec.meanwhile, scope),
    other: one(spec.other, scope),
    takes: one(behavior.frame.takes, behavior.scope),
    rests: one(behavior.frame.rests, behavior.scope),
  }
}

/** Sentences beside the rule; the first of them names whom it is about. */
function opened(templates: readonly string[], source: RowSource, scope: Scope): string[] {
  const first = templates.findIndex((template) => /<Ss?>/.test(template.slice(0, 4)))
  const order = first < 0 ? [...templates] : [templates[first]!, ...templates.filter((_, i) => i !== first)]
  return order.map((template, i) =>
    finish(source.unique(template, withSubject(scope, i === 0 || source.random.below(2) === 0))),
  )
}

/** Puts sentences between others, never two side by side and never first. */
function spread(others: readonly string[], told: readonly string[], random: RowSource['random']): string {
  const gaps = sample(
    others.map((_, i) => i),
    told.length,
    random,
  ).sort((a, b) => a - b)
  return others.flatMap((sentence, i) => [sentence, ...(gaps.includes(i) ? [told[gaps.indexOf(i)]!] : [])]).join(' ')
}
