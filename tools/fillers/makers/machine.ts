import { WEEKDAYS } from '../../../src/base/calendar.js'
import { between, grid, listed, some } from '../thread.js'
import type { Work } from './procedure.js'

const block = (lines: readonly string[]) => `\`\`\`\n${lines.join('\n')}\n\`\`\``

const bits: Work = (random) => {
  const n = between(9, 127, random)
  const lines: string[] = []
  for (let rest = n; rest > 0; rest = rest >> 1) lines.push(`${rest} / 2 = ${rest >> 1} remainder ${rest % 2}`)
  const eight = n.toString(2).padStart(8, '0')
  const flipped = (255 - n).toString(2).padStart(8, '0')
  const negative = (256 - n).toString(2).padStart(8, '0')
  return {
    values: { n },
    shown: `${block(lines)}\nFrom bottom to top that is ${n.toString(2)}, in octal ${n.toString(8)}, in hex ${n.toString(16)}. For the negative: ${eight} inverted is ${flipped}, plus one is ${negative}.`,
  }
}

const utf8: Work = (random) => {
  const ch = random.pick([...'éüßñøłžčğαΩжשह水語€→≠😀🌊🎈'])
  const point = ch.codePointAt(0)!
  const bytes = [...Buffer.from(ch, 'utf8')]
  const lines = bytes.map(
    (byte, at) => `byte ${at + 1}: ${byte.toString(2).padStart(8, '0')}  0x${byte.toString(16).toUpperCase()}`,
  )
  const code = `U+${point.toString(16).toUpperCase().padStart(4, '0')}`
  return {
    values: { ch, n: bytes.length },
    shown: `The code point is ${code}, ${point.toString(2).length} bits, which takes ${bytes.length} bytes.\n\n${block(lines)}`,
  }
}

const TOYS = [
  { name: 'harvest', key: 'crop', keys: ['leek', 'kale', 'beet', 'pea'], value: 'crates' },
  { name: 'visits', key: 'hall', keys: ['north', 'south', 'east', 'west'], value: 'people' },
  { name: 'loans', key: 'shelf', keys: ['maps', 'plays', 'poems', 'atlases'], value: 'copies' },
  { name: 'parcels', key: 'depot', keys: ['quay', 'mill', 'yard', 'gate'], value: 'weight' },
  { name: 'rainfall', key: 'station', keys: ['ridge', 'marsh', 'dune', 'moor'], value: 'mm' },
  { name: 'tickets', key: 'stand', keys: ['red', 'green', 'blue', 'amber'], value: 'sold' },
]

const groupby: Work = (random) => {
  const toy = random.pick(TOYS)
  const keys = some(toy.keys, 3, random)
  const rows = Array.from({ length: between(6, 9, random) }, (_, at) => ({
    key: at < 3 ? keys[at]! : random.pick(keys),
    value: between(1, 40, random),
  }))
  const least = between(10, 40, random)
  const sql = `SELECT ${toy.key}, COUNT(*) AS n, SUM(${toy.value}) AS total FROM ${toy.name} GROUP BY ${toy.key} HAVING SUM(${toy.value}) > ${least} ORDER BY total DESC`
  const groups = keys.map((key) => {
    const own = rows.filter((row) => row.key === key).map((row) => row.value)
    return { key, own, total: own.reduce((sum, value) => sum + value, 0) }
  })
  const kept = groups
    .filter((group) => group.total > least)
    .sort((a, b) => b.total - a.total || (a.key < b.key ? -1 : 1))
  const dropped = groups.filter((group) => group.total <= least).map((group) => group.key)
  const sums = groups.map(({ key, own, total }) => `- ${key}: ${own.join(' + ')} = ${total}`)
  const result = grid(
    [toy.key, 'n', 'total'],
    kept.map((group) => [group.key, group.own.length, group.total]),
  )
  const rest =
    dropped.length > 0
      ? `${listed(dropped)} drop${dropped.length > 1 ? '' : 's'} out by HAVING.`
      : 'No group drops out.'
  return {
    values: {
      sql,
      table: grid(
        [toy.key, toy.value],
        rows.map((row) => [row.key, row.value]),
      ),
    },
    shown: `${sums.join('\n')}\n\n${rest}\n${result}`,
  }
}

const uniqc: Work = (random) => {
  const toy = random.pick(TOYS)
  const keys = some(toy.keys, 3, random)
  const lines = Array.from({ length: between(7, 10, random) }, () => `${random.pick(keys)} ${between(1, 30, random)}`)
  const top = between(1, 3, random)
  const cmd = `cut -d' ' -f1 ${toy.name}.txt | sort | uniq -c | sort -k1,1nr -k2 | head -n ${top}`
  const firsts = lines.map((line) => line.split(' ')[0]!)
  const counts = [...new Set(firsts)]
    .sort()
    .map((key): [string, number] => [key, firsts.filter((one) => one === key).length])
  const order = counts.toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
  const print = (list: [string, number][]) => list.map(([key, count]) => `${String(count).padStart(7)} ${key}`)
  return {
    values: { cmd, file: block(lines) },
    shown: [
      `- \`cut\` keeps the first field: ${firsts.join(', ')}.`,
      `- \`sort\` brings equal ones together: ${firsts.toSorted().join(', ')}.`,
      `- \`uniq -c\` counts: ${counts.map(([key, count]) => `${key} ${count}`).join(', ')}.`,
      `- The second \`sort\` puts the largest first, and \`head\` keeps ${top}:\n\n${block(print(order.slice(0, top)))}`,
    ].join('\n'),
  }
}

const subnet: Work = (random) => {
  const p = between(19, 29, random)
  const parts = [
    ...random.pick([
      [10, between(0, 250, random)],
      [172, between(16, 31, random)],
      [192, 168],
    ]),
    between(0, 255, random),
    between(1, 254, random),
  ]
  const number = parts.reduce((sum, part) => sum * 256 + part, 0)
  const size = 2 ** (32 - p)
  const network = number - (number % size)
  const dotted = (value: number) => [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.')
  return {
    values: { ip: parts.join('.'), p },
    shown: [
      `- Mask: ${dotted(2 ** 32 - size)}`,
      `- Block size: ${size} addresses`,
      `- Network: ${dotted(network)}`,
      `- First host: ${dotted(network + 1)}`,
      `- Last host: ${dotted(network + size - 2)}`,
      `- Broadcast: ${dotted(network + size - 1)}`,
      `- Usable hosts: ${size - 2}`,
    ].join('\n'),
  }
}

const lru: Work = (random) => {
  const n = between(2, 4, random)
  const names = 'a b c d e f'.split(' ').slice(0, n + 2)
  const list = Array.from({ length: between(8, 11, random) }, () => random.pick(names))
  const held: string[] = []
  let hits = 0
  const lines = list.map((key) => {
    const at = held.indexOf(key)
    if (at >= 0) {
      hits++
      held.splice(at, 1)
    }
    const gone = at < 0 && held.length === n ? held.shift() : undefined
    held.push(key)
    return `${key}: ${at >= 0 ? 'hit ' : 'miss'} [${held.join(' ')}]${gone ? ` dropped ${gone}` : ''}`
  })
  return { values: { n, list: list.join(' ') }, shown: `${block(lines)}\n${hits} hits out of ${list.length}.` }
}

const knapsack: Work = (random) => {
  const c = between(6, 9, random)
  const items = Array.from({ length: 4 }, () => ({ weight: between(1, 6, random), value: between(2, 20, random) }))
  const best = Array.from({ length: c + 1 }, () => 0)
  const rows = items.map(({ weight, value }) => {
    for (let room = c; room >= weight; room--) best[room] = Math.max(best[room]!, best[room - weight]! + value)
    return [`${weight}/${value}`, ...best]
  })
  return {
    values: { c, items: items.map(({ weight, value }) => `${weight}/${value}`).join(', ') },
    shown: `${grid(['item', ...best.map((_, room) => String(room))], rows)}\n\nThe last cell, ${best[c]}, is the best value.`,
  }
}

const sieve: Work = (random) => {
  const n = between(40, 120, random)
  const out = new Set<number>()
  const lines: string[] = []
  for (let p = 2; p * p <= n; p++) {
    if (out.has(p)) continue
    const fresh: number[] = []
    for (let k = p * p; k <= n; k += p) if (!out.has(k)) fresh.push(k)
    for (const k of fresh) out.add(k)
    lines.push(`${p}: ${fresh.slice(0, 8).join(' ')}${fresh.length > 8 ? ` … (${fresh.length} in all)` : ''}`)
  }
  const primes = Array.from({ length: n - 1 }, (_, at) => at + 2).filter((k) => !out.has(k))
  return { values: { n }, shown: `${block(lines)}\nLeft over are ${primes.length} primes: ${primes.join(', ')}.` }
}

const base64: Work = (random) => {
  const text = random.pick('owl,sea,moss,fern,lake,stone,cloud,river,lamp,oak,heron,tide,grain,amber,flint'.split(','))
  const bytes = [...Buffer.from(text)]
  const code = Buffer.from(text).toString('base64')
  const all = bytes.map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const sixes = all.match(/.{1,6}/g)!.map((six) => six.padEnd(6, '0'))
  return {
    values: { text, code },
    shown: [
      `- Bytes: ${bytes.join(', ')}`,
      `- Bits: ${bytes.map((byte) => byte.toString(2).padStart(8, '0')).join(' ')}`,
      `- By six: ${sixes.join(' ')}`,
      `- As numbers: ${sixes.map((six) => Number.parseInt(six, 2)).join(', ')}`,
      `- As characters: ${code}`,
    ].join('\n'),
  }
}

const perms: Work = (random) => {
  const digits = [random.pick([4, 5, 6, 7]), random.pick([0, 1, 4, 5, 6]), random.pick([0, 0, 1, 4, 5])]
  const letters = (digit: number) => `${digit & 4 ? 'r' : '-'}${digit & 2 ? 'w' : '-'}${digit & 1 ? 'x' : '-'}`
  const may = (digit: number) =>
    listed([...(digit & 4 ? ['read'] : []), ...(digit & 2 ? ['write'] : []), ...(digit & 1 ? ['execute'] : [])]) ||
    'nothing'
  const who = ['owner', 'group', 'others']
  return {
    values: { oct: digits.join('') },
    shown: `${digits.map((digit, at) => `- ${who[at]}: ${digit} is ${letters(digit)}, ${may(digit)}`).join('\n')}\n\nIn letters: ${digits.map(letters).join('')}.`,
  }
}

const cron: Work = (random) => {
  const minute = random.pick(['0', '30', '*/10', '*/15', '5,35', '17'])
  const hour = random.pick(['*', '4', '6-9', '*/3', '22', '1,13'])
  const day = random.pick(['*', '*', '1', '1-7', '15'])
  const from = random.below(5)
  const week = day === '*' ? random.pick(['*', String(from), `${from}-${from + 2}`]) : '*'
  const read = (field: string, unit: string) => {
    if (field === '*') return `every ${unit}`
    if (field.startsWith('*/')) return `every ${field.slice(2)} ${unit}s`
    if (field.includes('-')) return `${unit}s ${field.replace('-', ' to ')}`
    return `${unit} ${field.replace(',', ' and ')}`
  }
  const weekday =
    week === '*'
      ? 'any weekday'
      : week
          .split('-')
          .map((at) => WEEKDAYS[Number(at)])
          .join(' to ')
  return {
    values: { expr: `${minute} ${hour} ${day} * ${week}` },
    shown: [
      `- \`${minute}\`: ${read(minute, 'minute')}`,
      `- \`${hour}\`: ${read(hour, 'hour')}`,
      `- \`${day}\`: ${read(day, 'day')} of the month`,
      '- `*`: every month',
      `- \`${week}\`: ${weekday}`,
    ].join('\n'),
  }
}

/** What machines do with numbers, tables and text, worked through on small inputs. */
export const MACHINES: Record<string, Work> = {
  bits,
  utf8,
  groupby,
  uniqc,
  subnet,
  lru,
  knapsack,
  sieve,
  base64,
  perms,
  cron,
}
