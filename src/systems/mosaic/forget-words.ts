/** Classes of words by which people ask to have something forgotten. */
const CLASSES = {
  /** Orders that take something away. */
  remove: `forget erase delete remove wipe scrub strike scratch drop bin purge lose unlearn discard clear dump cut shred ditch expunge scrap trash toss nuke
    kill flush destroy redact burn void retract undo withdraw blank unsave unstore unknow unremember untell unnote rm chuck dispose empty disregard`,
  removing: `forgetting erasing deleting removing wiping scrubbing striking scratching dropping binning purging losing unlearning discarding clearing dumping
    shredding ditching expunging scrapping trashing tossing destroying redacting blanking`,
  removed: `forgotten erased deleted removed wiped scrubbed stricken struck dropped binned purged unlearned discarded cleared dumped shredded ditched expunged
    scrapped trashed destroyed redacted undone gone unsaved blanked unremembered`,
  /** Orders that also take back what was said. */
  retracts: 'scrap scratch drop strike undo retract withdraw cut void forget disregard',
  moved: 'taken thrown left crossed rubbed',
  leaving: 'go goes disappear vanish come leave',
  /** Orders with a second word behind what they take away, or right behind them. */
  parted:
    'take throw cross rub chuck rip tear sweep get pull leave keep put toss blank wipe strike let clear scrub make blot wash',
  particle: 'out off away go slip fade disappear vanish rid',
  back: 'back',
  gone: 'rid go away off',
  /** About a memory by themselves. */
  ofMemory:
    'forget forgetting forgotten unlearn unlearning unlearned unsave unsaved unstore unknow unremember unremembered untell unnote expunge',
  /** Of what is written; what else may be dropped or cleared stands in houses and gardens, too. */
  strong: 'erase delete remove wipe scrub strike purge redact',
  data: 'erased deleted wiped purged redacted forgotten',
  /** Stands for something that was told, which what follows says: "the bit about …". */
  part: 'bit thing story part stuff entry detail note matter fact line',
  /** What is worked on: who wants a line deleted has a text in mind. */
  edited: `line lines word words paragraph sentence sentences comma commas accents duplicates background row rows column columns script chapter draft text typo typos
    formatting spaces every pencil`,
  polite: 'please pls plz kindly kind you u your',
  keep: 'keep store remember retain hold hang save know have memorise memorize record recall possess carry knew retained idea',
  keeping: 'keeping storing remembering retaining holding hanging saving knowing having memorising memorizing carrying',
  kept: 'kept stored remembered retained saved held recorded memorised memorized noted',
  /** Those that are of anything. */
  having: 'have having possess carry carrying hold holding save saving',
  /** Those that are of memories, and not of houses. */
  minding:
    'store remember retain memorise memorize record storing remembering retaining memorising memorizing stored remembered retained memorised memorized recorded noted',
  got: "got 've",
  /** Stands between whoever is asked and what they are not to do. */
  auxiliary: 'did do would had should have',
  not: `not never no don't dont doesn't didn't can't cannot couldn't won't wouldn't shouldn't mustn't needn't isn't aren't wasn't weren't hadn't haven't
    nothing without hardly stop quit isnt wasnt doesnt didnt cant shouldnt`,
  /** What forbids, and does not only say that something is not so. */
  ban: "no shouldn't mustn't needn't cannot can't stop quit",
  /** What turns an order around. */
  order: "no don't dont do stop quit never not needn't shouldn't mustn't",
  nowhere: 'anywhere any by anymore again',
  need: 'need reason call business',
  memory: `memory memories note notes notebook record records file files storage head mind brain system books database log logs data recollection copy list`,
  kind: 'memory memories notes records files file record storage',
  of: 'from in on off of out into',
  from: 'from off out',
  inside: 'in on',
  determiner: 'the any long-term shared',
  your: 'your ur',
  whatever: 'what whatever anything everything things all',
  telling: `told telling said saying mentioned mentioning shared sharing gave giving typed pasted overshared confided blurted disclosed brought talked
    sent`,
  /** Somebody else who was told. */
  other: 'to him her them',
  private: 'private confidential',
  speaker: 'i we me us',
  /** Somebody that an order may be about, and no thing. */
  person: 'me us you yourself',
  whose: 'my our mine ours',
  you: "you u you'd",
  modal: 'can could would will may might should must shall do did',
  want: 'if wish want like need have ask beg that about get trust asked mind instruct make had rather',
  wish: 'want wants like rather prefer sooner wish need better see get have hate grateful appreciate asks asked care',
  wisher: "i we i'd we'd i'll let's could can would please they",
  /** Says that something else is to stay. */
  staying: 'stay stays remain remains',
  should: 'needs need must should ought can could may shall has be to better is are',
  past: "have had has was were been got 've is are",
  doing: 'mind by with start needs need consider',
  favour: 'favour favor',
  asking: `asking ask request asked favour favor kind good please so or but best better let's way possible able mate yo dude hey ok oh ugh lol nope nah abeg love instruct
    instruction`,
  joins: 'and so then',
  between: `please pls plz kindly just also then now simply quickly possibly ever do all actually go ahead conveniently really quietly only and so again still always once
    completely finally honestly quick`,
  subject: 'i we he she they it who people',
  some: 'some several certain few things something',
  clause: 'where who what which how when that whatever whether why',
  does: 'does is',
  /** Begins what is to go where it comes first: "which dentist we see", "that I sing". */
  asked: 'where who what which how when that',
  /** May begin what stands alone before a sign. */
  fragment: 'the that my our where what who how which when this those',
  pretend: 'pretend act consider',
  unsaid: 'retracted unsaid unsaved disclosed undisclosed untold',
  pointing: 'that this those these one everything anything all',
  pronoun: 'it them him her',
  about: 'about regarding concerning re',
  partOf: 'for of to in on behind',
  /** Tells what somebody said, and to whom does not matter. */
  reporting: 'said says told tells wrote writes asked asks emailed texted posted replied answered',
  /** Where people keep what is no memory. */
  outdoors: 'outside inside indoors outdoors awake waiting busy warm cold alive still quiet',
  lead: `about the a an of all any every everything anything whatever what entry bit thing stuff part business fact name note notes record records mention trace
    reference line memory info regarding concerning on re to i we you said told that for with out off away ever my our from your`,
  /** Ends what is named, and what a clause says. */
  end: `from out off away please pls thanks thx cheers is was were are has had have needs must isn't wasn't again anymore anywhere somewhere too altogether
    completely entirely permanently forever immediately now today asap down would will can could should in into on as when if while before and but shouldn't never
    ever isnt wasnt does doesn't any weren't goes go back may ought shall been being be to he she they you i u we because since so after until that's it's by like
    through between around last yesterday earlier slip fade vanish disappear going lol omg ok turning retracted remembered stored kept saved forgotten deleted erased
    removed wiped makes for with already right gone seriously yet stays stay remains`,
  stop: "please pls thanks thx because since so from off would will could you he's she's it's altogether anymore is needs should shouldn't was and saved vanish erased deleted wiped",
} as const

type WordClass = keyof typeof CLASSES

const SETS = Object.fromEntries(
  Object.entries(CLASSES).map(([name, words]) => [name, new Set(words.split(/\s+/))]),
) as unknown as Record<WordClass, ReadonlySet<string>>

/** Whether a word is of one of some classes. */
export function isOf(word: string | undefined, ...classes: readonly WordClass[]): boolean {
  return word !== undefined && classes.some((name) => SETS[name].has(word))
}
