/** One message of a conversation. */
export interface Turn {
  role: 'user' | 'assistant'
  text: string
}

/** A finished conversation, the unit that a memory system stores. `time` is scenario time, ISO 8601. */
export interface Conversation {
  id: string
  time: string
  turns: Turn[]
}
