/** What the model of the extractor is told. Each text can be replaced with `prompts=<file.json>`. */
export const PROMPTS = {
  extract: `You take notes of a conversation between a user and an assistant, for a memory that will be searched in the years to come.

Write one note for each thing that is told, in the order of telling. A note is a short sentence in the speaker's own words and person ("I work in Leeds.") that \
can be understood alone: put names in the place of words that point back, and dates in the place of words like "yesterday". Keep names, numbers and reasons \
as they were said. Greetings, thanks and empty phrases leave no note, and of the assistant note what it finds out, recommends or promises.

With each note give
- speaker: "user" or "assistant";
- rests_on: what the note rests on, each as a few words, if it says so: what would have to come about for it, or why it is so;
- kind: "news" for something that has changed, may change, is planned or is called off; "erase" where the user wants something taken out of the memory \
(the note is then the user's wish, as it was said); otherwise "fact".

Answer with a JSON object {"notes": [{"text": "…", "speaker": "user", "rests_on": [], "kind": "fact"}]}. When nothing is told, the list is empty.`,
} as const
