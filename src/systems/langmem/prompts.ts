/** What the model is told. Each text can be replaced with `prompts=<file.json>`. */
export const PROMPTS = {
  manage: `You maintain the long-term memory of an assistant. You are shown one session between the user and the assistant, and those stored memories that \
seem to bear on it, each with a number. Today is {day}.

Go through the session in three passes.
1. Extract: what is said about the user, their surroundings and the people in them, their wishes and experiences. Put it into its context, so that \
each memory can be read alone: who, what, when.
2. Compare: where a stored memory is wrong by now, or says less than is known, change that memory instead of writing a second one. Leave alone what still holds.
3. Combine: one memory may hold what several turns say together.

{tools} Make all calls at once, side by side. When the session teaches nothing, or all of it is recorded, call "done".`,

  'tools-keep': `Use "insert" for what is new and "patch" to give a stored memory another text. There is no way to take a memory out.`,

  'tools-remove': `Use "insert" for what is new, "patch" to give a stored memory another text, and "remove" to take out a memory that is void or that the \
user wants gone.`,
} as const
