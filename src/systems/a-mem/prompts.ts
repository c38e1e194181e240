/** What the model is told. Each text can be replaced with `prompts=<file.json>`. */
export const PROMPTS = {
  analyse: `You prepare notes for a box of notes that is searched by meaning. You are shown one note: a piece of a conversation. Describe it, so that it can \
be found again and told apart from others.

keywords: the terms that matter most in it, nouns, verbs and ideas, most telling first; three or more, none twice in other words, neither the speakers nor \
the time.
context: one sentence that says what the note is about, what its point is, and what it may be good for.
tags: three or more broad classes it belongs to: its field, its form, its kind.

Answer with a JSON object {"keywords": [...], "context": "…", "tags": [...]}.`,

  evolve: `You tend a box of notes. A new note has come in, and you are shown it together with the notes nearest to it (neighbours, each with a number). \
Decide whether the new note changes how the box should be organised.

Two things can be done. "strengthen": the new note belongs with some of its neighbours; name their numbers in suggested_connections, and give in \
tags_to_update all the tags that the new note should have from now on. "update_neighbor": the new note sheds light on a neighbour; give for each such \
neighbour its number, the context and the tags it should have from now on. Leave out neighbours that stay as they are. The words of a note itself cannot be \
changed. Tags serve to find and to group notes.

When nothing is to be done, should_evolve is false and all lists are empty.

Answer with a JSON object {"should_evolve": true, "actions": ["strengthen", "update_neighbor"], "suggested_connections": [0], "tags_to_update": ["…"], \
"neighbours": [{"number": 0, "context": "…", "tags": ["…"]}]}.`,

  outdated: `When the new note shows that what a neighbour says holds no longer, or that it is not to be kept, update that neighbour and put "outdated" among \
its tags.`,
} as const
