import { fold } from '../base/text.js'
import { adverseTokens } from './aversion.js'
import { coverage } from './match.js'
import { isSaid } from './strangers.js'
import type { Token } from './tokens.js'
import { follow, senseCount, synsets } from './wordnet.js'

/** Expressions that only look like denials. */
const NO_DENIAL =
  /\b(?:not only|not just|nothing but|no matter|no better|nothing (?:like|beats|better)|never (?:tires?|misses|skips|fails|gets? (?:tired|enough))|(?:cannot|can't|couldn't|could not|can not) (?:get enough|live without|do without|resist|help|imagine .{0,30}without|wait|stop)|never .{0,40}\bwithout\b|without fail|not until|no less|no fewer|no more than)\b/g

/** What denies a verb or a wish; "not yet seen" and the like only describe. */
const DENIAL =
  /\b(?:(?:does|do|did|will|would|can|could|is|are|was|were|has|have|had|should|must) not|\p{L}+n't|cannot|never|no longer|not (?:worth|interested|fond|keen|one for|for (?:me|them)|a fan|\p{L}+ enough)|no (?:more|other|use|interest|taste|time|patience|desire|wish|need|point|such|appetite|love|fan|one|good)|nothing|nobody|none|neither|hardly|barely|rarely|seldom|refus\p{L}+|declin(?:es|ed)|unable|unwilling)\b/gu

/** Giving something up, getting rid of it, staying away from it. */
const ENDING =
  /\b(?:g(?:ave|iven?|iving|ives) (?:\p{L}+ ){0,3}(?:up|away)|g(?:ave|ives?|iven) (?:the|my|his|her|their|it|them) (?:\p{L}+ ){0,3}to|quit|stop(?:s|ped|ping)?|drop(?:s|ped|ping)?|abandon\p{L}*|cancel\p{L}*|end(?:s|ed)(?! (?:with|up|in|on))|l(?:eft|eaves?|eaving)(?= (?:the|a|an|my|his|her|their|it|them|behind|for good|early)\b)|clos(?:es?|ed)|sold|sells|threw|thrown|throws|got rid|gets? rid|pour(?:s|ed)? (?:\p{L}+ ){0,3}away|took (?:\p{L}+ ){0,4}down|peel(?:s|ed)?|clear(?:s|ed)?(?= (?:out|away|the))|fill(?:s|ed) (?:it|them) in|return(?:s|ed)? (?:the|it|them)|sent (?:it|them) back|s(?:ent|ends) back|walk(?:s|ed)? (?:out|away)|slip(?:s|ped)? out|switch(?:es|ed)? (?:\p{L}+ ){0,3}off|turn(?:s|ed)? (?:\p{L}+ ){0,3}(?:off|down|away|against)|unfollow\p{L}*|unsubscrib\p{L}*|uninstall\p{L}*|delet(?:es?|ed)|block(?:s|ed)?|bann?(?:s|ed|ish\p{L}*)?|boycott\p{L}*|skip(?:s|ped|ping)?|avoid\p{L}*|shun(?:s|ned)?|dodg(?:es?|ed)|evad(?:es|ed)|scroll(?:s|ed)? past|(?:stay|keep|steer)(?:s|ed|ing)? (?:\p{L}+ ){0,2}(?:away|out|off|clear)|kept (?:\p{L}+ ){0,2}(?:away|out|off|clear)|s(?:its?|at) (?:it |them )?out|rul(?:es?|ed) out|str(?:uck|ikes?) (?:\p{L}+ ){0,6}off|cross(?:es|ed)? (?:\p{L}+ ){0,6}off|sw(?:ore|ears?|earing)|put(?:s)? (?:\p{L}+ ){0,4}(?:off|away|out)|los(?:t|es?|ing)|w(?:ent|ears?) off|go(?:es)? off|grew out|outgrew|outgrown|done with|(?:had|has) enough|fed up|used to|no longer|anymore|any more|formerly|la(?:id|ys) down|hung up|retir(?:es|ed)|pack(?:s|ed)? (?:\p{L}+ ){0,3}(?:away|in)|gather(?:s|ed|ing) dust|unused|unopened|untouched|unread|opt(?:s|ed) out|pull(?:s|ed) out|back(?:s|ed) out|decid(?:es?|ed) against|ignor(?:es?|ed)|neglect(?:s|ed)?|forg[eo]t(?:s|ten)?|reject\p{L}*|dismiss\p{L}*|replac(?:es?|ed)|went back to|(?:is|are|was|were) (?:now )?(?:gone|over|out|history|past|finished)|tried|attempt(?:s|ed)|gave (?:\p{L}+ ){0,3}a (?:try|go|chance|miss)|look(?:s|ed) into|elsewhere|instead|switch(?:es|ed)? to|swapp?(?:s|ed)|trad(?:es|ed)|donat(?:es|ed)|binn(?:s|ed)|in the bin|to charity|ditch(?:es|ed)|scrapp?(?:s|ed)|shelv(?:es|ed)|dump(?:s|ed)|chuck(?:s|ed)|toss(?:es|ed) (?:\p{L}+ ){0,3}(?:out|away|aside)|d(?:ug|igs?) (?:\p{L}+ ){0,3}up|t(?:ore|ears?) (?:\p{L}+ ){0,3}(?:up|down|out)|c(?:ut|uts) (?:\p{L}+ ){0,3}(?:down|off|short)|pull(?:s|ed) (?:\p{L}+ ){0,3}(?:down|up|out)|smash(?:es|ed)|empt(?:ies|ied)|evict\p{L}*|expel\p{L}*|halfway|midway|after one|only once|just once|for good|final(?:ly)? (?:gave|left|sold|stopped)|interval|intermission|leaves? early|at the door|mov(?:es|ed) (?:out|away|house)|cross(?:es)? the (?:road|street)|burn(?:s|ed|t) (?:it|them)|kill(?:s|ed)|hid(?:es)?|flee(?:s)?|fled|escap(?:es?|ed)|r(?:an|uns?) (?:from|away)|cut out|cuts out|over with|point in|advis(?:es|ed) against|warn(?:s|ed)|forb(?:ids?|ade|idden)|prohibit\p{L}*|miss(?:es|ed)? (?:the|a|an|every) point)\b/gu

/** Disliking something, or taking harm from it. */
const AVERSION =
  /\b(?:hat(?:es?|ed|ing|red)|dislik\p{L}*|loath\p{L}*|detest\p{L}*|despis\p{L}*|abhor\p{L}*|dread\p{L}*|fear(?:s|ed|ful)?|afraid|scar(?:ed|es|y)|frighten\p{L}*|terrif\p{L}*|horrif\p{L}*|disgust\p{L}*|revolt(?:ing|ed|s)|repuls\p{L}*|repel\p{L}*|nause\p{L}*|sick(?:ens?|ening)?|seasick|dizzy|headaches?|migraines?|hurts?|hurting|pain(?:s|ful)?|ach(?:es?|ing)|allergic|swell(?:s|ing)?|bor(?:e|es|ed|ing|edom)|dull(?:er)?|drear(?:y|ier)|tedious|tir(?:ed|ing|es)|exhaust(?:s|ed|ing)|annoy\p{L}*|irritat\p{L}*|madden\p{L}*|infuriat\p{L}*|nerves?|nervous|restless|uneasy|uncomfortable|ridiculous|silly|stupid|foolish|childish|pretentious|cruel|ugly|hideous|waste[ds]?|useless|worthless|pointless|nonsense|rubbish|overrated|disappoint\p{L}*|regret\p{L}*|asham\p{L}*|embarrass\p{L}*|awkward|clumsy|cramped|too (?!late\b)\p{L}+|worse|worst|ruin(?:s|ed|ous)?|spoil(?:s|ed|t)?|fail(?:s|ed|ure)?|harm(?:s|ed|ful)?|damag(?:es|ed)|wreck(?:s|ed)?|upset(?:s|ting)?|bother(?:s|ed)?|suffer(?:s|ed)?|(?:leaves?|left) (?:\p{L}+ ){1,3}cold|unmoved|(?:to|fell|falls|fall) (?:a)?sleep|nod(?:s|ded) off|wrong|mock(?:s|ed)?|laugh(?:s|ed)? at|sneer(?:s|ed)?|scoff(?:s|ed)?|complain(?:s|ed)?|trip(?:s|ped)?|panick?(?:s|ed)?|confus(?:es|ed|ing)|lost|gloomy|depress(?:es|ed|ing)|sad(?:dens|dened)?|unhappy|miserable|bitter|sour on|nowhere|relieved|resent(?:s|ed)?|object(?:s|ed) to|oppos(?:es|ed)|against|averse|aversion|reluctant\p{L}*|unbearable|bear|stand(?:s)?(?= (?:the|it|them|\p{L}+ing)\b)|tolerat\p{L}*|intolerabl\p{L}*|louder|smelly|stinks?|fuss|chore|torture|nightmare|ordeal|burden|grief|rather not|would rather|rather \p{L}+ .* than|anything (?:but|except)|everything (?:but|except)|except|overspen\p{L}*|overwhelm\p{L}*|deafen\p{L}*|get(?:s)? away from|goose ?flesh|creep(?:s|y)|shudder\p{L}*|itch\p{L}*|rash(?:es)?|cross-eyed|blind|fussy|loud|dusty|heavy|sticky|expensive|overpriced|costly|dangerous|risky|soggy|itchy|tacky|old-fashioned|gimmick\p{L}*|fad|snob\p{L}*|kitsch\p{L}*|greasy|slimy|stale|cring\p{L}*|flinch\p{L}*|groan\p{L}*|yawn\p{L}*|winc(?:es|ed)|grimac\p{L}*|gag(?:s|ged)?|chok(?:es|ed)|cough(?:s|ed)?|sneez(?:es|ed)|weep(?:s)?|faint(?:s|ed)|vomit\p{L}*|shy|guilty|lonely|cheat(?:s|ed)?|tortur\p{L}*|weary|baffl\p{L}*|puzzl(?:es|ed) by|hopeless|impossible|misfortune|accident|injur\p{L}*|bruis\p{L}*|blister\p{L}*|sprain\p{L}*|crash(?:es|ed)?|flood(?:s|ed)?|leak(?:s|ed)?|collaps\p{L}*|dismal|bland|tasteless|fake|fraud|scam|insult\p{L}*|offen[ds]\p{L}*)\b/gu

/** Liking or keeping something. */
const LIKING =
  /\b(?:lik(?:es?|ed|ing)|lov(?:es?|ed|ing)|enjoy\p{L}*|prefer\p{L}*|favou?rit\p{L}*|fond\p{L}*|ador(?:es?|ed|ing)|treasur\p{L}*|cherish\p{L}*|crav(?:es?|ed|ing)|delight\p{L}*|relish\p{L}*|partial to|keen\p{L}*|fan of|go-to|passion\p{L}*|drawn to|devot\p{L}*|happy|happily|glad|gladly|pleas(?:ure|ed|es)|swears? by|hooked|addicted|obsess\p{L}*|enthusias\p{L}*|interested in|wants? to|looks? forward|comfort\p{L}*|sooth(?:es|ing)|calm(?:s|ing)|fascinat\p{L}*|valu(?:es?|ed)|apprecia\p{L}*|appeal\p{L}*|joy\p{L}*|thrill(?:s|ed|ing)|perfect|great|reward(?:s|ing)|fun|unwind\p{L}*|relax\p{L}*|decompress\p{L}*|tastes? (?:include|for)|turns? to|sticks? (?:to|with)|relies on|rely on|goes? for|picks?|opts? for|chooses?|convenien\p{L}*|helps?|draw(?:s|n)?|absorb(?:ed|s)|immers\p{L}*|energi[sz]\p{L}*|inspir(?:es|ed|ing)|satisf\p{L}*|proud\p{L}*|excit\p{L}*|captivat\p{L}*|enchant\p{L}*|admir\p{L}*|cosy|cozy|recommends?|pursues?|thriv(?:es?|ing)|best|beloved|dear)\b/gu

/** Whether a text says outright that something is liked or kept. */
export function endorses(text: string): boolean {
  const there = plain(text)
  return [...there.matchAll(LIKING)].some(({ index }) => !isDenied(there, index))
}

/**
 * Whether a text rejects what the source speaks well of: it denies, ends or dislikes something in words that the source does not have, and
 * nowhere says that it is liked.
 *
 * @example rejects('The user gave up juggling.', 'I practise juggling after lunch.') // true
 */
export function rejects(text: string, said: string): boolean {
  const [there, was] = [plain(text), plain(said)]
  const against = [
    ...unsaid(AVERSION, there, was).filter((found) => found.includes(' ') || coverage(found, was).score < SYNONYM),
    ...unsaid(ENDING, there, was),
    ...adverse(there, was),
  ]
  const denied = count(DENIAL, there) > count(DENIAL, was) ? 1 : 0
  const liked = [...there.matchAll(LIKING)].filter(({ index }) => !isDenied(there, index)).length
  if (judgesBadly(there, was)) return true
  if (liked > 0) return dislikes(there, was)
  return against.length + denied > 0 || (count(DISLIKING, there) > 0 && count(LIKING, was) > 0)
}

const VERDICT =
  /\b(?:find(?:s|ing)?|found|think(?:s|ing)?|thought|consider(?:s|ed)?|call(?:s|ed)?|deem(?:s|ed)?) (?:that )?(?:the |a |an |any |all |most |his |her |their |my )?(?:[\p{L}'-]+ ){1,4}?(?:is |are |to be |as )?(?:so |rather |very |quite |a bit |far |simply )?([\p{L}-]+)(?=[,.;!]| and\b| or\b|$)/gu

/** "Finds the opera dreary": a verdict in a word that the source does not have and that the dictionary does not call good. */
function judgesBadly(text: string, was: string): boolean {
  return [...text.matchAll(VERDICT)].some(
    ([, word]) => senseCount(word!, 'a') > 0 && !was.includes(word!) && !isPraise(word!),
  )
}

const PRAISE = `good pleasant beautiful enjoyable interesting restful calm useful healthy happy comfortable attractive satisfying exciting
  delicious funny amusing lovely wonderful perfect easy helpful soothing relaxing calming inspiring refreshing rewarding noble charming
  delightful fascinating thrilling therapeutic meditative cosy cozy warm kind sweet practical convenient reliable effective fun great nice
  motivating energizing uplifting invigorating stimulating engaging captivating romantic peaceful quiet elegant stylish fresh tasty`
const praised = new Set(PRAISE.split(/\s+/))

function isPraise(word: string): boolean {
  if (praised.has(word)) return true
  return synsets(word, 'a').some((sense) =>
    [sense, ...sense.pointers.filter(({ symbol }) => symbol === '&').map(follow)].some(({ words }) =>
      words.some((other) => praised.has(other)),
    ),
  )
}

/** Words that by the dictionary speak against something, and that the source does not have. */
function adverse(text: string, said: string): Token[] {
  return adverseTokens(text).filter((token) => coverage(token.text, said).score < 0.5)
}

const DISLIKING =
  /\b(?:dislik\p{L}*|hat(?:es?|ed|ing)|loath\p{L}*|detest\p{L}*|despis\p{L}*|los(?:t|es?) (?:the taste|interest|patience|faith))\b/gu

/** Words against something weigh more than liking beside them only when they are about liking themselves. */
function dislikes(text: string, was: string): boolean {
  return (
    unsaid(
      /\b(?:dislik\p{L}*|hat(?:es?|ed)|loath\p{L}*|detest\p{L}*|despis\p{L}*|used to|no longer|anything (?:but|except)|nothing|too \p{L}+ (?:for|to)|steers? clear|stopped|gave up|g(?:ive|iven) up|lost (?:the taste|interest|patience))\b/gu,
      text,
      was,
    ).length > 0
  )
}

function isDenied(text: string, at: number): boolean {
  return /\b(?:not|never|no|n't|cannot|nothing|hardly|don't|doesn't|didn't|no longer)(?: \p{L}+){0,2} $/u.test(
    text.slice(Math.max(0, at - 30), at),
  )
}

/** What a pattern finds in a text beyond what the source has, by the beginning of its words. */
function unsaid(pattern: RegExp, text: string, was: string): string[] {
  return [...text.matchAll(pattern)]
    .map(([found]) => found)
    .filter(
      (found) =>
        !was.includes(found.slice(0, Math.max(4, found.length - 3))) && (found.includes(' ') || !isSaid(found, was)),
    )
}

function count(pattern: RegExp, text: string): number {
  return [...text.matchAll(pattern)].length
}

/** Disliking in another word for one that the source has is no news. */
const SYNONYM = 0.8

/** Fighting something bad is good. */
const REMEDY =
  /\b(?:avoid|reduc|reliev|eas|prevent|block|stop|escap|fight|combat|lower|curb|banish|sooth|calm|forget|cure|treat|release|quiet|beat|handle|manage|against|without|minimal|low|less|free (?:of|from)|relief (?:of|from)|escape from|no)\p{L}* (?:out )?(?:\p{L}+ ){0,2}(?:stress|distraction|noise|worry|worries|anxiety|boredom|pain|hassle|hunger|clutter|tension|fatigue|loneliness|outbreak|sadness|fear|pressure|mistake|trouble|mess|waste|irritation|jam|ache|headache)\p{L}*/gu

function plain(text: string): string {
  return fold(text).replace(NO_DENIAL, ' ').replace(REMEDY, ' ')
}
