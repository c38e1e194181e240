import { stringify } from 'csv-stringify/sync'
import type { CoexistingRow, ConditionalRow, LongHopRow, PersonaRow } from '../../corpora/memfail/schema.js'
import { releasePath } from './findings.js'
import { LETTERS, type MemfailTask } from './material.js'
import type { OwnRows } from './own.js'

/** A file of the published layout, and what could not be put into it. */
export interface PublishedFile {
  path: string
  text: string
  dropped: string[]
}

const MOST_HOPS = 3

/**
 * Rows in the authors' CSV layout, so that other tools can read them. Cues and damaged versions have no place there, nor have chains of
 * more than three hops; `dropped` says so.
 */
export function toPublished(task: MemfailTask, own: OwnRows): PublishedFile {
  const path = releasePath(task)
  switch (own.kind) {
    case 'conditional':
      return {
        path,
        text: csv(own.rows.map((row) => conditional(row, task))),
        dropped: [DROPPED, 'which sentences state the rule'],
      }
    case 'coexisting':
      return { path, text: csv(own.rows.map(coexisting)), dropped: [DROPPED] }
    case 'persona':
      return { path, text: csv(own.rows.map(persona)), dropped: [DROPPED, 'which sentences answer a question'] }
    case 'long-hop': {
      const kept = own.rows.filter(({ hops }) => hops <= MOST_HOPS)
      const gone = own.rows.length - kept.length
      return {
        path,
        text: csv(kept.map(longHop)),
        dropped: [DROPPED, ...(gone > 0 ? [`${gone} chains of more than ${MOST_HOPS} hops`] : [])],
      }
    }
  }
}

const DROPPED = 'cues and damaged versions'

function conditional(row: ConditionalRow, task: MemfailTask): Record<string, string> {
  return {
    entity: row.entity,
    entity_category: row.category,
    behavior: row.behavior,
    condition_type: row.conditionType,
    condition: row.condition,
    entity_facts: JSON.stringify([task === 'conditional-easy' ? row.easy.essay : row.hard.essay]),
    question: row.question,
    question_context: row.questionContext,
    condition_met: row.conditionMet ? 'yes' : 'no',
    ground_truth_answer: row.answerText,
  }
}

function coexisting({ category, question, preferences }: CoexistingRow): Record<string, string> {
  return {
    preference_category: category,
    preferences: JSON.stringify(preferences.map(({ name }) => name)),
    preference_facts: JSON.stringify(preferences.map(({ fact }) => fact)),
    question,
    ground_truth_answer: preferences.map(({ name }) => name).join(', '),
  }
}

function persona({ entity, essay, questions }: PersonaRow): Record<string, string> {
  return {
    entity,
    entity_facts: JSON.stringify([essay]),
    questions: JSON.stringify(
      questions.map((question) => ({
        text: question.text,
        is_misleading: question.misleading,
        distractor: question.misleading ? question.distractor : null,
        ground_truth_answer: question.misleading
          ? `I don't have information about ${question.distractor}.`
          : question.answer,
      })),
    ),
  }
}

function longHop({ id, hops, facts, anchors, question, answer, choices }: LongHopRow): Record<string, string> {
  const numbered = (name: string, values: readonly string[], count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`${name}_${i + 1}`, values[i] ?? '']))
  const options = choices.map((choice, i) => `${LETTERS[i]}. ${choice}`).join('\n')
  return {
    id,
    hop_count: String(hops),
    ...numbered(
      'fact',
      facts.map(({ text }) => text),
      4,
    ),
    ...numbered('chain', anchors, 5),
    graded_question: `${question}\n\nOptions:\n${options}`,
    ground_truth_answer: answer,
    ...Object.fromEntries(choices.map((choice, i) => [`choice_${LETTERS[i]!.toLowerCase()}`, choice])),
    correct_choice: LETTERS[choices.indexOf(answer)]!,
  }
}

function csv(rows: Record<string, string>[]): string {
  return stringify(rows, { header: true })
}
