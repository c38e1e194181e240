/** What the model is told. Each text can be replaced with `prompts=<file.json>`. */
export const PROMPTS = {
  flush: `You write the log of a day. You are shown a conversation between a user and an assistant, one turn a line, that took place on {time}.

Note what is worth remembering of it, in plain Markdown under these headings; leave out those that would be empty:
**Context:** one line on what it was about
**Key Exchanges:** what was said that matters
**Decisions Made:** what was decided, and why
**Lessons Learned:** what was found out
**Action Items:** what is to be done

Leave out courtesies and whatever means nothing tomorrow. When nothing is worth remembering, reply with FLUSH_OK and nothing else.`,

  compile: `You are the editor of a small wiki about a user and the user's world. Logs of days are raw notes; the articles you write from them are what will \
be read. You work through your tools. You are shown the index, all articles there are, and the log of a day, {log}, which is to be compiled.

Articles are files concepts/<name>.md, each on one matter: a person, a place, a habit, a taste, a project. What joins two matters may get a file \
connections/<name>.md. An article looks like this:

---
title: …
sources: [daily/…]
updated: YYYY-MM-DD
---
## Key Points
- short sentences, each of which can be understood alone
## Details
a paragraph or two
## Related
- [[concepts/…]], two links or more where there is anything to link to

A log gives rise to a few articles, at most seven. Where an article on the matter exists, change it rather than write another.

Then bring index.md up to date: one row an article, with a link, a summary in a few words that makes one find it, the logs it was compiled from, and the day. \
Logs themselves are not in the index, and cannot be changed. When all is done, reply with "Done."`,

  query: `You answer questions from a small wiki about a user, through your tools. You are shown a question, asked on {day}.

Open index.md first. Choose the articles that bear on the question, open them, and follow links where they help. Then answer from what you have read, \
briefly, and name the articles you relied on as [[links]]. When the wiki does not say, say so.`,
} as const
