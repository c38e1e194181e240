import { z } from 'zod'

/** A text with slots; see `suites/memfail/generate/template.ts` for how they are written. */
const template = z.string()
const templates = z.array(template).min(1)

/** Word lists by name. */
export const LexiconFile = z.record(z.string(), templates)

const linkTemplate = z.strictObject({ text: template, relation: templates })

/** Chains: how each class of anchor is spoken of, linked to and asked for. */
export const LongHopGrammar = z.strictObject({
  classes: z.record(z.string(), z.strictObject({ subject: templates, setting: templates, vague: templates })),
  links: z.record(z.string(), z.array(linkTemplate).min(4)),
  /** Sentences around a fact. */
  tellings: templates,
  questions: z.record(z.string(), templates),
})

/** Preferences: categories, the shape of their names, and what is said and asked. */
export const CoexistingGrammar = z.strictObject({
  groups: z.record(z.string(), z.strictObject({ do: template, vague: template, openers: templates })),
  shapes: z.record(z.string(), z.strictObject({ name: template, forms: templates })),
  categories: z.array(
    z.strictObject({ name: z.string(), noun: z.string(), group: z.string(), shape: z.string(), heads: templates }),
  ),
  facts: templates,
  damaged: z.strictObject({ vague: templates, denied: templates, other: templates }),
  questions: templates,
  /** A closing remark, so that no two questions are nearly the same. */
  tails: z.array(z.string()).min(30),
})

/** Circumstances in two wordings; `without` lists the kinds of details that would contradict an occasion. */
export const Circumstances = z.strictObject({
  note: z.string(),
  occasions: z.array(z.strictObject({ say: z.string(), ask: z.string(), without: z.array(z.string()) })),
  details: z.array(z.strictObject({ say: z.string(), ask: z.string(), kind: z.string() })),
})

/** A particular of a persona: told, damaged, asked and answered from the same choices. */
export const PersonaDetail = z.strictObject({
  id: z.string(),
  /** The choices it is made of, bound to keys; every sentence tells them all. */
  vars: template,
  sentences: templates,
  /** Accepted forms of each part; any one of a list suffices. */
  parts: z.array(templates).min(1),
  changed: templates,
  vague: templates,
  questions: templates,
  answer: template,
})

export const PersonaGrammar = z.strictObject({
  flavors: templates,
  openings: templates,
  details: z.array(PersonaDetail).min(1),
})

/** Sentences that tell nothing that is asked for. */
export const FillerFile = templates

/** What somebody does: a verb with its object and where it happens. */
export const Frame = z.strictObject({
  /** Base form, with slots bound to keys that the other texts use. */
  do: template,
  /** Other base forms that say the same. */
  alt: templates,
  /** It as a thing done, for a summary that turns the sentence round. */
  done: template,
  /** Clauses that say that it takes place, and that it does not, for the link sentence. */
  takes: templates,
  rests: templates,
})

const number = z.strictObject({
  /** Where an interval begins; the number is its end. */
  from: z.number().optional(),
  range: z.tuple([z.number(), z.number()]),
  /** How far from the threshold a question goes, and how far the damaged version is off. */
  yes: z.tuple([z.number(), z.number()]),
  no: z.tuple([z.number(), z.number()]),
  changed: z.number(),
  comparison: z.enum(['below', 'at-most', 'above', 'at-least', 'exactly', 'before', 'after', 'between']),
  unit: template,
})

/** One kind of condition, with everything that is said about it. */
export const Condition = z.strictObject({
  type: z.string(),
  for: z.array(z.enum(['pet', 'person', 'character'])).min(1),
  /** Lexicon picks made first and bound, `key: template`. */
  vars: z.record(z.string(), template),
  number: number.optional(),
  when: template,
  forms: templates,
  vague: templates,
  inverse: templates,
  /** With another number; empty when there is none. */
  changed: z.array(template),
  yes: templates,
  no: templates,
  whyYes: template,
  whyNo: template,
  state: templates,
  /** Takes the condition up again, and its opposite, without naming it. */
  meanwhile: templates,
  other: templates,
})

export const ConditionalGrammar = z.strictObject({
  rules: templates,
  behaviors: templates,
  links: templates,
  asks: templates,
  relatives: z.record(z.string(), templates),
})
