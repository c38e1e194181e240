import { fold } from '../src/base/text.js'

/** A fenced block of a prompt, found by its code alone. */
export interface Block {
  name: string
  code: string
  body: string
}

/**
 * The blocks of a prompt, in order, as a careful reader finds them: an opening line with a code, up to the line that ends it with the same
 * code. Throws when a code opens or ends more than once.
 */
export function blocksOf(prompt: string): Block[] {
  const lines = prompt.split('\n')
  const blocks: Block[] = []
  for (let at = 0; at < lines.length; at++) {
    const opening = /^<<(\w+) ([0-9a-f]{16})>>$/.exec(lines[at]!)
    if (!opening || opening[1] === 'end') continue
    const [, name, code] = opening as unknown as [string, string, string]
    const ends = lines.flatMap((line, i) => (line === `<<end ${code}>>` ? [i] : []))
    const opens = lines.filter((line) => line === `<<${name} ${code}>>`)
    if (ends.length !== 1 || opens.length !== 1 || ends[0]! < at) {
      throw new Error(`The fence ${code} has ${opens.length} beginnings and ${ends.length} ends`)
    }
    blocks.push({ name, code, body: lines.slice(at + 1, ends[0]).join('\n') })
    at = ends[0]!
  }
  return blocks
}

/** Items of a block by their numbers, each with its fields; only lines at the margin begin one. */
export function itemsOf({ body }: Block): { number: number; text: string; fields: Record<string, string> }[] {
  return body.split(/\n(?=\[\d+\])/).map((part) => {
    const [, number, text] = /^\[(\d+)\] ?([\s\S]*)$/.exec(part)!
    const fields: Record<string, string> = {}
    let last = ''
    for (const line of part.split('\n').slice(1)) {
      const named = /^ {2}(\w[\w ]*): ?(.*)$/.exec(line)
      if (named) {
        last = named[1]!
        fields[last] = named[2]!
      } else if (last !== '') fields[last] += `\n${line.replace(/^ {2}\| /, '')}`
    }
    return { number: Number(number), text: text!.replace(/\n {2}\| /g, '\n'), fields }
  })
}

/**
 * What an honest model replies that goes by words alone: a target is stored where a memory holds its words, an answer is right where it
 * holds what was expected, a criterion is met where what it quotes is there. It sees of a prompt only what its fences say.
 */
export function honestReply(prompt: string): unknown {
  const blocks = new Map(blocksOf(prompt).map((block) => [block.name, block]))
  const [targets, cases, criteria] = [blocks.get('targets'), blocks.get('cases'), blocks.get('criteria')]
  if (targets) {
    const memories = itemsOf(blocks.get('memories')!).map(({ number, text }) => ({ number, text: fold(text) }))
    return {
      verdicts: itemsOf(targets).map(({ number, fields }) => {
        const said = fold(fields.said ?? fields.source ?? fields.concluded ?? '')
        const carrying = memories.filter(({ text }) => text.includes(said))
        const stored = carrying.length > 0
        return {
          id: number,
          reason: 'By words.',
          memories: carrying.map((memory) => [memory.number]),
          stored,
          faithful: stored,
        }
      }),
    }
  }
  if (cases) {
    const grades = itemsOf(cases).map(({ number, fields }) => {
      const answer = fold(fields.answer ?? '')
      const values = (fields.values ?? '')
        .split(/\(\d+\) /)
        .slice(1)
        .map((value) => fold(value))
      const missing = values.flatMap((value, i) => (answer.includes(value) ? [] : [i + 1]))
      const right =
        values.length > 0 ? missing.length === 0 : answer.includes(fold(fields.expected ?? 'no information'))
      return { id: number, reason: 'By words.', right, missing, stale: false }
    })
    return { grades }
  }
  if (criteria) {
    const answer = fold(fieldsOf(blocks.get('answer')!).answer ?? '')
    const verdicts = itemsOf(criteria).map(({ number, text }) => {
      const named = /"([^"]+)"/.exec(text)?.[1]
      const said = named === undefined ? 'unclear' : answer.includes(fold(named)) ? 'yes' : 'no'
      return { id: number, reason: 'By words.', answer: said }
    })
    return { verdicts }
  }
  return { reason: 'By words.', passed: honestCheck(blocks) }
}

/** The fields of a block that holds but one item, without a number. */
function fieldsOf(block: Block): Record<string, string> {
  return itemsOf({ ...block, body: `[1]\n${block.body}` })[0]!.fields
}

/** A check of the paper's protocol: the target stands in the memories, or what was expected in the answer. */
function honestCheck(blocks: ReadonlyMap<string, Block>): boolean {
  const fieldsIn = (name: string) => fieldsOf(blocks.get(name)!)
  const memories = blocks.get('memories') ?? blocks.get('retrieved')
  if (memories) return fold(memories.body).includes(fold(fieldsIn('target').fact ?? ''))
  const { answer = '', expected = '' } = fieldsIn('case')
  return fold(answer).includes(fold(expected))
}
