/** Domains in which people have tastes. */
export const TASTES = ['movies', 'books', 'music', 'travel'] as const
export type Taste = (typeof TASTES)[number]

/** What money is spent on. */
export const MEALS = ['breakfast', 'lunch', 'dinner', 'coffee', 'grocery'] as const
export type Meal = (typeof MEALS)[number]

/** Documents that are drafted over several sessions. */
export const DOCUMENTS = ['proposal', 'email', 'notes', 'post'] as const
export type DocumentKind = (typeof DOCUMENTS)[number]

export type Liking = 'like' | 'dislike'

/** A field of a document: one value, several, or an amount of money. */
export type FieldValue = string | string[] | number

/** One element of a document that came, went or was revised. */
export type Revision =
  | { field: string; change: 'added' | 'removed'; value: string }
  | { field: string; change: 'revised' | 'reverted'; from: string | number; to: string | number }

/** What one session does to the memory. Days are calendar days, `YYYY-MM-DD`. */
export type Operation =
  | { of: 'taste'; act: 'add'; domain: Taste; subcategory: string; item: string; liking: Liking }
  | { of: 'taste'; act: 'delete'; domain: Taste; subcategory: string; item: string; liking: Liking }
  /** The same item, liked in another way. */
  | { of: 'taste'; act: 'flip'; domain: Taste; subcategory: string; item: string; from: Liking; to: Liking }
  /** Another item in its place. */
  | { of: 'taste'; act: 'replace'; domain: Taste; subcategory: string; item: string; old: string; liking: Liking }
  | { of: 'food'; act: 'add'; meal: Meal; amount: number }
  | { of: 'steps'; act: 'add'; activity: string; count: number }
  | { of: 'todo'; act: 'add' | 'delete'; list: 'work' | 'personal'; task: string }
  | { of: 'calendar'; act: 'add'; kind: string; event: string; day: string }
  | { of: 'calendar'; act: 'update'; kind: string; event: string; day: string; old: string }
  | { of: 'calendar'; act: 'delete'; kind: string; event: string; day: string }
  /** `fields` are those revealed; `document` is its id within the trace. */
  | {
      of: 'document'
      act: 'add'
      kind: DocumentKind
      document: string
      title: string
      fields: Record<string, FieldValue>
    }
  | {
      of: 'document'
      act: 'update' | 'delete'
      kind: DocumentKind
      document: string
      title: string
      revisions: Revision[]
      /** The document is complete with this session, and will not change any more. */
      completes: boolean
    }
  | { of: 'goal'; act: 'set'; goal: Meal | 'steps'; value: number; old: number | null }

/** One session of a life: what it does, or null when it leaves the memory alone. */
export interface TraceSession {
  /** From 1 up, in order. */
  number: number
  day: string
  operation: Operation | null
  /** What was to be done and could not be, so that nothing was. */
  failed?: string
}

/** The memory as it is after some session. Lists keep the order in which things came. */
export interface LifeState {
  tastes: { domain: Taste; subcategory: string; item: string; liking: Liking; since: number }[]
  food: { meal: Meal; amount: number; day: string; session: number }[]
  steps: { activity: string; count: number; day: string; session: number }[]
  todos: { list: 'work' | 'personal'; task: string; since: number }[]
  events: { kind: string; event: string; day: string; since: number }[]
  documents: {
    id: string
    kind: DocumentKind
    title: string
    fields: Record<string, FieldValue>
    sessions: number[]
    completed: boolean
  }[]
  goals: { goal: Meal | 'steps'; value: number; day: string; session: number }[]
}

/** One simulated (or imported) life: ordered sessions over some days. */
export interface LifeTrace {
  persona: string
  /** First and last day. */
  start: string
  end: string
  sessions: TraceSession[]
}
