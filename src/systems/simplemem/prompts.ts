/** What an entry has beside its text. */
const FIELDS = `keywords: words by which it should be found;
timestamp: when it happens or holds, as an ISO 8601 date or time, or null;
location: where, or null;
persons: names of the people in it ("User" among them);
entities: names of things, places, firms, products in it;
topic: a few words.

Answer with a JSON object {"entries": [...]}. When nothing matters, the list is empty.`

/** What the model is told. Each text can be replaced with `prompts=<file.json>`. */
export const PROMPTS = {
  compress: `You turn dialogue into entries of a memory from which questions are answered when the dialogue itself is gone. You are shown a stretch of \
dialogue, one turn a line with its time and speaker, and the first entries made of the stretch before, if any (previous).

Restate everything that is said in the dialogue and may matter, one complete and simple statement of fact an entry. Miss nothing: better too many entries \
than too few. An entry must be clear when it stands alone: names in place of pronouns ("User" for the user), dates in place of words like "yesterday", \
counted from the time of the turn. Do not repeat what the previous entries say already. Mere courtesies leave no entry.

For each entry give:
lossless_restatement: the statement;
${FIELDS}`,

  'compress-said': `You turn dialogue into entries of a memory from which questions are answered when the dialogue itself is gone. You are shown a \
stretch of dialogue, one turn a line with its time and speaker, and the first entries made of the stretch before, if any (previous).

Copy every sentence of the dialogue that may matter, one an entry, in the words in which it was said, without changing, adding or leaving out any. Do not \
repeat what the previous entries say already. Mere courtesies leave no entry.

For each entry give:
lossless_restatement: the sentence as it was said;
${FIELDS}`,

  plan: `A memory is about to be searched for the answer to a question. Work out what has to be found. It is {day}.

question_type: what kind of question it is, in a word or two;
key_entities: the people, things and ideas it turns on;
required_info: each piece of information without which it cannot be answered, with info_type, description and priority (high, medium or low);
relationships: how these pieces hang together;
minimal_queries_needed: with how few searches they can be found.

Answer with a JSON object with these five members.`,

  queries: `You write queries for a search by meaning. You are shown a question and a plan of what has to be found for it. Write as few queries as cover the \
plan, at most {most}, each for something the others do not find. Name people and things as the memory would: the person who asks is "User".

Answer with a JSON object {"reasoning": "…", "queries": ["…"]}.`,

  analyse: `Take a question apart, so that a memory can be searched by words and by fields. It is {day}.

keywords: words that entries with the answer are likely to hold;
persons: names of people who must appear in them, if the question names any;
time_expression: the time the question asks about, in its words or as a date, or null;
location: the place the question asks about, or null;
entities: names of things, places, firms, products that must appear in them, if the question names any.

Answer with a JSON object with these five members.`,

  check: `You are shown a question, a plan of what has to be found for it, and the entries that a search has brought up so far. Judge whether the entries \
hold everything the plan calls for, not whether they are pleasant to read.

Answer with a JSON object {"assessment": "complete" or "incomplete", "missing": ["what is not there yet", …]}.`,

  more: `You are shown a question, the entries that a search has brought up, and what is missing among them. Write two to four further queries for a search \
by meaning that aim at what is missing, in other words than the question.

Answer with a JSON object {"queries": ["…"]}.`,
} as const
