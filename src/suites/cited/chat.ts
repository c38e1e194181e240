import { entryOf } from '../../base/group-by.js'
import { sentences } from '../../base/text.js'
import { wholeDate } from '../../language/days.js'
import { statementCues } from '../../language/derive-cues.js'
import {
  type Fact,
  type Gold,
  type Question,
  type Scenario,
  type ScenarioEvent,
  spokenText,
  type Turn,
} from '../../model/index.js'

/** A turn that questions may cite. */
export interface CitedTurn extends Turn {
  id: string
}

export interface CitedSession {
  id: string
  time: string
  turns: CitedTurn[]
}

/** What answers a question: a turn, or those sentences of it that do. */
export interface Citation {
  turn: string
  sentences?: string[]
}

/** A question with the turns that its answer rests on. */
export interface CitedQuestion {
  id: string
  task: string
  text: string
  gold: Gold
  cites: Citation[]
  /** What no longer holds; what the question cites replaced it. */
  outdated?: Citation[]
  /** Turns about something else that it tempts a reader to use. */
  tempting?: Citation[]
  /** It cannot be answered without the day on which cited turns were said. */
  dated?: boolean
  /** When it is asked; after all sessions unless told. */
  asked?: string
  tags?: Record<string, string>
  flags?: string[]
}

/** Sessions of one life and what is asked about them. */
export interface CitedChat {
  id: string
  sessions: CitedSession[]
  questions: CitedQuestion[]
  /** Sentences in which others retold a turn, by its id. */
  retold?: ReadonlyMap<string, readonly string[]>
}

/** The fact that a turn was said on its day. */
function dayFactId(turn: string): string {
  return `${turn} day`
}

/** The facts of a set that are cited turns, without those that only tell their days. */
export function citedIn(set: readonly string[]): string[] {
  const days = new Set(set.map(dayFactId))
  return set.filter((id) => !days.has(id))
}

/** One life: all sessions stored, the questions of the tasks asked for at the times at which they are asked. */
export function compileChat(suite: string, chat: CitedChat, tasks?: readonly string[]): Scenario {
  const facts = new FactsOf(chat)
  const wanted = chat.questions.filter(({ task }) => tasks?.includes(task) ?? true)
  const last = chat.sessions.at(-1)?.time ?? new Date(0).toISOString()
  const after = new Date(Date.parse(last) + 86_400_000).toISOString()
  const times = new Map<string, Question[]>()
  for (const asked of wanted)
    entryOf(times, asked.asked ?? after, () => []).push(question(asked, facts, chat.sessions.length))
  const events: ScenarioEvent[] = chat.sessions.map((conversation) => ({ type: 'conversation', conversation }))
  const probes = [...times].sort(([a], [b]) => (a < b ? -1 : 1))
  for (const [at, [time, questions]] of probes.entries()) {
    const place = events.findIndex((event) => event.type === 'conversation' && event.conversation.time > time)
    const id = probes.length === 1 ? 'end' : `asked ${at + 1}`
    events.splice(place < 0 ? events.length : place, 0, { type: 'probe', probe: { id, time, questions } })
  }
  return { id: `${suite}/${chat.id}`, suite, timeline: events, facts: facts.all() }
}

function question(asked: CitedQuestion, facts: FactsOf, sessions: number): Question {
  const { id, task, text, gold, cites, outdated = [], tempting = [], dated, tags = {}, flags = [] } = asked
  const focus = `${text} ${gold.text}`
  const cited = cites.map((cite) => facts.said(cite, focus))
  const days = dated ? cites.map((cite) => facts.day(cite, focus)) : []
  const old = outdated.map((cite) => facts.said(cite, text))
  facts.replace(old, cited)
  const resolved =
    dated && gold.kind === 'date' && cites.length === 1 ? facts.answered(id, cites[0]!, gold, focus) : null
  return {
    id,
    task,
    text,
    needs: cited.length === 0 ? [] : [[...new Set([...cited, ...days])], ...(resolved ? [[resolved]] : [])],
    outdated: [...new Set(old)],
    ...(tempting.length > 0 && { tempting: [...new Set(tempting.map((cite) => facts.said(cite, focus)))] }),
    gold,
    tags: { sessions: String(sessions), ...tags },
    ...(flags.length > 0 && { flags }),
  }
}

/** A fact before all who ask for it are known. */
interface Draft {
  turn: CitedTurn
  session: CitedSession
  sentences: readonly string[]
  /** What is asked of it: the sentences that come closest are forms of their own. */
  focus: Set<string>
  when?: string
  said: boolean
  invalidates: Set<string>
}

/** The facts of a chat: what its questions cite, each once. */
class FactsOf {
  readonly #turns = new Map<string, { turn: CitedTurn; session: CitedSession }>()
  readonly #drafts = new Map<string, Draft>()
  readonly #retold: CitedChat['retold']

  constructor({ sessions, retold }: CitedChat) {
    this.#retold = retold
    for (const session of sessions) for (const turn of session.turns) this.#turns.set(turn.id, { turn, session })
  }

  /** What a turn, or some sentences of it, says. */
  said(cite: Citation, focus: string): string {
    return this.#draft(cite.sentences ? `${cite.turn}: ${cite.sentences.join(' ')}` : cite.turn, cite, focus)
  }

  /** The same with the day on which it was said. */
  day(cite: Citation, focus: string): string {
    return this.#draft(
      dayFactId(this.said(cite, focus)),
      cite,
      focus,
      this.#turns.get(cite.turn)!.session.time.slice(0, 10),
    )
  }

  /** The same with the day that answers the question, which nobody said, but a memory may have reckoned. */
  answered(id: string, cite: Citation, gold: Extract<Gold, { kind: 'date' }>, focus: string): string | null {
    const when = wholeDate(gold)
    if (when === null || this.#turns.get(cite.turn)!.session.time.startsWith(when)) return null
    return this.#draft(`${id} answered`, cite, focus, when, false)
  }

  /** What is cited replaced what is outdated. */
  replace(old: readonly string[], now: readonly string[]): void {
    for (const id of now) for (const gone of old) if (gone !== id) this.#drafts.get(id)!.invalidates.add(gone)
  }

  all(): Fact[] {
    return [...this.#drafts].map(([id, { turn, session, sentences: own, focus, when, said, invalidates }]): Fact => {
      const text = own.length > 0 ? own.join(' ') : turn.text
      const [replaces, ...others] = invalidates
      const retold = own.length > 0 ? [] : (this.#retold?.get(turn.id) ?? [])
      return {
        id,
        text: spokenText({ ...turn, text }),
        evidence: own.length > 0 ? [...own] : sentences(turn.text),
        sources: said ? [session.id] : [],
        turns: [turn.id],
        ...(replaces !== undefined && { replaces }),
        ...(others.length > 0 && { invalidates: others }),
        cues: {
          ...statementCues(text, {
            ...(turn.speaker !== undefined && { who: turn.speaker }),
            retold,
            focus: [...focus],
          }),
          ...(when !== undefined && { when }),
        },
      }
    })
  }

  #draft(
    id: string,
    { turn: cited, sentences: own = [] }: Citation,
    focus: string,
    when?: string,
    said = true,
  ): string {
    const place = this.#turns.get(cited)
    if (!place) throw new Error(`Nothing was said as ${cited}`)
    const make = (): Draft => ({
      ...place,
      sentences: own,
      focus: new Set(),
      ...(when !== undefined && { when }),
      said,
      invalidates: new Set(),
    })
    entryOf(this.#drafts, id, make).focus.add(focus)
    return id
  }
}
