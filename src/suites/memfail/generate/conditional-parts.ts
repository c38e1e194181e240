import { z } from 'zod'
import { Condition, ConditionalGrammar, FillerFile, Frame } from '../../../corpora/memfail/grammar/schema.js'
import type { ConditionalRow } from '../../../corpora/memfail/schema.js'
import { numberWords } from '../../../language/number-words.js'
import { gerund, thirdPerson } from './english.js'
import type { Scope } from './expand.js'
import { once, readGrammar } from './grammar.js'
import type { RowSource } from './source.js'

export type Category = ConditionalRow['category']
type ConditionSpec = z.infer<typeof Condition>
type FrameSpec = z.infer<typeof Frame>

const conditions = once(() => readGrammar('conditions', z.array(Condition)))
const frames = once(() => readGrammar('frames', z.record(z.string(), z.array(Frame))))

/** How rules are told, linked and asked about. */
export const patterns = once(() => readGrammar('conditional', ConditionalGrammar))

/** Sentences beside the rule, by category. */
export const fillers = once(() => ({
  pet: readGrammar('fillers-pet', FillerFile),
  person: readGrammar('fillers-person', FillerFile),
  character: readGrammar('fillers-character', FillerFile),
}))

/** All types of conditions, in the order of the grammar. */
export const conditionTypes = once(() => [...new Set(conditions().map(({ type }) => type))])

/** Who can depend on a type of condition; animals only on what can be seen from outside. */
export function categoriesFor(type: string): Category[] {
  const categories = conditions().flatMap((spec) => (spec.type === type ? spec.for : []))
  return (['pet', 'person', 'character'] as const).filter((category) => categories.includes(category))
}

/** What somebody does, in all the forms that sentences need. */
export interface Behavior {
  scope: Scope
  frame: FrameSpec
  forms: string[]
}

/** Behaviours that say where they take place cannot depend on a place as well. */
const BOUND_TO_PLACE = new Set(['location', 'social_setting'])
const PLACED = /\{(?:path|room|outdoors|stronghold|@town)/

/** A behaviour of its own for each row. */
export function behaviorOf(source: RowSource, category: Category, type: string, person: Scope): Behavior {
  const fit = frames()[category]!.filter((frame) => !BOUND_TO_PLACE.has(type) || !PLACED.test(frame.do))
  const frame = source.random.pick(fit)
  const bound: Scope = {}
  const base = source.unique(frame.do, bound)
  const alt = frame.alt.map((text) => source.text(text, bound))
  const does = thirdPerson(base)
  const scope = { ...person, ...bound, do: base, does, ing: gerund(base), n: person.n! }
  const forms = [does, gerund(base), base, ...alt.map(thirdPerson), gerund(alt[0]!), source.text(frame.done, bound)]
  return { scope, frame, forms: [...new Set(forms)] }
}

/** A condition with its choices made; `scope` holds them. */
export interface Chosen {
  spec: ConditionSpec
  scope: Scope
  threshold?: NonNullable<ConditionalRow['cues']['threshold']>
  /** The numbers a question names, on either side of the threshold. */
  asked?: { yes: number; no: number }
}

/** All wordings of a condition, that of the rule first, and the bare state of affairs. */
export function wordings(source: RowSource, { spec, scope }: Chosen, when: string): string[] {
  const bare = when.replace(/^(?:when|while|after) /, '')
  return [...new Set([when, ...spec.forms.map((form) => source.text(form, scope)), bare])]
}

/** Chooses a condition of a type and fills it in. */
export function conditionOf(source: RowSource, type: string, category: Category, person: Scope): Chosen {
  const { random } = source
  const spec = random.pick(conditions().filter((one) => one.type === type && one.for.includes(category)))
  const scope: Scope = { ...person, n0: person.n! }
  for (const [key, template] of Object.entries(spec.vars)) scope[key] = source.text(template, scope)
  if (!spec.number) return { spec, scope }
  const { range, yes, no, changed, comparison, from } = spec.number
  const within = ([least, most]: readonly [number, number]) => least + random.below(most - least + 1)
  const value = within(range)
  const unit = source.text(spec.number.unit, scope)
  const values = { n: value, y: value + within(yes), z: value + within(no), c: value + changed }
  for (const [key, number] of Object.entries(values)) {
    scope[key] = numberWords(number)
    scope[`${key}d`] = String(number)
  }
  if (from !== undefined) return { spec, scope, threshold: { comparison, value: from, to: value, unit } }
  return { spec, scope, threshold: { comparison, value, unit }, asked: { yes: values.y, no: values.z } }
}
