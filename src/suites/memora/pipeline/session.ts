import { z } from 'zod'
import { entryOf } from '../../../base/group-by.js'
import type { Turn } from '../../../model/index.js'
import type { CallStep, Maker, Refusal } from '../../generation/maker.js'
import { historyOf, type TalkHistory, turnStep } from '../../generation/talk.js'
import type { PersonaId } from '../seed.js'
import { simulate } from '../simulate/index.js'
import { findGroundingErrors } from '../talk/grounded.js'
import { namesOf } from '../talk/inventory.js'
import { plannedTalk, type SaidParts, type TalkIntent } from '../talk/talk.js'
import type { LifeTrace, TraceSession } from '../trace.js'

/** Times that a conversation is written, each time with what was found wrong before; by our rules its turns are planned anew between. */
const TRIES = 4
const FLOWS = 2
export const MOST_TRIES = TRIES * FLOWS

/** Whose life, so that a rehearsal can look up what it says. */
interface LifeKey {
  persona: PersonaId
  days: number
  seed: number
}

interface TurnInput {
  life: LifeKey
  session: number
  /** Which try it is, and by which plan it goes. */
  attempt: number
  flow: number
  turn: number
  about: string
  phase: TalkIntent['phase']
  intent: string
  /** What is to be said, in the user's own words; null where there is nothing to remember. */
  convey: string | null
  history: TalkHistory
  found_wrong?: string[]
}

const traces = new Map<string, LifeTrace>()
const flows = new Map<string, ReturnType<typeof plannedTalk>>()

function rehearsedTurn({ life, session, flow, turn }: TurnInput): string {
  const trace = entryOf(traces, JSON.stringify(life), () => simulate(life))
  const plan = entryOf(flows, JSON.stringify([life, session, flow]), () => {
    return flowOf(trace, trace.sessions[session - 1]!, life, flow)
  })
  return plan.turns[turn]!.text
}

/** What is said in a session, turn by turn; another flow goes about it in another way. */
function flowOf(trace: LifeTrace, session: TraceSession, { seed }: LifeKey, flow: number) {
  return plannedTalk(trace, session, seed + 1_000_000 * flow)
}

export const userTurn = turnStep('user', rehearsedTurn)
export const assistantTurn = turnStep('assistant', rehearsedTurn)

/** Whether all turns of a conversation go together, and tell nothing that is not in the session. */
const coherence: CallStep<{ history: TalkHistory; to_remember: string }, { coherent: boolean; why: string }> = {
  name: 'coherence',
  role: 'auditor',
  reply: z.object({ coherent: z.boolean(), why: z.string() }),
  rehearse: () => ({ coherent: true, why: '' }),
}

/** Questions of yes and no about the turns in which something is to be remembered. */
const grounding: CallStep<
  { turns: TalkHistory; rows: { row: number; question: string }[] },
  { rows: { row: number; yes: boolean; why: string }[] }
> = {
  name: 'grounding',
  role: 'judge',
  reply: z.object({ rows: z.array(z.object({ row: z.number().int(), yes: z.boolean(), why: z.string() })) }),
  rehearse: ({ rows }) => ({ rows: rows.map(({ row }) => ({ row, yes: true, why: '' })) }),
}

/** A conversation that was accepted, and after how many tries. */
export interface ToldSession {
  turns: Turn[]
  said: SaidParts
  tries: number
}

/** Has the two speakers talk through the intents of a session, until all who look it over accept it; else the rule that it broke last. */
export async function tellSession(
  maker: Maker,
  trace: LifeTrace,
  session: TraceSession,
  life: LifeKey,
): Promise<ToldSession | string> {
  let wrong: Refusal[] = []
  for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
    const flow = maker.making.rules === 'paper' ? 0 : Math.floor(attempt / TRIES)
    const plan = flowOf(trace, session, life, flow)
    const turns: Turn[] = []
    for (const [turn, { role, text }] of plan.turns.entries()) {
      const { phase, does, says } = plan.intents[turn]!
      const input: TurnInput = {
        life,
        session: session.number,
        attempt,
        flow,
        turn,
        about: trace.persona.replaceAll('_', ' '),
        phase,
        intent: does,
        convey: says.length > 0 && role === 'user' ? text : null,
        history: historyOf(turns),
        ...(wrong.length > 0 && { found_wrong: wrong.map(({ message }) => message) }),
      }
      const made = await maker.ask(role === 'user' ? userTurn : assistantTurn, input)
      if ('refused' in made) return made.refused[0]!.rule
      turns.push({ role, text: made.value.text })
    }
    wrong = await problemsOf(maker, trace, session, plan, turns)
    if (wrong.length === 0) {
      const places = Object.keys(plan.said).map((part): [string, string[]] => {
        const isSaid = ({ says }: TalkIntent, at: number) => says.includes(part) && plan.turns[at]!.role === 'user'
        return [part, [turns[plan.intents.findLastIndex(isSaid)]!.text]]
      })
      return { turns, said: Object.fromEntries(places), tries: attempt + 1 }
    }
  }
  return wrong[0]!.rule
}

async function problemsOf(
  maker: Maker,
  trace: LifeTrace,
  session: TraceSession,
  plan: ReturnType<typeof plannedTalk>,
  turns: readonly Turn[],
): Promise<Refusal[]> {
  const own =
    maker.making.rules === 'sound'
      ? findGroundingErrors(trace, session, turns).map(({ rule, message }) => ({ rule, message }))
      : []
  if (own.length > 0) return own
  const told = plan.turns
    .filter(({ role }, at) => role === 'user' && plan.intents[at]!.says.length > 0)
    .map(({ text }) => text)
  const looked = await maker.ask(coherence, { history: historyOf(turns), to_remember: told.join(' ') || 'nothing' })
  if ('refused' in looked) return [{ rule: 'no verdict', message: 'The conversation could not be looked over.' }]
  if (!looked.value.coherent) return [{ rule: 'coherence', message: looked.value.why }]
  const rows = groundingQuestions(session, told).map((question, row) => ({ row, question }))
  const verdicts = await maker.judges(grounding, { turns: historyOf(windowOf(plan.intents, turns)), rows }, (reply) =>
    rows.every(({ row }) => reply.rows.some((one) => one.row === row))
      ? []
      : [{ rule: 'count', message: 'Every question needs an answer.' }],
  )
  return verdicts.flatMap((verdict): Refusal[] => {
    if ('refused' in verdict) return [{ rule: 'no verdict', message: 'A judge gave no verdict.' }]
    return verdict.value.rows
      .filter(({ yes }) => !yes)
      .map(({ row, why }) => ({ rule: 'grounding', message: `${rows[row]?.question ?? ''} No: ${why}` }))
  })
}

/** The last turn before something is told, all turns in which it is, and the first reply after them. */
function windowOf(intents: readonly TalkIntent[], turns: readonly Turn[]): Turn[] {
  const places = intents.flatMap(({ says }, at) => (says.length > 0 ? [at] : []))
  if (places.length === 0) return [...turns]
  return turns.slice(Math.max(0, places[0]! - 1), places.at(-1)! + 2)
}

/** What must be so of a session: that the operation was told, with its names and values, and nothing else. */
function groundingQuestions({ operation }: TraceSession, told: readonly string[]): string[] {
  const nothing =
    'Is nothing told that would have to be remembered about the user, and nothing that is over told as if it still held'
  if (!operation) return [`${nothing}?`]
  const does = {
    add: 'new',
    delete: 'over, or taken back',
    update: 'changed',
    flip: 'changed',
    replace: 'put in the place of something else',
    set: 'set from now on',
  }
  return [
    `Does the user say by himself, as something that is ${does[operation.act]}, what these words say: "${told.join(' ')}"?`,
    `Is every name, number and date in it exactly that of these words${namesOf(operation).length > 0 ? `, such as "${namesOf(operation)[0]}"` : ''}?`,
    `${nothing}, besides that?`,
  ]
}
