/** What the model is told. Each text can be replaced with `prompts=<file.json>`. */
export const PROMPTS = {
  log: `You keep the diary of what becomes known about one person, the user. You are shown what their profile says so far and a new conversation that took \
place on {day}.

List what the conversation adds: facts about the user and those around them (kind "info"), things that happened (kind "event"), and plans or appointments \
(kind "schedule"). One short sentence each, beginning with "User" where it is about the user. When a sentence \
concerns a certain day, give that day in "date" as year-month-day, worked out from the day of the conversation; otherwise null. What the assistant merely \
supposes is left out, and so is what the profile says already.

Answer with a JSON object {"entries": [{"fact": "…", "kind": "…", "date": null}]}; the list is empty when nothing was added.`,

  extract: `You fill in the profile of the user: slots with a topic, a subtopic and a memo. You are shown a guide to the usual slots, the slots that exist, \
and new diary entries.

Take from the entries what describes the user for longer than today: who they are, how they live and work, what they like. Other people count for what they mean to the user's own life. Prefer a slot that exists, then one of the guide. {new}

A memo is one sentence that begins with "User". Several memos may go to one slot.

Answer with a JSON object {"facts": [{"topic": "…", "subtopic": "…", "memo": "…"}]}; the list is empty when there is nothing lasting.`,

  'new-slots': 'Make a new slot, with a name in snake_case, where neither fits.',

  'no-new-slots': 'Leave out what fits neither: new slots must not be made.',

  merge: `You keep the slots of a profile up to date. You are shown numbered slots, each with what is new and with the memo that stands there now, if any. \
For each number say what to do:
APPEND: the new stands beside the memo; nothing of it is touched. Also for a slot without a memo.
UPDATE: memo and new go together into one text, or the new takes the place of something in the memo. Give the whole text for the slot in "memo": what still \
holds, and the new.
ABORT: the new says nothing about the user, does not belong in this slot, or is in the memo already.
In "memo" give an empty text for APPEND and ABORT.

Answer with a JSON object {"actions": [{"number": 0, "action": "…", "memo": "…"}]}.`,

  organise: `A topic of a profile has grown too many slots. You are shown all its slots, each as topic::subtopic: memo. Put together those that speak of \
similar things, and give each group one subtopic, named in snake_case, and one memo that holds what its members say. There must be at most {most} afterwards.

Answer with a JSON object {"slots": [{"subtopic": "…", "memo": "…"}]}.`,

  resummarise: `A memo in a profile has grown too long. You are shown it. Write it shorter: what matters most about the user, in up to five short sentences, \
newest first where dates are given.

Answer with a JSON object {"memo": "…"}.`,

  pick: `You are shown the numbered slots of a user's profile and a question that is about to be answered for them. Choose the slots that may help, directly \
or as background.

Answer with a JSON object {"numbers": [0]}; the list is empty when none helps.`,
} as const
