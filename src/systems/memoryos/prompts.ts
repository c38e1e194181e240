/** What the model is told. Each text can be replaced with `prompts=<file.json>`. */
export const PROMPTS = {
  continuity: `You are shown two exchanges between a user and an assistant, one after the other. Does the second go on with the matter of the first? It does when it follows from it, answers it or speaks of the same thing; a new subject, or the same subject taken up long after from another side, does not.

Answer with a JSON object {"continues": true} or {"continues": false}.`,

  overview: `You write the running overview of a chain of exchanges that belong together. You are shown the overview so far, if there is one, and the newest \
exchange. Write the overview anew so that it covers both: one or two sentences, no more than a reader needs to place the exchange.

Answer with a JSON object {"overview": "…"}.`,

  themes: `You are shown an exchange between a user and an assistant. Name what it is about: one theme, or two when it is about two things. For each give a \
name ("theme"), a few words by which it can be recognised ("keywords"), and a summary of what was said on it ("content").

Answer with a JSON object {"themes": [{"theme": "…", "keywords": ["…"], "content": "…"}]}.`,

  profile: `You keep a profile of the user: character and temper, needs and values, tastes and dislikes, habits and way of life, interests, work and skills, \
people around them. You are shown the profile as it stands and exchanges that are new. Write the whole profile anew: keep what still holds, bring in what the \
exchanges show, correct what they contradict. Put down what the exchanges support, each trait with a short reason.

Answer with a JSON object {"profile": "…"}.`,

  knowledge: `You are shown exchanges between a user and an assistant. Draw two lists from them.
"user": facts about the user that are worth knowing and can be looked up: names, places, dates, plans, likes. One short sentence each, \
beginning with "User" where it is about the user.
"assistant": what the assistant said of itself or did for the user: promises, recommendations, abilities. One short sentence each.
A list is empty when there is nothing for it.

Answer with a JSON object {"user": ["…"], "assistant": ["…"]}.`,
} as const
