import { fold } from '../base/text.js'

/** Expressions that only look like denials. */
const NO_DENIAL =
  /\b(?:not only|not just|nothing but|no matter|no better|nothing (?:like|beats|better)|never (?:tires?|misses|skips|fails|gets? (?:tired|enough))|(?:cannot|can't|couldn't|could not|can not) (?:get enough|live without|do without|resist|help|imagine .{0,30}without|wait|stop)|never .{0,40}\bwithout\b|without fail|not until|no less|no fewer|no more than|no longer (?:scares|worries|bothers|hurts))\b/g

/** What denies: function words, and verbs that say no more than that. */
const DENIAL =
  /\b(?:not|never|no|nothing|nobody|none|neither|nor|cannot|can't|couldn't|won't|wouldn't|doesn't|don't|didn't|isn't|aren't|wasn't|hasn't|haven't|hardly|barely|rarely|seldom|without|refus\p{L}+|declin(?:es|ed)|unable|unwilling)\b/gu

/** Giving something up, getting rid of it, staying away from it. */
const ENDING =
  /\b(?:g(?:ave|iven?|iving|ives) (?:\p{L}+ ){0,3}(?:up|away)|quit|stop(?:s|ped|ping)?|drop(?:s|ped|ping)?|abandon\p{L}*|cancel\p{L}*|end(?:s|ed)|l(?:eft|eaves?|eaving)(?= (?:the|a|an|my|his|her|their|it|them|behind|for good|early)\b)|clos(?:es|ed)|sold|sells|threw|thrown|throws|got rid|gets? rid|pour(?:s|ed) (?:\p{L}+ ){0,3}away|took (?:\p{L}+ ){0,4}down|peel(?:s|ed)|clear(?:s|ed)|fill(?:s|ed) (?:it|them) in|return(?:s|ed) (?:the|it|them)|sent (?:it|them) back|s(?:ent|ends) back|walk(?:s|ed) (?:out|away)|slip(?:s|ped) out|switch(?:es|ed) (?:\p{L}+ ){0,3}off|turn(?:s|ed) (?:\p{L}+ ){0,3}(?:off|down|away|against)|unfollow\p{L}*|unsubscrib\p{L}*|uninstall\p{L}*|delet(?:es|ed)|block(?:s|ed)?|bann?(?:s|ed|ish\p{L}*)?|boycott\p{L}*|skip(?:s|ped|ping)?|avoid\p{L}*|shun(?:s|ned)?|dodg(?:es|ed)|evad(?:es|ed)|scroll(?:s|ed)? past|(?:stay|keep)(?:s|ed|ing)? (?:\p{L}+ ){0,2}(?:away|out|off|clear)|kept (?:\p{L}+ ){0,2}(?:away|out|off|clear)|s(?:its?|at) (?:it |them )?out|rul(?:es|ed) out|str(?:uck|ikes?) (?:\p{L}+ ){0,6}off|cross(?:es|ed) (?:\p{L}+ ){0,6}off|sw(?:ore|ears?|earing)|put(?:s)? (?:\p{L}+ ){0,4}(?:off|away|out)|los(?:t|es?|ing)|w(?:ent|ears?) off|go(?:es)? off|grew out|outgrew|outgrown|done with|(?:had|has) enough|fed up|used to|no longer|anymore|any more|formerly|la(?:id|ys) down|hung up|retir(?:es|ed)|pack(?:s|ed) (?:\p{L}+ ){0,3}(?:away|in)|gather(?:s|ed|ing) dust|unused|unopened|untouched|unread|opt(?:s|ed) out|pull(?:s|ed) out|back(?:s|ed) out|decid(?:es|ed) against|ignor(?:es|ed)|neglect(?:s|ed)|forg[eo]t(?:s|ten)?|reject\p{L}*|dismiss\p{L}*|replac(?:es|ed)|went back to|is gone|are gone|was gone|burn(?:s|ed|t) (?:it|them)|kill(?:s|ed)|hid(?:es)?|flee(?:s)?|fled|escap(?:es|ed)|r(?:an|uns?) (?:from|away)|cut out|cuts out|over with|point in|advis(?:es|ed) against|warn(?:s|ed)|forb(?:ids?|ade|idden)|prohibit\p{L}*|miss(?:es|ed)? (?:the|a|an|every) point)\b/gu

/** Disliking something, or taking harm from it. */
const AVERSION =
  /\b(?:hat(?:es?|ed|ing|red)|dislik\p{L}*|loath\p{L}*|detest\p{L}*|despis\p{L}*|abhor\p{L}*|dread\p{L}*|fear(?:s|ed|ful)?|afraid|scar(?:ed|es|y)|frighten\p{L}*|terrif\p{L}*|horrif\p{L}*|disgust\p{L}*|revolt(?:ing|ed|s)|repuls\p{L}*|repel\p{L}*|nause\p{L}*|sick(?:ens?|ening)?|seasick|dizzy|headaches?|migraines?|hurts?|hurting|pain(?:s|ful)?|ach(?:es?|ing)|allergic|swell(?:s|ing)?|bor(?:e|es|ed|ing|edom)|dull(?:er)?|drear(?:y|ier)|tedious|tir(?:ed|ing|es)|exhaust(?:s|ed|ing)|annoy\p{L}*|irritat\p{L}*|madden\p{L}*|infuriat\p{L}*|nerves?|nervous|anxious|anxiety|restless|stress(?:es|ed|ful)|uneasy|uncomfortable|ridiculous|silly|stupid|foolish|childish|pretentious|cruel|ugly|hideous|waste[ds]?|useless|worthless|pointless|nonsense|rubbish|overrated|disappoint\p{L}*|regret\p{L}*|asham\p{L}*|embarrass\p{L}*|awkward|clumsy|cramped|too (?!late\b)\p{L}+|worse|worst|ruin(?:s|ed|ous)?|spoil(?:s|ed|t)?|fail(?:s|ed|ure)?|harm(?:s|ed|ful)?|damag(?:es|ed)|wreck(?:s|ed)?|upset(?:s|ting)?|bother(?:s|ed)?|suffer(?:s|ed)?|cold|unmoved|(?:to|fell|falls|fall) (?:a)?sleep|nod(?:s|ded) off|wrong|mock(?:s|ed)?|laugh(?:s|ed) at|sneer(?:s|ed)?|scoff(?:s|ed)?|complain(?:s|ed)?|trip(?:s|ped)|panick?(?:s|ed)?|confus(?:es|ed|ing)|lost|gloomy|depress(?:es|ed|ing)|sad(?:dens|dened)?|unhappy|miserable|bitter|sour on|nowhere|relieved|relief|resent(?:s|ed)?|object(?:s|ed) to|oppos(?:es|ed)|against|averse|aversion|reluctant\p{L}*|unbearable|bear|stand(?:s)?(?= (?:the|it|them|\p{L}+ing)\b)|tolerat\p{L}*|intolerabl\p{L}*|louder|noisy|smelly|stinks?|messy|fuss|chore|torture|nightmare|ordeal|burden|grief|trouble|problem|rather not|would rather|rather \p{L}+ .* than|anything (?:but|except)|everything (?:but|except)|except|overspen\p{L}*|overwhelm\p{L}*|goose ?flesh|creep(?:s|y)|shudder\p{L}*|itch\p{L}*|rash(?:es)?|cross-eyed|blind|dismal|bland|tasteless|cheap|fake|fraud|scam|lie[sd]?|insult\p{L}*|offen[ds]\p{L}*)\b/gu

/** Liking or keeping something. */
const LIKING =
  /\b(?:lik(?:es?|ed|ing)|lov(?:es?|ed|ing)|enjoy\p{L}*|prefer\p{L}*|favou?rit\p{L}*|fond\p{L}*|ador(?:es?|ed|ing)|treasur\p{L}*|cherish\p{L}*|crav(?:es?|ed|ing)|delight\p{L}*|relish\p{L}*|partial to|keen\p{L}*|fan of|go-to|passion\p{L}*|drawn to|devot\p{L}*|happy|happily|glad\p{L}*|pleas(?:ure|ed|es)|swears? by|hooked|addicted|obsess\p{L}*|enthusias\p{L}*|interested in|wants? to|looks? forward|comfort\p{L}*|sooth\p{L}*|calm\p{L}*)\b/gu

/**
 * Whether a text rejects what the source speaks well of: it denies, ends or dislikes something in words that the source does not have, and
 * nowhere says that it is liked.
 *
 * @example rejects('The user gave up juggling.', 'I practise juggling after lunch.') // true
 */
export function rejects(text: string, said: string): boolean {
  const [there, was] = [plain(text), plain(said)]
  const against = [...unsaid(AVERSION, there, was), ...unsaid(ENDING, there, was)]
  const denied = count(DENIAL, there) > count(DENIAL, was) ? 1 : 0
  const liked = [...there.matchAll(LIKING)].filter(({ index }) => !isDenied(there, index)).length
  return against.length + denied > 0 && liked === 0 || (liked > 0 && dislikes(there, was))
}

/** Words against something weigh more than liking beside them only when they are about liking themselves. */
function dislikes(text: string, was: string): boolean {
  return (
    unsaid(/\b(?:dislik\p{L}*|hat(?:es?|ed)|loath\p{L}*|detest\p{L}*|despis\p{L}*|used to|no longer|anything (?:but|except)|stopped|gave up|g(?:ive|iven) up|lost (?:the taste|interest|patience))\b/gu, text, was).length > 0
  )
}

function isDenied(text: string, at: number): boolean {
  return /\b(?:not|never|no|n't|cannot|nothing|hardly|don't|doesn't|didn't|no longer)(?: \p{L}+){0,2} $/u.test(text.slice(Math.max(0, at - 30), at))
}

/** What a pattern finds in a text beyond what the source has, by the beginning of its words. */
function unsaid(pattern: RegExp, text: string, was: string): string[] {
  return [...text.matchAll(pattern)].map(([found]) => found).filter((found) => !was.includes(found.slice(0, Math.max(4, found.length - 3))))
}

function count(pattern: RegExp, text: string): number {
  return [...text.matchAll(pattern)].length
}

function plain(text: string): string {
  return fold(text).replace(NO_DENIAL, ' ')
}
