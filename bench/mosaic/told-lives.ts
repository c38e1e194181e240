import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { fold } from '../../src/base/text.js'
import type { NoteStance, StatementCues } from '../../src/systems/mosaic/cues.js'

/** What a turn does to an attribute: `rests` on another, is a `rule` on one, changes it really or in talk, … */
interface Label {
  turn: number
  kind: 'state' | 'rests' | 'rule' | 'change' | 'announced' | 'revoked' | 'talk' | 'also' | 'same' | 'event'
  of?: string
  on?: string
  if?: string
  then?: string
  /** Of a rule: the value it waits for, or "any". */
  becomes?: string
  to?: string
}

/** What somebody tells over some weeks, turn by turn, and what each turn does; written for this by six writers. */
export interface ToldLife {
  id: string
  turns: { id: number; day: string; text: string }[]
  labels: Label[]
}

/** What has become of a turn at the end of a life. */
export type Due = 'over' | 'hangs' | 'applies'

export function readLives(name: 'open' | 'locked'): ToldLife[] {
  const file = new URL(`../../../bench/mosaic/lives/${name}.jsonl.gz`, import.meta.url)
  const lines = gunzipSync(readFileSync(file)).toString('utf8').trim().split('\n')
  return lines.map((line) => JSON.parse(line) as ToldLife)
}

/** What has become of turns, by their labels: over where their attribute changed, hanging where one that they rest on did, however indirectly. */
export function dueMarks({ turns, labels }: ToldLife): Map<number, Due> {
  const place = new Map(turns.map(({ id }, i) => [id, i]))
  const placed = labels.map((label) => ({ ...label, at: place.get(label.turn)! }))
  const due = new Map<number, Due>()
  for (const change of placed.filter(({ kind }) => kind === 'change' || kind === 'announced')) {
    const isRevoked = placed.some(({ kind, of, at }) => kind === 'revoked' && of === change.of && at > change.at)
    if (isRevoked) continue
    const before = placed.filter(({ at }) => at < change.at)
    const reached = new Set([change.of])
    for (const attribute of reached) {
      for (const { kind, of, on, at, ...rule } of before) {
        if (attribute === change.of && of === attribute && TELLS.includes(kind)) due.set(at, 'over')
        if (kind === 'rests' && on === attribute) {
          if (!due.has(at)) due.set(at, 'hangs')
          reached.add(of)
        }
        const isMet = rule.becomes === 'any' || (attribute === change.of && isValue(rule.becomes, change.to))
        if (kind === 'rule' && rule.if === attribute && isMet) due.set(at, 'applies')
      }
    }
  }
  return due
}

const TELLS: readonly Label['kind'][] = ['state', 'rests', 'change', 'announced', 'same']

function isValue(wanted = '', value = ''): boolean {
  return value !== '' && fold(value).includes(fold(wanted).split(' ')[0]!)
}

const STANCES: Partial<Record<Label['kind'], NoteStance>> = {
  rule: 'rule',
  change: 'change',
  announced: 'change',
  talk: 'thought',
  revoked: 'revoked',
}

/** The labels of a turn as what a model that reads everything rightly would give with its note. */
export function cuesByLabels({ labels }: ToldLife, turn: number): StatementCues {
  const own = labels.filter((label) => label.turn === turn)
  const main = own.find(({ kind }) => STANCES[kind]) ?? own.find(({ kind }) => kind === 'rests') ?? own[0]
  const noun = (attribute = '') => attribute.replaceAll('_', ' ')
  const rests = own.flatMap(({ kind, on }) => (kind === 'rests' ? [`${noun(on)}: as told`] : []))
  const waits = own.flatMap(({ kind, if: on, becomes }) =>
    kind === 'rule' ? [becomes === 'any' ? `${noun(on)} changes` : `${noun(on)}: ${becomes}`] : [],
  )
  const about = noun(main?.kind === 'rule' ? main.then : main?.of)
  return {
    leans: main?.kind === 'rule' ? waits : rests,
    isNews: false,
    isForget: false,
    stance: (main && STANCES[main.kind]) ?? 'told',
    ...(about !== '' && { of: 'user', about, value: main?.to ?? '' }),
  }
}
