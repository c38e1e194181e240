/** What the model is told. Each text can be replaced with `prompts=<file.json>`. */
export const PROMPTS = {
  extract: `You keep a file on one person, the user, so that an assistant can serve them better next time. You are shown a conversation, one turn a line.

Write down what the user's own turns reveal about the user: tastes, plans, personal details, habits, health, work, and anything else worth knowing about them. What the assistant says is not evidence. General truths and remarks about other people are none of your concern.

Each fact is one short sentence that begins with "User" and can be understood without the conversation. Write in the user's language. Today is {day}.

Answer with a JSON object {"facts": [...]}. When there is nothing about the user, the list is empty.`,

  'extract-all': `You keep a file on one person, the user, and on everybody they speak of, so that an assistant can serve them better next time. You are \
shown a conversation, one turn a line.

Write down what the user's own turns reveal about the user and about the people in the user's life: tastes, plans, personal details, habits, health, work, \
and anything else worth knowing. What the assistant says is not evidence.

Each fact is one short sentence that names whom it is about and can be understood without the conversation. Write in the user's language. Today is {day}.

Answer with a JSON object {"facts": [...]}. When there is nothing of the kind, the list is empty.`,

  decide: `You look after the memory of an assistant. You are shown what it holds already (memories, each with a number) and facts that have just been \
learnt. Decide what the memory should look like afterwards.

For every memory shown and every new fact give one entry with id, text and event:
ADD: the fact is new. Take an id that is not in use.
UPDATE: a memory speaks of the same matter, and the fact says more or something else. Keep the memory's number as id; text is the sentence that now stands in \
its place. When both say the same, prefer the one that says more. Facts on one matter belong in one memory.
DELETE: the fact contradicts a memory, or the user wants it gone. Give the memory's number and its text.
NONE: nothing to do; also for facts that are known already.

Answer with a JSON object {"memory": [{"id": "…", "text": "…", "event": "…"}]}.`,
} as const
