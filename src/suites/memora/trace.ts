/** The three things a life is asked about. */
export const TASKS = ['remembering', 'reasoning', 'recommending'] as const
export type Task = (typeof TASKS)[number]

/** Domains in which people have tastes. */
export const TASTES = ['movies', 'books', 'music', 'travel'] as const
export type Taste = (typeof TASTES)[number]

/** What money is spent on. */
export const MEALS = ['breakfast', 'lunch', 'dinner', 'coffee', 'grocery'] as const
export type Meal = (typeof MEALS)[number]

/** What goals are set for: money a week, steps a day. */
export type GoalKind = Meal | 'steps'

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

type TasteOperation = { of: 'taste'; domain: Taste; subcategory: string; item: string }
/** `document` is its id within the trace. */
type DocumentOperation = { of: 'document'; kind: DocumentKind; document: string; title: string }

/** What one session does to the memory. Days are calendar days, `YYYY-MM-DD`. */
export type Operation =
  | (TasteOperation & { act: 'add'; liking: Liking })
  | (TasteOperation & { act: 'delete'; liking: Liking })
  /** The same item, liked in another way. */
  | (TasteOperation & { act: 'flip'; from: Liking; to: Liking })
  /** Another item in its place. */
  | (TasteOperation & { act: 'replace'; old: string; liking: Liking })
  | { of: 'food'; act: 'add'; meal: Meal; amount: number }
  | { of: 'steps'; act: 'add'; activity: string; count: number }
  | { of: 'todo'; act: 'add' | 'delete'; list: 'work' | 'personal'; task: string }
  | { of: 'calendar'; act: 'add'; kind: string; event: string; day: string }
  | { of: 'calendar'; act: 'delete'; kind: string; event: string; day: string }
  | { of: 'calendar'; act: 'update'; kind: string; event: string; day: string; old: string }
  /** `fields` are those revealed. */
  | (DocumentOperation & { act: 'add'; fields: Record<string, FieldValue> })
  /** A document that a session completes will not change any more. */
  | (DocumentOperation & { act: 'update' | 'delete'; revisions: Revision[]; completes: boolean })
  | { of: 'goal'; act: 'set'; goal: GoalKind; value: number; old: number | null }

export type OperationOf<Kind extends Operation['of']> = Extract<Operation, { of: Kind }>

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
  documents: DocumentState[]
  goals: { goal: GoalKind; value: number; day: string; session: number }[]
}

export interface DocumentState {
  id: string
  kind: DocumentKind
  title: string
  fields: Record<string, FieldValue>
  sessions: number[]
  completed: boolean
}

/** One simulated (or imported) life: ordered sessions over some days, the first and the last included. */
export interface LifeTrace {
  persona: string
  start: string
  end: string
  sessions: TraceSession[]
}
