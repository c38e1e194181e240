import type { Conversation, Fact, Question, Scenario, Turn } from '../../model/index.js'
import { orderOf, pack } from './layout.js'
import type { Material } from './material.js'

/** How units become conversations. */
export interface Layout {
  seed: number
  /** Units a conversation. */
  pack: number
  /** `ack`: the assistant acknowledges every unit; `model`: the model that takes the test replies to it. */
  replies: 'none' | 'ack' | 'model'
}

const START = Date.parse('2026-01-05T09:00:00Z')
const STEP = 30 * 60_000

/** Short replies that add nothing to what was said. */
const ACKNOWLEDGEMENTS = ['Thanks for telling me.', 'Understood.', 'Good to know.', 'Got it, thank you.', 'Noted.']

/** Lays a dataset out into its scenario: everything is stored, then everything is asked. */
export function compile(material: Material, layout: Layout): Scenario {
  const { task, rows } = material
  const order = orderOf(task, rows, layout.seed)
  const said = new Map<string, string>()
  const conversations = pack(order.storage, layout.pack).map((places, index): Conversation => {
    const id = `c${String(index + 1).padStart(4, '0')}`
    const turns = places.flatMap(([row, unit]): Turn[] => {
      said.set(`${row}.${unit}`, id)
      const turn: Turn = { role: 'user', text: rows[row]!.units[unit]!.text }
      if (layout.replies !== 'ack') return [turn]
      return [turn, { role: 'assistant', text: ACKNOWLEDGEMENTS[(row + unit) % ACKNOWLEDGEMENTS.length]! }]
    })
    return { id, time: timeAt(index), turns }
  })
  const factId = (row: number, fact: number) => `${task}/${rows[row]!.id}#${fact + 1}`
  const facts = rows.flatMap((row, rowIndex) =>
    row.facts.map(({ unit, ...draft }, index): Fact => {
      return { id: factId(rowIndex, index), sources: [said.get(`${rowIndex}.${unit}`)!], ...draft }
    }),
  )
  const questions = order.questions.map(([rowIndex, index]): Question => {
    const row = rows[rowIndex]!
    const { needs, tempting, flags, ...draft } = row.questions[index]!
    return {
      id: row.questions.length > 1 ? `${task}/${row.id}.${index + 1}` : `${task}/${row.id}`,
      task,
      ...draft,
      needs: needs.map((set) => set.map((fact) => factId(rowIndex, fact))),
      ...(tempting && { tempting: tempting.map((fact) => factId(rowIndex, fact)) }),
      outdated: [],
      ...(flags.length > 0 && { flags }),
    }
  })
  return {
    id: `memfail/${task}`,
    suite: 'memfail',
    timeline: [
      ...conversations.map((conversation) => ({ type: 'conversation' as const, conversation })),
      { type: 'probe', probe: { id: 'end', time: timeAt(conversations.length), questions } },
    ],
    facts,
    ...(layout.replies === 'model' && { answered: true as const }),
  }
}

function timeAt(index: number): string {
  return new Date(START + index * STEP).toISOString()
}
