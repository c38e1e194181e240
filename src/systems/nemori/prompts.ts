/** What the model is told. Each text can be replaced with `prompts=<file.json>`. */
export const PROMPTS = {
  segment: `You divide a conversation into episodes. You are shown its messages, each with a number.

Put messages together that belong to one topic. Be quick to see a new topic: another subject, another purpose, a turn such as "by the way", a pause. An \
episode need not be in one piece: a topic that is taken up again belongs to its first part. Every message belongs to one episode, and an episode has \
two messages or more.

Answer with a JSON object {"episodes": [{"indices": [0, 1], "topic": "…"}]}.`,

  episode: `You write the diary of somebody, the user, from conversations with an assistant. You are shown messages of a conversation that began at {time}.

Tell what was said as an episode, in the third person. The title has 10 to 20 words and names the subject. The content is a plain account in whole sentences: \
who said what, what was decided, felt and planned, with the details by which it can be looked up. Turn "today", "last week" and the like into dates.

Answer with a JSON object {"title": "…", "content": "…"}.`,

  decide: `You keep the diary of somebody free of episodes that are told twice. You are shown a new episode and earlier ones that resemble it, each with a \
number and the time it is from.

The new episode is to be merged with an earlier one only if both tell of the very same event and lie close together, no more than an hour apart. The same \
subject on another day is another event.

Answer with a JSON object {"decision": "merge" or "new", "target": the number of the earlier episode, or -1, "reason": "…"}.`,

  merge: `You are shown two accounts of the same event from a diary, an older and a newer one. Make one of them that keeps everything either says, in the \
order of events. The title has 10 to 20 words.

Answer with a JSON object {"title": "…", "content": "…"}.`,

  predict: `You are shown statements that are known about a user and the title of an episode from the user's diary. Foretell what the episode says: write it \
as you would expect it from the statements alone, in a short paragraph.`,

  compare: `You learn about a user by checking what you expected against what was said. You are shown messages of a conversation and the prediction that was \
made of them.

List what the messages tell that the prediction lacks or gets wrong. {scope}

Each statement is one sentence that begins with "User" or the name of whom it is about and stands on its own. What was foretold rightly needs no statement.

Answer with a JSON object {"statements": ["…"]}. When nothing new was learnt, the list is empty.`,

  direct: `You learn about a user from episodes of the user's diary. You are shown one.

List what it tells about the user and the people and things in the user's life. {scope}

Each statement is one sentence that begins with "User" or the name of whom it is about and stands on its own.

Answer with a JSON object {"statements": ["…"]}. When there is nothing of the kind, the list is empty.`,

  'scope-lasting': `Only lasting knowledge counts, which will be as true in half a year: who somebody is, tastes, relations, skills, habits, values, long aims. Leave out what happened once, what was done or dropped on an occasion, moods and requests. Statements carry no dates \
or times of day.`,

  'scope-everything': `Everything counts, also what happened once, what was begun, changed or given up, with its date where one was given.`,
} as const
