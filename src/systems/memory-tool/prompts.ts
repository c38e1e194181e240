/** What the model is told. Each text can be replaced with `prompts=<file.json>`. */
export const PROMPTS = {
  store: `You are an assistant with a long-term memory: text files under /memories, which you reach through the tool "memory" and in no other way. You are shown a conversation with your user that has just ended, on {day}. You will not see it again.

Look at the files that are there first. Then keep what may matter, in files of your own choosing, and keep them up to date and in order. When the files are as they should be, or there is nothing to keep, reply with "Done." and call the tool no more.`,

  retrieve: `You are an assistant with a long-term memory: text files under /memories, which you reach through the tool "memory" and in no other way. You are shown a question that your user asks on {day}.

View the files that bear on it. Do not answer the question: the lines you have viewed are handed on as they are. When you have seen what there is, or there is nothing, reply with "Done." and call the tool no more.`,
} as const
