import type { Memory } from 'memscope'
import { analyze, type Note, type RestsOn } from './note.js'

/**
 * What became of a note: something else holds in its place, by what was said or by a rule; what it rests on has changed and nothing says
 * what follows; or it is a rule whose condition has come about.
 */
export interface Mark {
  kind: 'over' | 'by-rule' | 'in-doubt' | 'applies'
  /** The note that told of the change. */
  by: number
  /** The rule by which something else holds. */
  rule?: number
}

/** A claim with what it rests on, attributes and values as sets of terms. */
interface Claim {
  kind: NonNullable<Note['content']['claim']>['kind']
  topic: string
  value: ReadonlySet<string>
  ground: readonly { topic: string; value: ReadonlySet<string> | null }[]
}

/**
 * What holds, from when until when, by what notes claim. A change ends what it replaces; from there it goes on to what rests on that: a rule
 * whose condition it meets says what holds instead, and without one that is in doubt. What is only thought of changes nothing, and what is
 * taken back has changed nothing. Notes without a claim are left alone.
 */
export class Timeline {
  #claims: (Claim | null)[] = []
  #marks = new Map<number, Mark>()
  /** Notes by the attribute that they tell, that they rest on, and that they wait for. */
  #told = new Map<string, number[]>()
  #resting = new Map<string, number[]>()
  #rules = new Map<string, number[]>()
  /** Changes, with the attribute that each is of. */
  #changes: { at: number; topic: string }[] = []

  /** Takes in a note that was said after all others. */
  add({ content }: Note): void {
    const claim = content.claim && !content.isForgotten ? readClaim(content.claim, content.restsOn ?? []) : null
    const at = this.#claims.push(claim) - 1
    if (!claim || claim.topic === '' || claim.kind === 'thought') return
    if (claim.kind === 'revoked') {
      this.#takeBack(claim.topic)
      return
    }
    if (claim.kind === 'change') this.#change(at, claim)
    const isRule = claim.kind === 'rule'
    if (!isRule) post(this.#told, [claim.topic], at)
    post(isRule ? this.#rules : this.#resting, new Set(claim.ground.map(({ topic }) => topic)), at)
  }

  /** What became of a note, if anything. */
  markOf(note: number): Mark | undefined {
    return this.#marks.get(note)
  }

  #change(at: number, change: Claim): void {
    this.#changes.push({ at, topic: change.topic })
    const open = (this.#told.get(change.topic) ?? []).filter((note) => !this.#marks.has(note))
    // Of several values side by side the one that was there first is replaced.
    const [first] = open.filter((note) => !isWithin(change.value, this.#claims[note]!.value))
    const over = open.filter(
      (note) => first !== undefined && isSame(this.#claims[note]!.value, this.#claims[first]!.value),
    )
    for (const note of over) this.#marks.set(note, { kind: 'over', by: at })
    const changed: Pick<Claim, 'topic' | 'value'>[] = [change]
    for (const { topic, value } of changed) {
      const rules = (this.#rules.get(topic) ?? []).filter((rule) => isMet(this.#claims[rule]!, topic, value))
      for (const note of this.#resting.get(topic) ?? []) {
        const claim = this.#claims[note]!
        if (this.#marks.has(note) || restsOnNew(claim, topic, value)) continue
        const rule = rules.find((rule) => this.#claims[rule]!.topic === claim.topic)
        this.#marks.set(note, rule === undefined ? { kind: 'in-doubt', by: at } : { kind: 'by-rule', by: at, rule })
        changed.push({ topic: claim.topic, value: rule === undefined ? new Set() : this.#claims[rule]!.value })
      }
      for (const rule of rules) if (!this.#marks.has(rule)) this.#marks.set(rule, { kind: 'applies', by: at })
    }
  }

  /** Withdraws the last change of an attribute: its marks go. */
  #takeBack(topic: string): void {
    const place = this.#changes.findLastIndex((change) => change.topic === topic)
    const [change] = place < 0 ? [] : this.#changes.splice(place, 1)
    for (const [note, { by }] of this.#marks) if (by === change?.at) this.#marks.delete(note)
  }
}

const WORDS: Record<Mark['kind'], string> = {
  over: 'no longer so since',
  'by-rule': 'no longer so since',
  'in-doubt': 'in doubt since',
  applies: 'applies since',
}

/** A note with what became of it and when, and of a rule that applies what holds by it; the conversations that say so are among its sources. */
export function withMark(
  { memory, content }: Note,
  { kind, by, rule }: Mark,
  memoryAt: (note: number) => Memory,
): Memory {
  const change = memoryAt(by)
  const behind = [change, ...(rule === undefined ? [] : [memoryAt(rule)])].flatMap(({ sources = [] }) => sources)
  const outcome = kind === 'applies' && content.claim ? `: ${content.claim.about}: ${content.claim.value}` : ''
  return {
    ...memory,
    text: `${memory.text} [${WORDS[kind]} ${change.time?.slice(0, 10) || 'then'}${outcome}]`,
    sources: [...new Set([...(memory.sources ?? []), ...behind])],
  }
}

function readClaim({ kind, about, value }: NonNullable<Note['content']['claim']>, restsOn: readonly RestsOn[]): Claim {
  const ground = restsOn.map((one) => ({
    topic: topicOf(one.about),
    value: one.value === undefined ? null : termsOf(one.value),
  }))
  return { kind, topic: topicOf(about), value: termsOf(value), ground }
}

function topicOf(about: string): string {
  return [...termsOf(about)].sort().join(' ')
}

function termsOf(text: string): ReadonlySet<string> {
  return new Set(analyze(text))
}

/** Whether a rule waits for a change of an attribute: for any, or for the value that it has come to. */
function isMet({ ground }: Claim, topic: string, value: ReadonlySet<string>): boolean {
  return ground.some((one) => one.topic === topic && (one.value === null || isWithin(one.value, value)))
}

/** Whether a claim rests on the value that an attribute has come to. */
function restsOnNew({ ground }: Claim, topic: string, value: ReadonlySet<string>): boolean {
  return ground.some((one) => one.topic === topic && one.value !== null && isWithin(one.value, value))
}

function isWithin(some: ReadonlySet<string>, all: ReadonlySet<string>): boolean {
  return some.size > 0 && [...some].every((term) => all.has(term))
}

function isSame(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  return some.size === others.size && [...some].every((term) => others.has(term))
}

function post(postings: Map<string, number[]>, topics: Iterable<string>, note: number): void {
  for (const topic of topics) {
    const notes = postings.get(topic)
    if (notes) notes.push(note)
    else postings.set(topic, [note])
  }
}
