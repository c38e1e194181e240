import { fold, sentences, withoutGaps } from '../../../base/text.js'
import type { Memory } from '../../../model/index.js'

/** The smallest part of a memory that says something by itself: a sentence, a bullet, an edge, with what stands around it. */
export interface Unit {
  /** As it stands, without speaker, time stamp and the signs of edges. */
  text: string
  /** Made plain: lower case, no accents, `snake_case` in words. Markers and values are looked for here. */
  plain: string
  /** Headings and bullets above it, made plain. */
  heading: string
  /** Its neighbours in the same line, made plain; empty at either end. */
  before: string
  after: string
  /** Bullets below it, made plain. */
  below: string
}

const HEADING = /^\s*(#{1,6})\s+(.*?)\s*#*\s*$/
const BOLD = /^\s*\*\*([^*]+?):?\*\*:?\s*$/
const LABEL = /^\s*((?:[^.!?:]|\.(?=\S)){2,80}):\s*$/
const BULLET = /^(\s*)(?:[-*\u2022+]|\d+[.)])\s+(.*)$/
const SESSION = /^\s*\[(?:session|conversation|date|time)\b[^\]]*\]\s*$/i
const STAMP =
  /^\s*(?:[[(]?\s*(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{4})(?:[ T,]*(?:\([a-z]{3,9}\))?[ ,]*\d{1,2}:\d{2}(?::\d{2})?(?:\.\d+)?z?)?\s*(?:\([a-z]{3,9}\))?\s*[\])]?)\s*[-\u2013\u2014:,|]*\s*/i
const SPEAKER = /^\s*(?:\*\*)?(?:user|assistant|human|ai|system)(?:\*\*)?\s*(?:\([^)]*\)\s*)?:(?:\*\*)?\s*/i
const BRACKET_EDGE = /^\s*\[([A-Za-z][A-Za-z0-9_ -]*)\]\s+(.+?)\s*(?<!-)-+>\s*(.+)$/
const RELATION = /\)?\s*(?<!-)-+\[:?\s*([^\]]{0,200})\]-+>\s*\(?/g
const METADATA = /^\s*(?:keywords|tags|topics?|categor(?:y|ies))\s*:/i

/**
 * Text for markers and patterns: folded, without accents, identifiers in words.
 *
 * @example plainText('[TEAM_LEAD_IS]') // '[team lead is]'
 */
export function plainText(text: string): string {
  return fold(text).normalize('NFKD').replace(/\p{M}/gu, '').replaceAll('_', ' ')
}

const known = new Map<string, readonly Unit[]>()
const MOST = 50_000

/** The units of a memory, in order. Remembers texts, for stores are read again and again as they grow. */
export function unitsOf({ text }: Memory): readonly Unit[] {
  let found = known.get(text)
  if (!found) {
    found = parse(withoutGaps(text))
    if (known.size >= MOST) known.clear()
    known.set(text, found)
  }
  return found
}

interface Above {
  depth: number
  text: string
}

function parse(text: string): Unit[] {
  const units: Unit[] = []
  const parents: (Above & { unit: Unit | undefined })[] = []
  let headings: Above[] = []
  for (const raw of text.split(/\n/)) {
    if (raw.trim() === '') {
      headings = headings.filter(({ depth }) => depth < LABEL_DEPTH)
      parents.length = 0
      continue
    }
    if (METADATA.test(raw) || SESSION.test(raw)) continue
    if (SPEAKER.test(raw)) headings = headings.filter(({ depth }) => depth < LABEL_DEPTH)
    const title = headingOf(raw)
    if (title) {
      headings = [...headings.filter(({ depth }) => depth < title.depth), title]
      parents.length = 0
      continue
    }
    const bullet = BULLET.exec(raw)
    const depth = bullet ? bullet[1]!.replaceAll('\t', '  ').length : -1
    while (parents.length > 0 && parents.at(-1)!.depth >= depth) parents.pop()
    const line = plainLine(bullet ? bullet[2]! : raw)
    if (line === '') continue
    const above = [...headings, ...parents].map(({ text: part }) => part).join(' : ')
    const made = lineUnits(line, above)
    const plain = plainText(line)
    for (const { unit } of parents) if (unit) unit.below = unit.below === '' ? plain : `${unit.below} ${plain}`
    for (const unit of made) units.push(unit)
    if (bullet) parents.push({ depth, text: plain, unit: made.at(-1) })
  }
  return units
}

const LABEL_DEPTH = 7

/** No longer line is a heading. */
const LONGEST_HEADING = 1000

function headingOf(line: string): Above | undefined {
  if (line.length > LONGEST_HEADING) return undefined
  const marked = HEADING.exec(line)
  if (marked) return { depth: marked[1]!.length, text: plainText(marked[2]!) }
  const label = BOLD.exec(line) ?? (BULLET.test(line) ? null : LABEL.exec(line))
  return label && !SPEAKER.test(line) ? { depth: LABEL_DEPTH, text: plainText(label[1]!) } : undefined
}

function lineUnits(line: string, heading: string): Unit[] {
  const parts = sentences(line)
  const plains = parts.map(plainText)
  return parts.map((text, i) => ({
    text,
    plain: plains[i]!,
    heading,
    before: plains[i - 1] ?? '',
    after: plains[i + 1] ?? '',
    below: '',
  }))
}

/** A line without what says who spoke when, and with the parts of an edge in the order of a sentence. */
function plainLine(line: string): string {
  const bare = line.replace(STAMP, '').replace(SPEAKER, '').replace(STAMP, '').replaceAll('**', '')
  const edge = BRACKET_EDGE.exec(bare)
  const read = edge
    ? `${edge[2]} ${words(edge[1]!)} ${edge[3]}`
    : bare.replace(RELATION, (_, relation: string) => ` ${words(relation)} `)
  return read.replace(/\s+/g, ' ').trim()
}

function words(relation: string): string {
  return relation.replaceAll('_', ' ').toLowerCase()
}
