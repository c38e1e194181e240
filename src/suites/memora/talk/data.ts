import { z } from 'zod'
import { readData } from '../../../base/data-file.js'
import { recordOf } from '../seed.js'
import { DOCUMENTS, TASTES } from '../trace.js'

/** Parts of a conversation, in order. */
const PHASES = ['opening', 'exploration', 'memory', 'closing'] as const
export type TalkPhase = (typeof PHASES)[number]

/** Kinds of statements by which a user changes what is to be remembered. */
const STATEMENTS = [
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
const NOTES = [
  'taste.add',
  'taste.delete',
  'taste.change',
  'food',
  'steps',
  'todo.add',
  'todo.delete',
  'goal',
  'calendar.add',
  'calendar.update',
  'calendar.delete',
  'calendar.drop',
] as const
export type NoteKind = (typeof NOTES)[number]

/** What is said around a document. */
const DOCUMENT_MOVES = [
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
const flows = z.array(z.string().transform((intents) => intents.split(' '))).min(1)

const Flows = z
  .strictObject({
    intents: z.record(z.string(), z.strictObject({ speaker: z.enum(['user', 'assistant']), does: prose })),
    ...recordOf(PHASES, () => flows),
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

const exchanges = z.array(z.tuple([prose, prose])).min(3)

const Nouns = z.record(
  z.enum(TASTES),
  z.strictObject({
    seen: z.strictObject({ did: prose, done: prose }),
    subcategories: z.record(z.string(), paraphrases(3)),
  }),
)

/** `quoted`: its values are phrases rather than names, and stand in quotation marks. */
const Field = z.strictObject({ label: prose, quoted: z.boolean(), ask: paraphrases(3), give: paraphrases(3) })

const Documents = z.strictObject({
  kinds: z.record(z.enum(DOCUMENTS), z.strictObject({ a: prose, the: prose, fields: z.record(z.string(), Field) })),
  ...recordOf(DOCUMENT_MOVES, () => paraphrases(10)),
})

export type DocumentPhrases = z.infer<typeof Documents>
export type TalkData = ReturnType<typeof readTalk>

const read = <T>(name: string, schema: z.ZodType<T>): T =>
  readData(new URL(`../../../corpora/memora/talk/${name}.json`, import.meta.url), schema)

const readTalk = () => ({
  flows: read('flows', Flows),
  moves: read('moves', z.record(z.string(), paraphrases(10))),
  curios: read('curios', z.array(z.strictObject({ topic: prose, fact: prose, exchanges }))),
  musings: read('musings', z.array(z.strictObject({ topic: prose, exchanges }))),
  nouns: read('nouns', Nouns),
  statements: read('statements', z.record(z.enum(STATEMENTS), paraphrases(12))),
  notes: read('notes', z.record(z.enum(NOTES), paraphrases(8))),
  documents: read('documents', Documents),
})

let data: TalkData | undefined

/** All words of the conversations, each file checked against its schema and read once; a paraphrase added there is used from the next run on. */
export function talkData(): TalkData {
  data ??= readTalk()
  return data
}
