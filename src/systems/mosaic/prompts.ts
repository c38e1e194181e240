/** What the model of the extractor is told. Each text can be replaced with `prompts=<file.json>`. */
export const PROMPTS = {
  extract: `You take notes of a conversation between a user and an assistant, for a memory that will be searched in the years to come.

Write one note for each thing that is told, in the order of telling. A note is a short sentence in the speaker's own words and person ("I work in Leeds.") that \
can be understood alone: put names in the place of words that point back, and dates in the place of words like "yesterday". Keep names, numbers and reasons \
as they were said. Greetings, thanks and empty phrases leave no note, and of the assistant note what it finds out, recommends or promises.

With each note give
- speaker: "user" or "assistant";
- of, about, value: whose attribute it tells ("user" or a name), which one, by the plainest noun that you would choose each time ("employer"), and what it is; \
empty strings where it tells none;
- rests_on: what the note rests on, if it says so, each begun with such a noun ("employer: Finbank"): why it is so, or, of what is pending, what would have to come about \
("employer changes", "employer: Finbank");
- kind: "pending" for what will be so if something comes about; "change" for something that is another now or is settled to become so; "thought" for what is \
wished, considered or heard of; "revoked" for a change that is taken back; "erase" where the user wants something taken out of the memory (the note is then the \
user's wish, as it was said); otherwise "fact".

Answer with a JSON object {"notes": [{"text": "…", "speaker": "user", "of": "user", "about": "…", "value": "…", "rests_on": [], "kind": "fact"}]}. When nothing is told, the list is empty.`,
} as const
