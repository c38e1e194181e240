/** What the model is told. Each text can be replaced with `prompts=<file.json>`. */
export const PROMPTS = {
  factual: `You record what is said in a dialogue as separate facts. You are shown what the user says, by topics, one turn a line: when, a number, the words.

Go through it turn by turn and write down every fact, however small: what the user likes, does, owns, plans, thinks, people, places, names, dates. One fact an entry, a full sentence that stands alone, with "User" for the user, and with names kept. What the words let you conclude with some certainty is a further entry of its own.

Give for each entry the number of its turn as source_id. Answer with a JSON object {"data": [{"source_id": 0, "fact": "…"}]}. When there is nothing to \
record, the list is empty.`,

  relational: `You record how people stand to each other and to things in a dialogue. You are shown what the user says, by topics, one turn a line: when, a \
number, the words.

Write down every relation that shows: who speaks to whom of what, praise, thanks, support, questions, agreement, doubt, care, what somebody connects with \
something else, what a thing does for somebody. One relation an entry, a full sentence that stands alone, with "User" for the user.

Give for each entry the number of its turn as source_id. Answer with a JSON object {"data": [{"source_id": 0, "relation": "…"}]}. When no relation shows, the \
list is empty.`,

  summarise: `You write the chronicle of somebody's conversations. You are shown the entries of the latest hour (entries) and older ones that may belong with \
them (related), each with its time. Tell in 200 to 350 words, in the third person and in the order of time, what happened in that hour and how it hangs \
together with what went before. Keep names and dates. Do not add what is not in the entries. Answer with the text alone.`,

  update: `You look after a memory. You are shown one of its entries (target) and entries that were recorded at the same time or after it and are very much like \
it (newer). Decide what becomes of the target.

update: the newer entries add to what the target says; new_memory is one sentence that says all of it.
delete: a newer entry contradicts the target, which holds no longer.
ignore: they speak of different things, or the target needs no change.

Answer with a JSON object {"action": "update", "delete" or "ignore", "new_memory": "…" or null}.`,
} as const
