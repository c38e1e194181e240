import { MONTHS, WEEKDAYS } from '../../../src/base/calendar.js'
import type { Random } from '../../../src/base/random.js'
import { between, grid, some } from '../thread.js'
import type { Work } from './procedure.js'

/** A date of each month that falls on the anchor day; the first two change in leap years. */
const ANCHORS = [3, 28, 14, 4, 9, 6, 11, 8, 5, 10, 7, 12]

const weekday: Work = (random) => {
  const year = between(1790, 1989, random)
  const month = random.below(12)
  const day = between(1, 28, random)
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  const century = Math.floor(year / 100)
  const base = [2, 0, 5, 3][century % 4]!
  const rest = year % 100
  const anchor = (base + rest + Math.floor(rest / 4)) % 7
  const near = ANCHORS[month]! + (leap && month < 2 ? 1 : 0)
  const found = (((anchor + day - near) % 7) + 7) % 7
  return {
    values: { date: `${day} ${MONTHS[month]} ${year}` },
    shown: [
      `1. The anchor of the ${century}00s is ${WEEKDAYS[base]}.`,
      `2. Add ${rest} for the years and ${Math.floor(rest / 4)} for the leap days: that leads to ${WEEKDAYS[anchor]}.`,
      `3. In ${MONTHS[month]} of that year, day ${near} is such a ${WEEKDAYS[anchor]}.`,
      `4. From ${near} to ${day} it is ${day - near} days, so the answer is ${WEEKDAYS[found]}.`,
    ].join('\n'),
  }
}

const RULES: ((random: Random) => { row: number[]; rule: string })[] = [
  (random) => {
    const [start, step, grow] = [between(2, 30, random), between(2, 9, random), between(1, 5, random)]
    const row = [start]
    for (let i = 0; i < 6; i++) row.push(row[i]! + step + grow * i)
    return { row, rule: `the differences begin with ${step} and grow by ${grow} each time` }
  },
  (random) => {
    const [start, times, add] = [between(1, 7, random), between(2, 3, random), between(1, 9, random)]
    const row = [start]
    for (let i = 0; i < 6; i++) row.push(row[i]! * times + add)
    return { row, rule: `each number is ${times} times the one before plus ${add}` }
  },
  (random) => {
    const row = [between(1, 9, random), between(2, 14, random)]
    for (let i = 0; i < 5; i++) row.push(row[i]! + row[i + 1]!)
    return { row, rule: 'each number is the sum of the two before it' }
  },
  (random) => {
    const [from, plus] = [between(1, 9, random), between(1, 12, random)]
    const row = Array.from({ length: 7 }, (_, i) => (from + i) ** 2 + plus)
    return { row, rule: `these are the squares from ${from} on with ${plus} added` }
  },
  (random) => {
    const [a, b] = [between(40, 90, random), between(1, 15, random)]
    const [down, up] = [between(3, 7, random), between(2, 8, random)]
    const row = Array.from({ length: 8 }, (_, i) => (i % 2 === 0 ? a - (down * i) / 2 : b + (up * (i - 1)) / 2))
    return { row, rule: `two rows are interleaved, one falling by ${down}, the other rising by ${up}` }
  },
]

const sequence: Work = (random) => {
  const { row, rule } = random.pick(RULES)(random)
  const given = row.slice(0, -1)
  const steps = given.slice(1).map((value, i) => value - given[i]!)
  return {
    values: { list: given.join(', ') },
    shown: `Differences: ${steps.join(', ')}.\n\nThe rule is that ${rule}. So the next number is ${row.at(-1)}.`,
  }
}

const jugs: Work = (random) => {
  for (;;) {
    const [a, b] = [between(3, 8, random), between(5, 13, random)]
    const c = between(1, Math.max(a, b) - 1, random)
    const path = a === b || c === a || c === b ? undefined : pourings(a, b, c)
    if (!path || path.length < 5) continue
    const rows = path.map(({ move, at }, i) => [i + 1, move, at[0], at[1]])
    return { values: { a, b, c, steps: path.length }, shown: grid(['step', 'do this', `${a} l`, `${b} l`], rows) }
  }
}

interface Poured {
  move: string
  at: [number, number]
}

/** A shortest way to have the amount in one of the two jugs, by breadth-first search. */
function pourings(a: number, b: number, goal: number): Poured[] | undefined {
  const queue: Poured[][] = [[]]
  const seen = new Set(['0,0'])
  for (const path of queue) {
    const [x, y] = path.at(-1)?.at ?? [0, 0]
    if (x === goal || y === goal) return path
    const [over, back] = [Math.min(x, b - y), Math.min(y, a - x)]
    const moves: Poured[] = [
      { move: `fill the ${a}`, at: [a, y] },
      { move: `fill the ${b}`, at: [x, b] },
      { move: `empty the ${a}`, at: [0, y] },
      { move: `empty the ${b}`, at: [x, 0] },
      { move: `pour the ${a} into the ${b}`, at: [x - over, y + over] },
      { move: `pour the ${b} into the ${a}`, at: [x + back, y - back] },
    ]
    for (const move of moves) {
      if (seen.has(move.at.join())) continue
      seen.add(move.at.join())
      queue.push([...path, move])
    }
  }
  return undefined
}

const SIGNS: [number, string][] = [
  [1000, 'M'],
  [900, 'CM'],
  [500, 'D'],
  [400, 'CD'],
  [100, 'C'],
  [90, 'XC'],
  [50, 'L'],
  [40, 'XL'],
  [10, 'X'],
  [9, 'IX'],
  [5, 'V'],
  [4, 'IV'],
  [1, 'I'],
]

const roman: Work = (random) => {
  const year = between(1480, 1990, random)
  const parts: string[] = []
  let written = ''
  let rest = year
  for (const [value, sign] of SIGNS) {
    for (; rest >= value; rest -= value) {
      parts.push(`- ${sign} is ${value}`)
      written += sign
    }
  }
  return { values: { roman: written }, shown: `${parts.join('\n')}\n\nTogether that is ${year}.` }
}

const SUBJECTS = 'the miller|a grey heron|the old key|our captain|the third lantern|a paper boat|the baker'.split('|')
const DOINGS = 'waits behind|sleeps under|points to|was hidden near|looks at|lies beside|sings about'.split('|')
const PLACES = 'the stone bridge|the tall clock|the apple loft|a blue door|the dry well|the ferry hut'.split('|')

const caesar: Work = (random) => {
  const shift = between(2, 23, random)
  const plain = `${random.pick(SUBJECTS)} ${random.pick(DOINGS)} ${random.pick(PLACES)}`
  const moved = (text: string, by: number) =>
    text.replace(/[a-z]/g, (letter) => String.fromCharCode(((letter.charCodeAt(0) - 97 + by + 26) % 26) + 97))
  const cipher = moved(plain, shift).toUpperCase()
  const words = plain.split(' ').map((word) => `- ${moved(word, shift).toUpperCase()} becomes ${word}`)
  return { values: { cipher, shift }, shown: `${words.join('\n')}\n\nSo it reads: ${plain}.` }
}

const dice: Work = (random) => {
  const n = between(2, 3, random)
  const target = between(n + 2, 6 * n - 1, random)
  const kinds: [string, (faces: number[]) => boolean][] = [
    [`a total of ${target}`, (faces) => sum(faces) === target],
    [`a total of at least ${target}`, (faces) => sum(faces) >= target],
    ['at least one six', (faces) => faces.includes(6)],
    ['no face twice', (faces) => new Set(faces).size === n],
    ['only even faces', (faces) => faces.every((face) => face % 2 === 0)],
  ]
  const [goal, fits] = random.pick(kinds)
  const all = Array.from({ length: 6 ** n }, (_, at) =>
    Array.from({ length: n }, (_, die) => (Math.floor(at / 6 ** die) % 6) + 1),
  )
  const good = all.filter(fits)
  const examples = some(good, 4, random).map((faces) => faces.join('-'))
  return {
    values: { n, goal, all: all.length, good: good.length },
    shown: `Among the good ones: ${examples.join(', ')}.\n\n${good.length} of ${all.length} is ${((100 * good.length) / all.length).toFixed(1)} per cent, or about one in ${(all.length / good.length).toFixed(1)}.`,
  }
}

const sum = (faces: readonly number[]) => faces.reduce((total, face) => total + face, 0)

const percent: Work = (random) => {
  const off = random.pick([10, 15, 20, 25, 30, 35, 40, 60])
  const before = between(8, 90, random) * 20
  const price = (before * (100 - off)) / 100
  return {
    values: { off, price },
    shown: `- Left over are ${100 - off} per cent, a factor of ${(100 - off) / 100}.\n- ${price} divided by ${(100 - off) / 100} is ${before}.\n- Check: ${off} per cent of ${before} is ${(before * off) / 100}, and ${before} minus that is ${price}.`,
  }
}

const updown: Work = (random) => {
  const up = between(5, 45, random)
  const base = between(2, 30, random) * 50
  const high = (base * (100 + up)) / 100
  const low = (high * (100 - up)) / 100
  return {
    values: { up },
    shown: `- Say it was ${base} at first.\n- After the rise it is ${round(high)}.\n- ${up} per cent of that is ${round(high - low)}, more than what was added.\n- What remains is ${round(low)}, which is ${round((100 * (base - low)) / base)} per cent below the start.`,
  }
}

const round = (value: number) => Math.round(value * 100) / 100

const PEOPLE = 'Ada Bruno Cleo Dario Edda Falk Greta Hanno Ilse Jarl'.split(' ')

const knights: Work = (random) => {
  const [p, q] = some(PEOPLE, 2, random) as [string, string]
  const claims: [string, (a: boolean, b: boolean) => boolean][] = [
    ['we are both knaves', (a, b) => !a && !b],
    ['at least one of us is a knave', (a, b) => !a || !b],
    ['we are of the same kind', (a, b) => a === b],
    ['exactly one of us is a knight', (a, b) => a !== b],
    [`I am a knave or ${q} is a knight`, (a, b) => !a || b],
    [`${q} is a knave`, (_, b) => !b],
  ]
  const replies: [string, (a: boolean, b: boolean) => boolean][] = [
    [`${p} is a knight`, (a) => a],
    [`${p} is a knave`, (a) => !a],
    [`${p} and I differ`, (a, b) => a !== b],
  ]
  const cases = [true, false].flatMap((a) => [true, false].map((b): [boolean, boolean] => [a, b]))
  for (;;) {
    const [[one, isOne], [two, isTwo]] = [random.pick(claims), random.pick(replies)]
    const fits = cases.filter(([a, b]) => isOne(a, b) === a && isTwo(a, b) === b)
    if (fits.length !== 1) continue
    const kind = (knight: boolean) => (knight ? 'knight' : 'knave')
    const lines = cases.map(([a, b]) => {
      const bad = isOne(a, b) !== a ? p : isTwo(a, b) !== b ? q : undefined
      return `- ${p} a ${kind(a)} and ${q} a ${kind(b)}: ${bad ? `impossible, as ${bad}'s words do not suit` : 'everything fits'}`
    })
    const [a, b] = fits[0]!
    return {
      values: { talk: `${p} says: ${one}. ${q} says: ${two}.` },
      shown: `${lines.join('\n')}\n\nSo ${p} is a ${kind(a)} and ${q} a ${kind(b)}.`,
    }
  }
}

const square: Work = (random) => {
  const mid = between(6, 40, random)
  const [x, y] = random.pick([
    [1, 3],
    [3, 1],
    [1, 4],
    [2, 5],
    [4, 1],
  ] as const)
  const rows = [
    [mid - x, mid + x + y, mid - y],
    [mid + x - y, mid, mid - x + y],
    [mid + y, mid - x - y, mid + x],
  ]
  const turned = random.random() < 0.5 ? rows : rows.map((_, at) => rows.map((row) => row[at]!))
  const lines = turned.map((row) => row.join('  '))
  return {
    values: { sum: 3 * mid, mid },
    shown: `\`\`\`\n${lines.join('\n')}\n\`\`\`\n\nCheck one diagonal: ${turned[0]![0]} + ${mid} + ${turned[2]![2]} = ${3 * mid}.`,
  }
}

const meeting: Work = (random) => {
  const [u, v] = [between(3, 6, random), between(4, 7, random)]
  const gap = between(9, 48, random)
  const minutes = Math.round((60 * gap) / (u + v))
  const way = (gap * u) / (u + v)
  return {
    values: { gap, u, v, w: u + v },
    shown: `- Time: ${gap} / ${u + v} hours, about ${Math.floor(minutes / 60)} h ${minutes % 60} min.\n- The first has gone ${way.toFixed(2)} km by then, the second ${(gap - way).toFixed(2)} km.\n- Both add up to ${gap} km, as they should.`,
  }
}

/** Sums and riddles for everyday life, each with numbers of its own. */
export const RECKONINGS: Record<string, Work> = {
  weekday,
  sequence,
  jugs,
  roman,
  caesar,
  dice,
  percent,
  updown,
  knights,
  square,
  meeting,
}
