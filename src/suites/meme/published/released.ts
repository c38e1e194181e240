import type { AskedQuestion, BareEpisode, FullEpisode, PublishedFact, ReleasedSession } from './schema.js'

/** Something said in a published episode, where it stands when there is dialogue. */
export interface ReleasedFact extends Pick<PublishedFact, 'entity' | 'value' | 'conveyed' | 'conveyed_in_turn'> {
  /** The sentence as it was to be said. */
  seed: string
  /** The sentence as its authors wrote it down after it was said. */
  restated?: string
  parent?: string
  kind: 'fact' | 'rule' | 'change' | 'delete'
  exact: boolean
  filler: boolean
  /** Number of the session that says it. */
  session?: number
}

/** When questions are asked, as far as the release says. */
export type ProbeMoment = Pick<FullEpisode['after_questions'], 'timestamp' | 'position_after_session'>

/** A published episode: the parts the solver reads, what is said, what is asked, and the dialogue if there is any. */
export interface Released {
  skeleton: Omit<BareEpisode | FullEpisode, 'before_questions' | 'after_questions'>
  facts: ReleasedFact[]
  before: AskedQuestion[]
  after: AskedQuestion[]
  told: { sessions: ReleasedSession[]; before: ProbeMoment; after: ProbeMoment; misfit: Misfit } | null
}

/** An error about a field of an episode. */
export type Misfit = (field: string, problem: string) => Error

/** An episode without dialogue. */
export function fromBare(episode: BareEpisode, misfit: Misfit): Released {
  const facts = [...episode.fact_seeds, ...episode.change_delete_seeds].map(({ gold_fact, ...fact }) =>
    factOf(fact, gold_fact),
  )
  return { ...shared(episode, facts, misfit), told: null }
}

/** An episode with its dialogue. */
export function fromFull(episode: FullEpisode, misfit: Misfit): Released {
  const facts = episode.sessions.flatMap((session, number) =>
    (session.gold_facts ?? []).map((fact, i): ReleasedFact => {
      const seed = fact.original_seed ?? fact.fact_text
      if (seed === undefined)
        throw misfit(`sessions.${number}.gold_facts.${i}`, 'it has neither "original_seed" nor "fact_text"')
      const { conveyed, conveyed_in_turn } = fact
      return {
        ...factOf(fact, seed),
        ...(fact.fact_text !== undefined && { restated: fact.fact_text }),
        conveyed,
        conveyed_in_turn,
        session: number,
      }
    }),
  )
  if (!facts.some(({ kind }) => kind === 'change')) throw misfit('sessions', 'no gold fact of type "root_change"')
  const { before_questions: before, after_questions: after, sessions } = episode
  return { ...shared(episode, facts, misfit), told: { sessions, before, after, misfit } }
}

function factOf(fact: Omit<BareEpisode['fact_seeds'][number], 'gold_fact'>, seed: string): ReleasedFact {
  const { entity, value, dependency_source: parent, is_exact, is_filler } = fact
  return {
    entity,
    value,
    seed,
    ...(parent !== undefined && { parent }),
    kind: kindOf(fact),
    exact: is_exact ?? false,
    filler: is_filler ?? false,
    conveyed: undefined,
    conveyed_in_turn: undefined,
  }
}

/** The episode as the solver reads it. Values that a question leaves out are those of its entities. */
function shared(episode: BareEpisode | FullEpisode, facts: ReleasedFact[], misfit: Misfit): Omit<Released, 'told'> {
  const { before_questions, after_questions } = episode
  const exact = new Set(after_questions.questions.flatMap((q) => (q.task_type === 'ER' ? q.entity : [])))
  const valued = (question: AskedQuestion, time: 'before' | 'after'): AskedQuestion => ({
    ...question,
    entity_values: Object.fromEntries(
      question.entity.map((id) => {
        const held = episode.entities[id]
        if (!held) throw misfit(`${time}_questions`, `"${question.question}" asks for ${id}, which is no entity of it`)
        const isNew = time === 'after' && question.task_type === 'Cas'
        const own = question.task_type === 'Tr' ? held.history : isNew ? held.after : held.before
        return [id, question.entity_values[id] ?? own ?? '']
      }),
    ),
  })
  return {
    facts: facts.map((fact) => ({ ...fact, exact: fact.exact || (fact.kind === 'fact' && exact.has(fact.entity)) })),
    before: before_questions.questions.map((question) => valued(question, 'before')),
    after: after_questions.questions.map((question) => valued(question, 'after')),
    skeleton: episode,
  }
}

function kindOf({ type, is_if_then }: Pick<PublishedFact, 'type' | 'is_if_then'>): ReleasedFact['kind'] {
  if (type === 'root_change') return 'change'
  if (type === 'delete') return 'delete'
  return is_if_then ? 'rule' : 'fact'
}
