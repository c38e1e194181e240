import { entryOf } from '../../base/group-by.js'
import type { Memory } from '../../model/index.js'
import { dayOf } from '../parts/clock.js'
import { type Claim, type Claims, claimsOf, tellingTerms } from './claims.js'
import type { SaidNote } from './note.js'
import { ruleOutcome } from './rule-outcome.js'

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

/** How much of a clause a statement must say to be what the clause speaks of; a name counts twice. */
const SAME = 0.6
/** So much of what a rule is about, or so many terms of it, a statement has that is about the same. */
const ABOUT = { share: 0.5, terms: 2 }

/** Notes whose claims are kept at a time. */
const MOST_READ = 512

/**
 * What holds, from when until when, by what notes claim. A change ends what it replaces; from there it goes on to what rests on that: a rule
 * whose condition it meets says what holds instead, and without one that is in doubt. What is only thought of changes nothing, and what is
 * taken back has changed nothing.
 */
export class Timeline {
  /** Notes that claim something, and what the last that were looked at claim: read anew each time it is needed, sets of very many would slow down everything. */
  #notes: (SaidNote | null)[] = []
  #read = new Map<number, Claims>()
  #marks = new Map<number, Mark>()
  /** Notes that a change has marked. */
  #marked = new Map<number, number[]>()
  /** Notes by the terms of what they tell, of what they rest on, and of what they wait for. */
  #told = new Map<string, number[]>()
  #grounds = new Map<string, number[]>()
  #rules = new Map<string, number[]>()

  /** Takes in a note that was said after all others; null for one that is not there any more. */
  add(note: SaidNote | null): void {
    const claims = note?.isTelling && !note.cues.isForget && note.memory.status !== 'tombstone' ? claimsOf(note) : null
    const at = this.#notes.push(null) - 1
    if (!claims) return
    if (claims.stance === 'revoked') this.#takeBack(claims)
    const isRule = claims.stance === 'rule'
    // Who says why something is so tells that it is, whatever they think might come.
    const isHeld = claims.stance === 'told' || claims.stance === 'change' || claims.grounds.length > 0
    const subject = subjectOf(claims.told)
    // Most of what is said is on nothing that could end, and rests on nothing: of very many notes little is kept.
    if (!isRule && !(isHeld && (subject.size > 0 || claims.grounds.length > 0 || claims.stance === 'change'))) return
    this.#notes[at] = note
    if (claims.stance === 'change') this.#change(at, claims)
    if (isRule) post(this.#rules, at, claims.conditions.map(allTerms))
    if (!isHeld) return
    post(this.#told, at, [subject])
    post(this.#grounds, at, claims.grounds.map(allTerms))
  }

  /** What became of a note, if anything. */
  markOf(note: number): Mark | undefined {
    return this.#marks.get(note)
  }

  #claimsAt(note: number): Claims {
    if (this.#read.size > MOST_READ) this.#read.clear()
    return entryOf(this.#read, note, () => claimsOf(this.#notes[note]!))
  }

  #change(at: number, { told, changed, ended }: Claims): void {
    const over = this.#ended(told, changed, ended)
    for (const note of over) this.#mark(note, { kind: 'over', by: at })
    const changes: Change[] = [{ was: over.map((note) => this.#claimsAt(note).told), changed, ended, becomes: told }]
    for (const change of changes) {
      const rules = this.#rulesOn(change)
      for (const note of this.#restingOn(change)) {
        const rule = rules.find((rule) => isAbout(this.#claimsAt(rule).told, this.#claimsAt(note).told))
        this.#mark(note, rule === undefined ? { kind: 'in-doubt', by: at } : { kind: 'by-rule', by: at, rule })
        const becomes = rule === undefined ? NOTHING : this.#claimsAt(rule).told
        changes.push({ was: [this.#claimsAt(note).told], changed: [], ended: new Set(), becomes })
      }
      for (const rule of rules) this.#mark(rule, { kind: 'applies', by: at })
    }
  }

  #mark(note: number, mark: Mark): void {
    if (this.#marks.has(note)) return
    this.#marks.set(note, mark)
    entryOf(this.#marked, mark.by, () => []).push(note)
  }

  /** What a change ends: of what it says is another now the statement that was there first, others stand beside it; and all on what it names as over. */
  #ended(told: Claim, changed: readonly ReadonlySet<string>[], ended: ReadonlySet<string>): number[] {
    const isOpen = (note: number) => !this.#marks.has(note) && !isSubset(told.terms, this.#claimsAt(note).told.terms)
    const first = changed.flatMap((noun) => {
      const open = this.#with(this.#told, noun).filter((note) => isOpen(note) && isOn(noun, this.#claimsAt(note).told))
      // What only mentions it in passing may hang on it.
      const plain = open.filter((note) => this.#claimsAt(note).grounds.length === 0)
      return (plain.length > 0 ? plain : open).slice(0, 1)
    })
    const named = [...ended].flatMap((name) =>
      this.#with(this.#told, [name]).filter((note) => isOpen(note) && this.#claimsAt(note).told.names.has(name)),
    )
    return [...new Set([...first, ...named])]
  }

  #restingOn({ was, changed, ended }: Change): number[] {
    const isGround = (ground: Claim) =>
      was.some((claim) => isSame(ground, claim)) ||
      changed.some((noun) => isOn(noun, ground)) ||
      [...ground.names].some((name) => ended.has(name))
    const terms = [
      ...was.flatMap(({ terms, topic = [] }) => [...terms, ...topic]),
      ...changed.flatMap((noun) => [...noun]),
      ...ended,
    ]
    return this.#any(this.#grounds, terms).filter(
      (note) => !this.#marks.has(note) && this.#claimsAt(note).grounds.some(isGround),
    )
  }

  /** Rules that wait for a change: for any, or for what it has come to. */
  #rulesOn({ was, changed, becomes }: Change): number[] {
    const topics = [...changed, ...was.map(({ topic, terms }) => topic ?? terms)]
    const known = new Set(topics.flatMap((topic) => [...topic]))
    const isMet = (condition: Claim) => {
      const wanted = tellingTerms(condition)
      const names = wanted.filter((term) => condition.names.has(term))
      const value = names.length > 0 ? names : wanted.filter((term) => !known.has(term))
      const { topic } = condition
      if (topic) return topics.some((one) => isEqual(one, topic)) && wanted.every((term) => becomes.terms.has(term))
      return wanted.length > 0 && value.every((term) => becomes.terms.has(term))
    }
    const terms = [...known, ...becomes.terms]
    return this.#any(this.#rules, terms).filter((note) => this.#claimsAt(note).conditions.some(isMet))
  }

  /** Withdraws the last change that speaks of the same: its marks go. */
  #takeBack({ told }: Claims): void {
    const isMeant = (by: number, marked: readonly number[]) => {
      const { told: change, changed } = this.#claimsAt(by)
      const old = marked
        .filter((note) => this.#marks.get(note)!.kind === 'over')
        .map((note) => this.#claimsAt(note).told)
      return (
        (!told.topic && [change, ...old].some(({ names }) => [...names].some((name) => told.names.has(name)))) ||
        changed.some((noun) => (told.topic ? isEqual(noun, told.topic) : isSubset(noun, told.terms)))
      )
    }
    const meant = [...this.#marked].findLast(([by, marked]) => isMeant(by, marked))
    if (!meant) return
    for (const note of meant[1]) this.#marks.delete(note)
    this.#marked.delete(meant[0])
  }

  /** Notes that have all of some terms, in the order of saying. */
  #with(postings: ReadonlyMap<string, number[]>, terms: Iterable<string>): number[] {
    const [first = [], ...others] = [...terms]
      .map((term) => postings.get(term) ?? [])
      .sort((a, b) => a.length - b.length)
    const sets = others.map((notes) => new Set(notes))
    return first.filter((note) => sets.every((notes) => notes.has(note)))
  }

  #any(postings: ReadonlyMap<string, number[]>, terms: readonly string[]): number[] {
    const notes = new Set([...new Set(terms)].flatMap((term) => postings.get(term) ?? []))
    return [...notes].sort((a, b) => a - b)
  }
}

const WORDS: Record<Mark['kind'], string> = {
  over: 'no longer so since',
  'by-rule': 'no longer so since',
  'in-doubt': 'in doubt since',
  applies: 'applies since',
}

/** A note with what became of it and when, and of a rule that applies what holds by it; the conversations that say so are among its sources. */
export function withMark(note: SaidNote, { kind, by, rule }: Mark, memoryAt: (note: number) => Memory): Memory {
  const { memory } = note
  const change = memoryAt(by)
  const behind = [change, ...(rule === undefined ? [] : [memoryAt(rule)])].flatMap(({ sources = [] }) => sources)
  const outcome = kind === 'applies' ? ruleOutcome(note) : null
  const since = `${WORDS[kind]} ${change.time ? dayOf(change.time) : 'then'}`
  return {
    ...memory,
    text: `${memory.text} [${since}${outcome ? `: ${outcome}` : ''}]`,
    sources: [...new Set([...(memory.sources ?? []), ...behind])],
  }
}

/** Something that is another now. */
interface Change {
  /** What was told of it before. */
  was: readonly Claim[]
  changed: readonly ReadonlySet<string>[]
  ended: ReadonlySet<string>
  becomes: Claim
}

const NOTHING: Claim = { terms: new Set(), names: new Set(), owned: new Set() }

function post(postings: Map<string, number[]>, note: number, terms: readonly ReadonlySet<string>[]): void {
  for (const term of new Set(terms.flatMap((some) => [...some]))) entryOf(postings, term, () => []).push(note)
}

function allTerms({ terms, topic }: Claim): Set<string> {
  return new Set([...terms, ...(topic ?? [])])
}

/** Terms of what a statement is on, by which it is found when that ends. */
function subjectOf({ owned, names, topic }: Claim): Set<string> {
  return new Set([...owned, ...names, ...(topic ?? [])])
}

function isEqual(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  return some.size === others.size && isSubset(some, others)
}

/** Whether a claim is about something: about it alone, where it was given what it is about. */
function isOn(noun: ReadonlySet<string>, { owned, topic }: Claim): boolean {
  return topic ? isEqual(noun, topic) : isSubset(noun, owned)
}

function isSubset(some: ReadonlySet<string>, all: ReadonlySet<string>): boolean {
  return some.size > 0 && [...some].every((term) => all.has(term))
}

/** Whether a clause speaks of what a statement says. One common word is not enough. */
function isSame(clause: Claim, statement: Claim): boolean {
  if (clause.topic && statement.topic) return isEqual(clause.topic, statement.topic)
  const weight = (term: string) => (clause.names.has(term) ? 2 : 1)
  const shared = [...clause.terms].filter((term) => statement.terms.has(term))
  const sum = (terms: Iterable<string>) => [...terms].reduce((all, term) => all + weight(term), 0)
  const isNamed = shared.some((term) => clause.names.has(term) && statement.names.has(term))
  return (shared.length > 1 || isNamed) && sum(shared) >= SAME * sum(clause.terms)
}

/** Whether a rule says what becomes of what a statement tells: names apart, they have words in common. */
function isAbout(outcome: Claim, statement: Claim): boolean {
  if (outcome.topic && statement.topic) return isEqual(outcome.topic, statement.topic)
  const topic = [...outcome.terms].filter((term) => !outcome.names.has(term))
  const shared = topic.filter((term) => statement.terms.has(term))
  return shared.length > 0 && (shared.length >= ABOUT.terms || shared.length >= ABOUT.share * topic.length)
}
