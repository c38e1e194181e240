import { z } from 'zod'
import { readData } from '../../src/base/data-file.js'
import type { Fact, Question, Scenario } from '../../src/model/index.js'

const Roles = z.enum(['who', 'what', 'condition', 'number', 'relation', 'value', 'detail'])

const Story = z.object({
  conversations: z.array(
    z.object({
      id: z.string(),
      time: z.string(),
      turns: z.array(z.object({ role: z.enum(['user', 'assistant']), text: z.string() })),
    }),
  ),
  facts: z.array(
    z.object({
      id: z.string(),
      text: z.string(),
      sources: z.array(z.string()),
      validFrom: z.string().optional(),
      validUntil: z.string().optional(),
      replaces: z.string().optional(),
      cues: z.object({
        kind: z.enum(['rule', 'preference', 'statement']),
        parts: z.array(z.object({ role: Roles, forms: z.array(z.string()) })),
        exclusive: z.boolean().optional(),
        threshold: z.object({ comparison: z.enum(['below', 'above']), value: z.number(), unit: z.string() }).optional(),
      }),
    }),
  ),
  probe: z.object({ id: z.string(), time: z.string() }),
  questions: z.array(
    z.object({
      id: z.string(),
      about: z.string(),
      text: z.string(),
      needs: z.array(z.array(z.string())),
      gone: z.array(z.string()).optional(),
      outdated: z.array(z.string()).default([]),
      answer: z.string(),
    }),
  ),
})

/** What each question of the story looks for, by the question's id. */
export type StoryTraits = ReadonlyMap<string, string>

/**
 * A life in eight conversations, small enough to be read at a glance: two likes that stand side by side, a rule with a condition, a value
 * that changes, a string to be kept to the letter, a detail of somebody else, a wish to delete, and something that follows from a change.
 * Every memory system has a script of what its model says in it.
 */
export function loadStory(): { scenario: Scenario; traits: StoryTraits } {
  const { conversations, facts, probe, questions } = readData(new URL('./story.json', import.meta.url), Story)
  const asked = questions.map(
    ({ about, answer, gone, ...question }): Question => ({
      ...question,
      ...(gone && { gone }),
      task: 'story',
      gold: { kind: 'free', text: answer },
      tags: { about },
    }),
  )
  return {
    scenario: {
      id: 'story',
      suite: 'story',
      facts: facts.map(({ cues, ...fact }): Fact => ({ ...fact, cues: { ...cues, explicit: true } })),
      timeline: [
        ...conversations.map((conversation) => ({ type: 'conversation' as const, conversation })),
        { type: 'probe', probe: { ...probe, questions: asked } },
      ],
    },
    traits: new Map(questions.map(({ id, about }) => [id, about])),
  }
}
