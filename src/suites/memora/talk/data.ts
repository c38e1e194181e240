import { z } from 'zod'
import { readData } from '../../../base/data.js'
import { DOCUMENTS, TASTES } from '../trace.js'

/** Parts of a conversation, in order. */
export const PHASES = ['opening', 'exploration', 'memory', 'closing'] as const
export type TalkPhase = (typeof PHASES)[number]

/** Kinds of statements by which a user changes what is to be remembered. */
export const STATEMENTS = [
  'taste.like',
  'taste.dislike',
  'seen.like',
  'seen.dislike',
  'taste.delete',
  'taste.flip',
  'taste.replace',
  'food',
  'steps',
  'todo.add',
  'todo.delete',
  'calendar.add',
  'calendar.update',
  'calendar.correct',
  'calendar.delete',
  'calendar.drop',
  'goal.food.set',
  'goal.food.change',
  'goal.steps.set',
  'goal.steps.change',
] as const
export type StatementKind = (typeof STATEMENTS)[number]

/** How an assistant takes note of each, without a word of what was said. */
export const NOTES = [
  'taste.add',
  'taste.delete',
  'taste.change',
  'food',
  'steps',
  'todo.add',
  'todo.delete',
  'calendar.add',
  'calendar.update',
  'calendar.delete',
  'calendar.drop',
  'goal',
] as const
export type NoteKind = (typeof NOTES)[number]

/** What is said around a document. */
export const DOCUMENT_MOVES = [
  'request',
  'agree',
  'ask',
  'give',
  'between',
  'drafted',
  'update',
  'delete',
  'willing',
  'added',
  'filled',
  'removed',
  'revised',
  'reverted',
  'edited',
  'enough',
  'complete',
  'kept',
] as const
export type DocumentMove = (typeof DOCUMENT_MOVES)[number]

/** Prose in which `{a|b}` is a choice and `{name}` a slot. */
const prose = z.string().regex(/^\S(?:.*\S)?$/)
const paraphrases = (least: number) => z.array(prose).min(least)
const flow = z.string().transform((intents) => intents.split(' '))

const Flows = z
  .strictObject({
    intents: z.record(z.string(), z.strictObject({ speaker: z.enum(['user', 'assistant']), does: prose })),
    opening: z.array(flow).min(1),
    exploration: z.array(flow).min(1),
    memory: z.array(flow).min(1),
    closing: z.array(flow).min(1),
  })
  .superRefine(({ intents, ...phases }, context) => {
    for (const [phase, flows] of Object.entries(phases)) {
      for (const one of flows) {
        const speakers = one.map((intent) => intents[intent]?.speaker)
        if (speakers.some((speaker, at) => speaker === undefined || speaker === speakers[at - 1])) {
          context.addIssue(`${phase}: expected known intents of alternating speakers, got: ${one.join(' ')}`)
        }
      }
      for (const speaker of ['user', 'assistant']) {
        if (!flows.some((one) => intents[one[0]!]?.speaker === speaker))
          context.addIssue(`${phase}: no flow begins with the ${speaker}`)
      }
    }
  })

const exchange = z.tuple([prose, prose])
const Curios = z.array(z.strictObject({ topic: prose, fact: prose, exchanges: z.array(exchange).min(3) }))
const Musings = z.array(z.strictObject({ topic: prose, exchanges: z.array(exchange).min(3) }))

const Nouns = z.record(
  z.enum(TASTES),
  z.strictObject({
    seen: z.strictObject({ did: prose, done: prose }),
    subcategories: z.record(z.string(), z.array(prose).min(3)),
  }),
)

/** `quoted`: its values are phrases rather than names, and stand in quotation marks. */
const Field = z.strictObject({
  label: prose,
  quoted: z.boolean(),
  ask: paraphrases(3),
  give: paraphrases(3),
})

const Documents = z
  .strictObject({
    kinds: z.record(z.enum(DOCUMENTS), z.strictObject({ a: prose, the: prose, fields: z.record(z.string(), Field) })),
  })
  .extend(
    Object.fromEntries(DOCUMENT_MOVES.map((move) => [move, paraphrases(10)])) as Record<
      DocumentMove,
      ReturnType<typeof paraphrases>
    >,
  )

export type Flows = z.output<typeof Flows>
export type DocumentPhrases = z.infer<typeof Documents>

/** All words of the conversations, each file checked against its schema. */
export interface TalkData {
  flows: Flows
  moves: Record<string, string[]>
  curios: z.infer<typeof Curios>
  musings: z.infer<typeof Musings>
  nouns: z.infer<typeof Nouns>
  statements: Record<StatementKind, string[]>
  notes: Record<NoteKind, string[]>
  documents: DocumentPhrases
}

const read = <T>(name: string, schema: z.ZodType<T>): T =>
  readData(new URL(`../../../corpora/memora/talk/${name}.json`, import.meta.url), schema)

let data: TalkData | undefined

/** The phrase files, read once. A paraphrase added there is used from the next run on. */
export function talkData(): TalkData {
  data ??= {
    flows: read('flows', Flows),
    moves: read('moves', z.record(z.string(), paraphrases(10))),
    curios: read('curios', Curios),
    musings: read('musings', Musings),
    nouns: read('nouns', Nouns),
    statements: read('statements', z.record(z.enum(STATEMENTS), paraphrases(12))),
    notes: read('notes', z.record(z.enum(NOTES), paraphrases(8))),
    documents: read('documents', Documents),
  }
  return data
}
