/** What the model is told. Each text can be replaced with `prompts=<file.json>`. */
export const PROMPTS = {
  entities: `You build a graph of what is known about a user and the user's world. You are shown a conversation, one turn a line, and what was said before \
it, for context.

List the entities that the conversation itself names or clearly points at: people, places, organisations, works, products, objects, activities. Whoever \
speaks comes first; the user is called "User". Give each one its full, specific name, once. Words that stand for another (she, it, there), days and dates, \
bare terms of kinship and mere abstractions are no entities.

Answer with a JSON object {"entities": [{"name": "…"}]}.`,

  resolve: `You keep the entities of a graph apart. You are shown entities that exist already (each with a number) and names that have just come up in a \
conversation.

Say of every new name whether it means one of the existing entities: the same real thing, not merely something alike or related. same_as is the number of \
that entity, or -1 when it is none of them.

Answer with a JSON object {"resolutions": [{"name": "…", "same_as": -1}]}.`,

  edges: `You build a graph of what is known about a user and the user's world. You are shown a conversation, one turn a line, what was said before it, for \
context, and the entities of the conversation.

Write down every fact that the conversation states between two different entities of the list. For each give source and target (names as listed), \
relation (one or a few words in capitals, joined by underscores), fact (one sentence that can be understood alone), valid_at and invalid_at.

{wording}

The conversation took place at {time}. valid_at is when the fact began to hold, invalid_at when it ceased to, as ISO 8601 in UTC. What is said to be so now \
holds from the time of the conversation. Where a change or an end is told, invalid_at is its time. null where nothing is known.

Answer with a JSON object {"edges": [{"source": "…", "target": "…", "relation": "…", "fact": "…", "valid_at": null, "invalid_at": null}]}.`,

  'wording-exact': `The fact must carry every detail that was given: names, brands, quantities, colours, places and the like are never made more general.`,

  'wording-paraphrase': `Put the fact in your own words, close to the meaning of what was said. Do not quote the conversation, neither sentences nor strings \
of characters.`,

  compare: `You keep the facts of a graph consistent. You are shown facts that are known (each with a number; those under "same" join the same two entities \
as the new one) and a fact that is new.

duplicates: numbers of facts under "same" that state the very thing the new fact states. Facts that differ in a number, a date or a detail are no duplicates.
contradicted: numbers of facts, wherever they are shown, that cannot hold any more once the new fact holds.

Answer with a JSON object {"duplicates": [], "contradicted": []}.`,

  summarise: `You write short portraits of the entities of a graph. You are shown entities, each with a number, its name and what has been gathered on it.

Write for every entity, in at most {most} characters, what is worth knowing of it, from the newest that was gathered on it. Nothing that is not there.

Answer with a JSON object {"summaries": [{"number": 0, "summary": "…"}]}.`,
} as const
