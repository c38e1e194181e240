/** What is fixed in it. `docs/systems/originals.json` says where each number comes from. */
export const FIXED = {
  maxTokens: 4000,
  /** Raw sessions: user messages of at most so many characters are not kept on their own, and topics named for a session. */
  short: 20,
  mostTopics: 3,
} as const
