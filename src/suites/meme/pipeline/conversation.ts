import { z } from 'zod'
import { fold, sentences } from '../../../base/text.js'
import type { Fact, Turn } from '../../../model/index.js'
import { type CallStep, type Made, type Maker, type Refusal, rowStep } from '../../generation/maker.js'
import { historyOf, type TalkHistory, turnStep } from '../../generation/talk.js'
import { PARTS, type Part, type Saying } from '../generate/statements.js'
import type { Domain } from '../graph.js'

const row = z.number().int()
const Told = z.object({ row, text: z.string().min(1) })
type ToldFact = z.infer<typeof Told>

const THIRD = 'It is so of the user: '

/** First-person facts told of the user, so that whoever plays the user finds words of their own. */
export const thirdPerson = rowStep<ToldFact, ToldFact>('third-person', Told, (fact) => {
  return { ...fact, text: `${THIRD}${fact.text}` }
})

/** Which session of which episode: the same words in another are another call. */
interface SessionPlace {
  domain: string
  episode: number
  part: Part
}

/** One turn of the user, who brings up one fact. */
export const userTurn = turnStep(
  'user',
  ({ fact }: SessionPlace & { history: TalkHistory; fact: string; value: string }) =>
    `${fact.replace(THIRD, '')} Anything I should know about that?`,
)

const REPLIES = [
  'Good to know, and thanks for telling me.',
  'I see. Take it one step at a time.',
  'Understood, that makes sense to me.',
]

/** One turn of the assistant, who adds nothing to what the user said. */
export const assistantTurn = turnStep('assistant', ({ history }: SessionPlace & { history: TalkHistory }) =>
  history.length === 0 ? 'Hello, what can I do for you?' : REPLIES[history.length % REPLIES.length]!,
)

/** Where each fact was said. */
export const annotation: CallStep<{ turns: string[]; rows: ToldFact[] }, { rows: { row: number; turn: number }[] }> = {
  name: 'annotate',
  role: 'generator',
  reply: z.object({ rows: z.array(z.object({ row, turn: z.number().int() })) }),
  rehearse: ({ turns, rows }) => ({
    rows: rows.map(({ row, text }) => ({
      row,
      turn: turns.findIndex((turn) => turn.includes(text.replace(THIRD, ''))),
    })),
  }),
}

const CHECKS = {
  said: z.boolean(),
  exact: z.boolean(),
  as_fact: z.boolean(),
  alone: z.boolean(),
  nothing_added: z.boolean(),
}

const Audited = z.object({ row, ...CHECKS, why: z.string() })
type AuditedFact = z.infer<typeof Audited>

/** A second model reads a session over: five questions for every fact. Told besides: "history". */
const sessionAudit = rowStep<ToldFact, AuditedFact>(
  'session-audit',
  Audited,
  (fact) => ({ row: fact.row, said: true, exact: true, as_fact: true, alone: true, nothing_added: true, why: '' }),
  'auditor',
)

/** Times that turns of a session are written anew, with what was found wrong with them. */
export const MOST_REPAIRS = 2

/** What is said in an episode, in sessions that models wrote: rules, exact strings and changes word for word, the rest in their own words. */
export interface ToldParts {
  turns: Map<Part, Turn[]>
  said: Saying[]
}

/** Has the user and the assistant talk through all parts. What could not be told as it should is named by rule. */
export async function tellParts(
  maker: Maker,
  { domain, index }: { domain: Domain; index: number },
  said: readonly Saying[],
  facts: ReadonlyMap<string, Fact>,
): Promise<ToldParts | string> {
  const free = said.map((saying, row) => ({ row, saying })).filter(({ saying }) => isFree(saying))
  const others = await maker.rows(
    thirdPerson,
    free.map(({ row, saying }) => ({ row, text: saying.text })),
    ({ row, text }) => missing(text, said[row]!.value),
  )
  const values = [...new Set(said.map(({ value }) => value))]
  const parts = await Promise.all(
    PARTS.map((part) =>
      tellPart(
        maker,
        { domain, episode: index, part },
        said.flatMap((saying, row) =>
          saying.part === part ? [{ row, saying, fact: others.get(row), claim: facts.get(saying.id)! }] : [],
        ),
        values,
      ),
    ),
  )
  const failed = parts.find((part) => typeof part === 'string')
  if (failed !== undefined) return failed as string
  const told = parts.filter((part) => typeof part !== 'string')
  const texts = new Map(told.flatMap(({ texts: own }) => [...own]))
  return {
    turns: new Map(told.map(({ turns }, at) => [PARTS[at]!, turns])),
    said: said.map((saying, row) => ({ ...saying, text: texts.get(row) ?? saying.text })),
  }
}

/** Facts of the first three sessions are put into other words; all others stand as they are. */
function isFree({ part, exact }: Saying): boolean {
  return part.startsWith('1') && !exact
}

interface PartSaying {
  row: number
  saying: Saying
  /** The same in the third person, for what is put into other words. */
  fact: Made<ToldFact> | undefined
  claim: Fact
}

async function tellPart(
  maker: Maker,
  place: SessionPlace,
  own: readonly PartSaying[],
  values: readonly string[],
): Promise<{ turns: Turn[]; texts: Map<number, string> } | string> {
  if (own.some(({ fact }) => fact && 'refused' in fact)) return 'third-person'
  let wrong = new Map<number, Refusal[]>()
  const users = new Map<number, string>()
  for (let attempt = 0; attempt <= MOST_REPAIRS; attempt++) {
    const turns: Turn[] = []
    const answer = async () => {
      const made = await maker.ask(assistantTurn, { ...place, history: historyOf(turns) }, ({ text }) =>
        repeated(text, values, maker),
      )
      if ('value' in made) turns.push({ role: 'assistant', text: made.value.text })
      return 'value' in made
    }
    if (!(await answer())) return 'assistant'
    for (const one of own) {
      const { row, saying, fact } = one
      if (!fact) users.set(row, saying.text)
      else if (attempt === 0 || wrong.has(row)) {
        const others = values.filter((value) => value !== saying.value && !saying.value.includes(value))
        const input = {
          ...place,
          history: historyOf(turns),
          fact: (fact as { value: ToldFact }).value.text,
          value: saying.value,
        }
        const made = await maker.ask(
          userTurn,
          { ...input, ...(wrong.has(row) && { attempt, found_wrong: wrong.get(row)!.map(({ message }) => message) }) },
          async ({ text }) => [
            ...missing(text, saying.value),
            ...named(text, others, 'other-value'),
            ...(await unsaid(text, one, maker)),
          ],
        )
        if ('refused' in made) return made.refused[0]!.rule
        users.set(row, made.value.text)
      }
      turns.push({ role: 'user', text: users.get(row)! })
      if (!(await answer())) return 'assistant'
    }
    const found = await lookedOver(maker, turns, own, users)
    if (typeof found === 'string') return found
    if (found.size === 0)
      return {
        turns,
        texts: new Map(
          own.map(({ row, saying, fact }) => [row, fact ? sentenceWith(users.get(row)!, saying.value) : saying.text]),
        ),
      }
    if (attempt === MOST_REPAIRS || [...found.keys()].some((row) => !own.find((one) => one.row === row)!.fact))
      return 'session-audit'
    wrong = found
  }
  return 'session-audit'
}

/** Where each fact was said must be found, and a second model must agree that it was; facts with something wrong are named. */
async function lookedOver(
  maker: Maker,
  turns: readonly Turn[],
  own: readonly PartSaying[],
  users: ReadonlyMap<number, string>,
): Promise<Map<number, Refusal[]> | string> {
  const texts = turns.flatMap(({ role, text }) => (role === 'user' ? [text] : []))
  const rows = own.map(({ row, saying, fact }) => ({
    row,
    text: fact && 'value' in fact ? fact.value.text : saying.text,
  }))
  const places = await maker.ask({ ...annotation }, { turns: texts, rows }, (reply) =>
    rows.flatMap(({ row }) => {
      const turn = texts[reply.rows.find((one) => one.row === row)?.turn ?? -1]
      return turn !== undefined && turn === users.get(row)
        ? []
        : [{ rule: 'annotation', message: `Fact ${row} was not said in that turn.` }]
    }),
  )
  if ('refused' in places) return 'annotation'
  const audited = [...(await maker.rows(sessionAudit, rows, () => [], { history: historyOf(turns) }))]
  if (audited.some(([, made]) => 'refused' in made)) return 'session-audit'
  return new Map(
    audited.flatMap(([row, made]): [number, Refusal[]][] => {
      const { why, ...checks } = (made as { value: AuditedFact }).value
      const broken = Object.keys(CHECKS).filter((name) => !checks[name as keyof typeof CHECKS])
      return broken.length === 0 ? [] : [[row, broken.map((rule) => ({ rule, message: `${rule}: ${why}` }))]]
    }),
  )
}

function missing(text: string, value: string): Refusal[] {
  return text.includes(value) ? [] : [{ rule: 'value', message: `It must say "${value}", letter for letter.` }]
}

function named(text: string, values: readonly string[], rule: string): Refusal[] {
  const found = values.find((value) => value.length > 3 && fold(text).includes(fold(value)))
  return found === undefined ? [] : [{ rule, message: `It must not say "${found}".` }]
}

/** By our rules a fact must follow from its turn by the judge without a model, too, where that judge reads it out of our own sentence. */
async function unsaid(text: string, { saying, claim }: PartSaying, { making }: Maker): Promise<Refusal[]> {
  if (making.rules === 'paper') return []
  const verdictOn = async (told: string) => (await making.judgeFacts([claim], [{ id: 'turn', text: told }]))[0]!
  const { label, uncertain, reason } = await verdictOn(text)
  if (label === 'correct' || uncertain || (await verdictOn(saying.text)).label !== 'correct') return []
  return [{ rule: 'entailment', message: `It does not tell the fact: ${reason}` }]
}

/** By our rules an assistant repeats no value: what it says would be evidence, too. */
function repeated(text: string, values: readonly string[], { making }: Maker): Refusal[] {
  return making.rules === 'sound' ? named(text, values, 'assistant-value') : []
}

function sentenceWith(text: string, value: string): string {
  return sentences(text).find((sentence) => sentence.includes(value)) ?? text
}
