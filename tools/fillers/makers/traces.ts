import type { Random } from '../../../src/base/random.js'
import { between, grid, some } from '../thread.js'
import type { Work } from './procedure.js'

/** Different whole numbers in random order. */
function numbers(count: number, most: number, random: Random): number[] {
  return some(
    Array.from({ length: most }, (_, at) => at + 1),
    count,
    random,
  )
}

const shownList = (list: readonly (number | string)[]) => `[${list.join(', ')}]`

const block = (lines: readonly string[]) => `\`\`\`\n${lines.join('\n')}\n\`\`\``

const bubble: Work = (random) => {
  const list = numbers(between(5, 7, random), 40, random)
  const values = [...list]
  const lines: string[] = []
  let swaps = 0
  for (let end = values.length, pass = 1; end > 1; pass++) {
    let last = 0
    for (let i = 1; i < end; i++) {
      if (values[i - 1]! <= values[i]!) continue
      values.splice(i - 1, 2, values[i]!, values[i - 1]!)
      last = i
      swaps++
    }
    end = last
    lines.push(`pass ${pass}: ${shownList(values)}`)
  }
  return { values: { list: shownList(list) }, shown: `${block(lines)}\nThat makes ${swaps} swaps.` }
}

const insertion: Work = (random) => {
  const list = numbers(between(5, 7, random), 60, random)
  const values = [...list]
  const lines: string[] = []
  for (let i = 1; i < values.length; i++) {
    const held = values.splice(i, 1)[0]!
    let at = i
    while (at > 0 && values[at - 1]! > held) at--
    values.splice(at, 0, held)
    lines.push(`insert ${held} (moved ${i - at}): ${shownList(values)}`)
  }
  return { values: { list: shownList(list) }, shown: block(lines) }
}

const bisect: Work = (random) => {
  const list = numbers(between(9, 14, random), 99, random).sort((a, b) => a - b)
  const x = random.random() < 0.7 ? random.pick(list) : between(1, 99, random)
  const lines: string[] = []
  let [low, high] = [0, list.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const less = list[middle]! < x
    lines.push(
      `low ${low}, high ${high}, middle ${middle}: ${list[middle]} is ${less ? 'smaller, go right' : 'not smaller, go left'}`,
    )
    if (less) low = middle + 1
    else high = middle
  }
  const found = list[low] === x ? `${x} is at index ${low}` : `${x} is missing and would go to index ${low}`
  return { values: { x, list: shownList(list) }, shown: `${block(lines)}\nThe bounds meet: ${found}.` }
}

const gcd: Work = (random) => {
  const common = between(2, 18, random)
  const [x, y] = [common * between(11, 97, random), common * between(7, 60, random)]
  const lines: string[] = []
  let [a, b] = [Math.max(x, y), Math.min(x, y)]
  while (b > 0) {
    lines.push(`${a} = ${Math.floor(a / b)} * ${b} + ${a % b}`)
    ;[a, b] = [b, a % b]
  }
  return {
    values: { a: x, b: y },
    shown: `${block(lines)}\nThe last divisor is ${a}, and the least common multiple is ${(x / a) * y}.`,
  }
}

type Edge = [string, string, number]

/** A connected graph on a few nodes. */
function graph(random: Random): { nodes: string[]; edges: Edge[] } {
  const nodes = some('A B C D E F G H K M P Q'.split(' '), between(6, 7, random), random)
  const edges: Edge[] = nodes.slice(1).map((node, at) => [nodes[random.below(at + 1)]!, node, between(1, 12, random)])
  for (let extra = 0; extra < 4; extra++) {
    const [a, b] = some(nodes, 2, random) as [string, string]
    if (!edges.some((edge) => edge.includes(a) && edge.includes(b))) edges.push([a, b, between(1, 15, random)])
  }
  return { nodes, edges }
}

function neighbours(edges: readonly Edge[], node: string): [string, number][] {
  const near = edges.flatMap(([a, b, weight]): [string, number][] =>
    a === node ? [[b, weight]] : b === node ? [[a, weight]] : [],
  )
  return near.sort(([a], [b]) => (a < b ? -1 : 1))
}

const bfs: Work = (random) => {
  const { nodes, edges } = graph(random)
  const [s, t] = [nodes[0]!, nodes.at(-1)!]
  const before = new Map<string, string>([[s, '']])
  const queue = [s]
  const lines: string[] = []
  while (queue.length > 0) {
    const node = queue.shift()!
    if (node === t) break
    const fresh = neighbours(edges, node).flatMap(([near]) => (before.has(near) ? [] : [near]))
    for (const near of fresh) before.set(near, node)
    queue.push(...fresh)
    lines.push(`take ${node}, add ${fresh.join(' ') || 'nothing'}; queue: ${queue.join(' ') || 'empty'}`)
  }
  const path = [t]
  while (before.get(path[0]!)) path.unshift(before.get(path[0]!)!)
  const shown = `${block(lines)}\nReading back from ${t} gives ${path.join(' → ')}, ${path.length - 1} edge${path.length > 2 ? 's' : ''}.`
  return { values: { s, t, edges: edges.map(([a, b]) => `${a}-${b}`).join(', ') }, shown }
}

const dijkstra: Work = (random) => {
  const { nodes, edges } = graph(random)
  const s = nodes[0]!
  const best = new Map<string, number>([[s, 0]])
  const open = new Set(nodes)
  const rows: (string | number)[][] = []
  while (open.size > 0) {
    const node = [...open].reduce((a, b) => ((best.get(b) ?? Infinity) < (best.get(a) ?? Infinity) ? b : a))
    open.delete(node)
    const better = neighbours(edges, node).flatMap(([near, weight]) => {
      const way = best.get(node)! + weight
      if (!open.has(near) || way >= (best.get(near) ?? Infinity)) return []
      best.set(near, way)
      return [`${near} = ${way}`]
    })
    rows.push([node, best.get(node)!, better.join(', ') || 'no change'])
  }
  return {
    values: { s, edges: edges.map(([a, b, weight]) => `${a}-${b} ${weight}`).join(', ') },
    shown: grid(['settled', 'distance', 'improved'], rows),
  }
}

const WORDS =
  'kitten sitting garden gardens planet plants marble barrel stone tones letter ladder winter hunter silver sliver candle cradle bottle battle'.split(
    ' ',
  )

const edit: Work = (random) => {
  const [a, b] = some(WORDS, 2, random) as [string, string]
  const table = [Array.from({ length: b.length + 1 }, (_, x) => x)]
  for (let y = 1; y <= a.length; y++) {
    const row = [y]
    for (let x = 1; x <= b.length; x++) {
      const above = table[y - 1]!
      row.push(Math.min(above[x]! + 1, row[x - 1]! + 1, above[x - 1]! + (a[y - 1] === b[x - 1] ? 0 : 1)))
    }
    table.push(row)
  }
  const lines = [`    ${['', ...b].map((letter) => letter.padStart(2)).join(' ')}`]
  for (const [y, row] of table.entries()) {
    lines.push(`${(a[y - 1] ?? '').padStart(2)}  ${row.map((cell) => String(cell).padStart(2)).join(' ')}`)
  }
  return { values: { a, b }, shown: `${block(lines)}\nThe corner says ${table.at(-1)!.at(-1)}.` }
}

const hash: Work = (random) => {
  const m = random.pick([7, 11, 13])
  const list = numbers(Math.min(7, m - 2), 99, random)
  const slots: (number | null)[] = Array.from({ length: m }, () => null)
  const lines = list.map((key) => {
    let at = key % m
    let steps = 0
    for (; slots[at] !== null; steps++) at = (at + 1) % m
    slots[at] = key
    return `${key}: home ${key % m}${steps > 0 ? `, ${steps} taken, lands in ${at}` : ', free'}`
  })
  return {
    values: { m, list: list.join(', ') },
    shown: `${block(lines)}\nIn the end: ${slots.map((key, at) => `${at}: ${key ?? '–'}`).join(', ')}.`,
  }
}

const heap: Work = (random) => {
  const list = numbers(between(6, 8, random), 70, random)
  const held: number[] = []
  const lines = list.map((value) => {
    held.push(value)
    let at = held.length - 1
    let climbs = 0
    for (let up = (at - 1) >> 1; at > 0 && held[up]! > held[at]!; up = (at - 1) >> 1, climbs++) {
      ;[held[up], held[at]] = [held[at]!, held[up]!]
      at = up
    }
    return `add ${value}, climbs ${climbs}: ${shownList(held)}`
  })
  return { values: { list: shownList(list) }, shown: `${block(lines)}\nThe root is ${held[0]}, the least.` }
}

interface Tree {
  key: number
  left?: Tree
  right?: Tree
}

const bst: Work = (random) => {
  const list = numbers(between(7, 9, random), 90, random)
  const root: Tree = { key: list[0]! }
  const places = list.slice(1).map((key) => {
    for (let node = root; ; ) {
      const side = key < node.key ? 'left' : 'right'
      const next = node[side]
      if (!next) {
        node[side] = { key }
        return `- ${key} becomes the ${side} child of ${node.key}`
      }
      node = next
    }
  })
  const walk = (node: Tree | undefined, order: 'pre' | 'in' | 'post'): number[] => {
    if (!node) return []
    const [left, right] = [walk(node.left, order), walk(node.right, order)]
    if (order === 'pre') return [node.key, ...left, ...right]
    return order === 'in' ? [...left, node.key, ...right] : [...left, ...right, node.key]
  }
  const height = (node: Tree | undefined): number => (node ? 1 + Math.max(height(node.left), height(node.right)) : 0)
  return {
    values: { list: list.join(', ') },
    shown: `${places.join('\n')}\n\nPre-order: ${walk(root, 'pre').join(' ')}. In-order: ${walk(root, 'in').join(' ')}. Post-order: ${walk(root, 'post').join(' ')}. The height is ${height(root)} levels.`,
  }
}

const rpn: Work = (random) => {
  const stack: number[] = []
  const words: string[] = []
  const lines: string[] = []
  let left = between(4, 5, random)
  while (left > 0 || stack.length > 1) {
    if (stack.length < 2 || (left > 0 && random.random() < 0.5)) {
      if (left === 0) break
      const value = between(2, 12, random)
      stack.push(value)
      words.push(String(value))
      left--
    } else {
      const [b, a] = [stack.pop()!, stack.pop()!]
      const sign = random.pick(['+', '-', '*'])
      stack.push(sign === '+' ? a + b : sign === '-' ? a - b : a * b)
      words.push(sign)
    }
    lines.push(`${words.at(-1)!.padEnd(3)} stack: ${stack.join(' ')}`)
  }
  return { values: { expr: words.join(' ') }, shown: `${block(lines)}\nThe value is ${stack[0]}.` }
}

/** Algorithms followed step by step on small inputs. */
export const TRACES: Record<string, Work> = {
  bubble,
  insertion,
  bisect,
  gcd,
  bfs,
  dijkstra,
  edit,
  hash,
  heap,
  bst,
  rpn,
}
