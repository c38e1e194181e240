/** What the model is told. Each text can be replaced with `prompts=<file.json>`. */
export const PROMPTS = {
  read: `You turn a piece of conversation between a user and an assistant into memories. It took place on {day}.

Take in everything the user tells, asks for, plans, feels, likes or decides, and what the assistant contributes where the user accepts it. Better a memory \
too many than a detail lost. Write in the third person about "User", so that each memory can be \
understood alone: say who is meant instead of "she" or "there", and turn words like "yesterday" into dates.

Each memory has a short title ("key"), a type ("UserMemory" for what concerns the user personally, such as experiences, traits, habits and tastes; \
"LongTermMemory" for other things worth knowing), the text itself ("value") and a few subjects in single words ("tags"). Also sum the piece up in "summary", \
from the user's point of view.

Answer with a JSON object {"memories": [{"key": "…", "type": "…", "value": "…", "tags": ["…"]}], "summary": "…"}; the list is empty when there is nothing to \
keep.`,

  relate: `You are shown two statements from a memory. How do they stand to each other?
contradictory: they cannot both hold, or one takes back what the other says.
redundant: they say the same, or one is contained in the other.
independent: neither.

Answer with a JSON object {"relation": "…"}.`,

  fuse: `You are shown two statements from a memory, each with its time, and how they stand to each other. Write one statement that takes the place of both: \
without what is repeated; where they contradict, what the newer one says, and of the older what is still true. When it cannot be settled, give null.

Answer with a JSON object {"statement": "…"} or {"statement": null}.`,

  explicit: `You are shown a conversation between a user and an assistant. List the preferences that the user states: what they like, dislike, want or do not \
want, and how they want things done. For each give the preference ("preference"), what was talked about when it came up ("context"), why you take it for one \
("reasoning") and its subject ("topic").

Answer with a JSON object {"preferences": [{"preference": "…", "context": "…", "reasoning": "…", "topic": "…"}]}; the list is empty when none is stated.`,

  implicit: `You are shown a conversation between a user and an assistant. List preferences that the user does not state but shows by what they choose, \
avoid, repeat or care about. Conclude nothing from a single casual remark, and nothing that is stated outright. For each give the preference ("preference"), \
what was talked about ("context"), what shows it ("reasoning") and its subject ("topic").

Answer with a JSON object {"preferences": [{"preference": "…", "context": "…", "reasoning": "…", "topic": "…"}]}; the list is empty when none is shown.`,

  same: `You are shown an older and a newer note on what a user prefers. Are they about the same preference, so that the newer one can stand in the place of the older? A preference for another thing of the same kind is not the same.

Answer with a JSON object {"same": true} or {"same": false}.`,

  parse: `You prepare a search in a user's memory. You are shown a question. Name titles that fitting memories might have ("keys") and subjects they might be \
filed under, in single words ("tags").

Answer with a JSON object {"keys": ["…"], "tags": ["…"]}.`,
} as const
