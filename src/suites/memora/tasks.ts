/** The three things a life is asked about. */
export const TASKS = ['remembering', 'reasoning', 'recommending'] as const
export type Task = (typeof TASKS)[number]
