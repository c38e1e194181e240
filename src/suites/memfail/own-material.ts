import type { CoexistingRow, ConditionalRow, LongHopRow, PersonaRow } from '../../corpora/memfail/schema.js'
import type { CuePart } from '../../model/index.js'
import { LETTERS, type Material, type MaterialRow, type MemfailTask, rowOfFacts } from './material.js'
import { type OwnRows, readOwn } from './own.js'

/** Rows in our own layout as material: the bundled corpus, or a folder of generated or exported rows. */
export function loadOwn(task: MemfailTask, folder?: URL): Material {
  const own = readOwn(task, folder)
  return { task, rows: rowsOf(task, own), audit: [], hash: own.hash }
}

/** Rows in our layout as material. */
export function rowsOf(task: MemfailTask, own: OwnRows): MaterialRow[] {
  switch (own.kind) {
    case 'conditional':
      return own.rows.map((row) => {
        if (task === 'conditional-easy') return conditional(row, row.easy.essay, [row.easy.rule])
        const { essay, behavior, condition, link } = row.hard
        return conditional(row, essay, [behavior, condition, link])
      })
    case 'coexisting':
      return own.rows.map(coexisting)
    case 'persona':
      return own.rows.map(persona)
    case 'long-hop':
      return own.rows.map(longHop)
  }
}

function conditional(row: ConditionalRow, essay: string, evidence: string[]): MaterialRow {
  return {
    id: row.id,
    units: [{ text: essay }],
    facts: [
      {
        unit: 0,
        text: essay,
        evidence,
        ...(evidence.length > 1 && { spread: true }),
        cues: {
          kind: 'rule',
          explicit: true,
          exclusive: true,
          parts: [
            { role: 'who', forms: [row.entity] },
            { role: 'what', forms: row.cues.what },
            { role: 'condition', forms: row.cues.condition },
          ],
          ...(row.cues.threshold && { threshold: row.cues.threshold }),
          damaged: row.damaged,
        },
      },
    ],
    questions: [
      {
        text: row.question,
        needs: [[0]],
        gold: { kind: 'yes-no', answer: row.answer, text: row.answerText },
        tags: { 'condition type': row.conditionType },
        flags: [],
      },
    ],
  }
}

function coexisting({ id, preferences, question }: CoexistingRow): MaterialRow {
  const items = preferences.map(({ name }) => name)
  const facts = preferences.map(({ fact, forms, damaged }) => {
    const parts = [{ role: 'value' as const, forms }]
    return { text: fact, cues: { kind: 'preference' as const, explicit: true, parts, damaged } }
  })
  const gold = { kind: 'list' as const, items, text: items.join(', ') }
  return rowOfFacts(id, facts, { text: question, gold, tags: { N: String(items.length) }, flags: [] })
}

function persona(row: PersonaRow): MaterialRow {
  const indexOf = new Map(row.details.map(({ id }, index) => [id, index]))
  return {
    id: row.id,
    units: [{ text: row.essay }],
    facts: row.details.map(({ sentence, parts, damaged }) => ({
      unit: 0,
      text: sentence,
      evidence: [sentence],
      cues: {
        kind: 'statement',
        explicit: true,
        parts: [{ role: 'who', forms: [row.entity] }, ...parts.map((forms) => ({ role: 'value' as const, forms }))],
        damaged,
      },
    })),
    questions: row.questions.map((question) => ({
      text: question.text,
      needs: question.misleading ? [] : [question.needs.map((id) => indexOf.get(id)!)],
      ...(question.misleading && { tempting: row.details.map((_, index) => index) }),
      gold: question.misleading
        ? { kind: 'abstain', about: question.distractor, text: `Nothing is known about ${question.distractor}.` }
        : { kind: 'free', text: question.answer },
      tags: { kind: question.misleading ? 'misleading' : 'direct' },
      flags: [],
    })),
  }
}

function longHop({ id, facts, question, answer, choices, hops }: LongHopRow): MaterialRow {
  const links = facts.map(({ text, from, to, relation, damaged }) => {
    const parts: CuePart[] = [
      { role: 'what', forms: from },
      { role: 'relation', forms: relation },
      { role: 'value', forms: to },
    ]
    return { text, cues: { kind: 'link' as const, explicit: true, parts, damaged } }
  })
  return rowOfFacts(id, links, {
    text: question,
    choices: choices.map((text, i) => ({ letter: LETTERS[i]!, text })),
    gold: { kind: 'choice', letter: LETTERS[choices.indexOf(answer)]!, text: answer },
    tags: { K: String(hops) },
    flags: [],
  })
}
