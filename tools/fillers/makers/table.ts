import type { Random } from '../../../src/base/random.js'
import type { Moves, Row, Table } from '../schema.js'
import { between, capital, type Exchange, grid, listed, type Maker, say, some, vary } from '../thread.js'

type Cell = string | number

/** Conversations on things of one kind: what one is like, how two differ, which comes first, a quiz. */
export function tableMaker(table: Table, moves: Moves): Maker {
  return (random) => {
    const rows = some(table.rows, 5, random)
    const exchanges: Exchange[] = [
      { ask: say(table.open, random, { name: rows[0]!.name }), answer: described(table, rows[0]!, random) },
    ]
    const further = random.shuffle([compared, ranked, tabled, quizzed]).slice(0, between(1, 2, random))
    for (const move of further) exchanges.push(...move(table, rows, moves, random))
    return exchanges
  }
}

const value = (table: Table, row: Row, key: string): Cell => row.is[table.columns.findIndex((one) => one.key === key)]!

function described(table: Table, row: Row, random: Random): string {
  const facts = table.columns.map((column) =>
    capital(say(column.say, random, { name: row.name, v: value(table, row, column.key) })),
  )
  const notes = row.notes.map((note) => vary(note, random))
  return `${facts.join(' ')}\n\n${random.shuffle(notes).join(' ')}`
}

function compared(table: Table, rows: readonly Row[], moves: Moves, random: Random): Exchange[] {
  const [a, b] = [rows[0]!, rows[1]!]
  const lines = table.columns.flatMap((column) => {
    const [va, vb] = [value(table, a, column.key), value(table, b, column.key)]
    if (column.more && typeof va === 'number' && typeof vb === 'number' && va !== vb) {
      const [high, low] = va > vb ? [a, b] : [b, a]
      const values = { a: high.name, b: low.name, va: Math.max(va, vb), vb: Math.min(va, vb) }
      return [capital(say(column.more, random, values))]
    }
    return [a, b].map((row) => capital(say(column.say, random, { name: row.name, v: value(table, row, column.key) })))
  })
  const notes = b.notes.map((note) => vary(note, random))
  return [
    {
      ask: say(moves.compares, random, { a: a.name, b: b.name }),
      answer: `${lines.join(' ')}\n\n${notes.join(' ')}`,
      joins: true,
    },
  ]
}

function ranked(table: Table, rows: readonly Row[], moves: Moves, random: Random): Exchange[] {
  const columns = table.columns.filter((column) => column.more)
  if (columns.length === 0) return []
  const column = random.pick(columns)
  const order = rows.toSorted((x, y) => Number(value(table, y, column.key)) - Number(value(table, x, column.key)))
  const lines = order.map(
    (row, at) =>
      `${at + 1}. ${capital(row.name)}: ${value(table, row, column.key)}. ${vary(random.pick(row.notes), random)}`,
  )
  const names = listed(some(rows, rows.length, random).map((row) => row.name))
  const ask = say(moves.ranks, random, { names, label: column.label })
  return [{ ask, answer: `By ${column.label}, from the top:\n${lines.join('\n')}`, joins: true }]
}

function tabled(table: Table, rows: readonly Row[], moves: Moves, random: Random): Exchange[] {
  const head = [capital(table.one), ...table.columns.map((column) => column.label)]
  const body = rows.map((row) => [row.name, ...row.is])
  const names = listed(rows.slice(1).map((row) => row.name))
  const remarks = rows.slice(2).map((row) => `- ${capital(row.name)}: ${vary(random.pick(row.notes), random)}`)
  return [
    {
      ask: say(moves.tables, random, { names, one: table.one, many: table.many }),
      answer: `${grid(head, body)}\n\n${remarks.join('\n')}`,
      joins: true,
    },
  ]
}

function quizzed(table: Table, rows: readonly Row[], moves: Moves, random: Random): Exchange[] {
  const columns = table.columns.filter((column) => column.quiz)
  if (columns.length === 0) return []
  const posed = some(table.rows, 3, random).map((row) => ({ row, column: random.pick(columns) }))
  const questions = posed.map(({ row, column }, at) => `${at + 1}. ${vary(column.quiz!, random, { name: row.name })}`)
  const slip = random.below(4)
  const given = posed.map(({ row, column }, at) => {
    const other = table.rows.find((one) => value(table, one, column.key) !== value(table, row, column.key)) ?? rows[0]!
    return { wrong: at === slip, answer: value(table, at === slip ? other : row, column.key) }
  })
  const checks = posed.map(({ row, column }, at) => {
    const verdict = say(given[at]!.wrong ? moves.wrong : moves.right, random)
    const fact = capital(say(column.say, random, { name: row.name, v: value(table, row, column.key) }))
    return `${at + 1}. ${verdict} ${fact} ${vary(random.pick(row.notes), random)}`
  })
  return [
    {
      ask: say(moves.quizzes, random, { many: table.many }),
      answer: questions.join('\n'),
    },
    { ask: given.map(({ answer }, at) => `${at + 1}: ${answer}`).join(', '), answer: checks.join('\n') },
  ]
}
