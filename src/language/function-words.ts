/** Closed classes of English: words that carry no content of their own. */
const FUNCTION = `
a an the this that these those such same other another each every either neither both all any some no none
i me my mine myself we us our ours ourselves you your yours yourself he him his himself she her hers herself it its itself they them their
theirs themselves one ones oneself who whom whose which what where when why how whoever whatever whichever somebody someone something anybody
anyone anything everybody everyone everything nobody nothing there here then thus hence therefore
and or but nor so yet if unless whether because since as while whereas although though until till than
of in on at by for with about against between into through during before after above below to from up down out off over under again further
onto upon within without along across toward towards around near beside besides beyond behind beneath among amid via per despite throughout
be am is are was were been being have has had having do does did doing done will would shall should can could may might must ought
not only just too very quite rather really also even still ever never always often sometimes usually generally typically mostly mainly
almost already soon now once twice however indeed maybe perhaps instead else more most less least much many few little lot lots own
's 're 've 'll 'd n't i'm it's he's she's they're we're don't doesn't didn't isn't aren't wasn't weren't won't wouldn't can't cannot couldn't
user user's assistant says said say mentions mentioned notes noted states stated according etc eg ie e.g i.e
`

/** Verbs and nouns so general that their absence or presence says little. */
const LIGHT = `
make get have take give go come put let keep become feel seem use find help do want need like love enjoy prefer favor favour appreciate choose
experience undergo attend receive involve perform cause lead prompt inspire motivate push drive bring turn start begin tend happen result trigger spend
way thing stuff something kind sort type form bit part place time day moment situation sense feeling mood state habit activity practice
service product method technique approach style item session program decide
favorite favourite go-to choice good great nice best perfect new own
`

export const FUNCTION_WORDS: ReadonlySet<string> = new Set(FUNCTION.trim().split(/\s+/))
export const LIGHT_WORDS: ReadonlySet<string> = new Set(LIGHT.trim().split(/\s+/))
