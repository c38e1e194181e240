/** Irregular forms of English verbs, nouns and adjectives: `base: forms`. Rules cover everything that is not here. */
const TABLE = `
be: am is are was were been being|have: has had having|do: does did done|go: goes went gone|say: said|get: got gotten|make: made
know: knew known|think: thought|take: took taken|see: saw seen|come: came|find: found|give: gave given|tell: told|feel: felt|leave: left
put: put|mean: meant|keep: kept|let: let|begin: began begun|show: shown|hear: heard|run: ran|hold: held|bring: brought|write: wrote written
sit: sat|stand: stood|lose: lost|pay: paid|meet: met|set: set|lead: led|understand: understood|speak: spoke spoken|read: read|grow: grew grown
spend: spent|win: won|teach: taught|buy: bought|send: sent|build: built|fall: fell fallen|cut: cut|sell: sold|drive: drove driven
break: broke broken|eat: ate eaten|draw: drew drawn|choose: chose chosen|wear: wore worn|rise: rose risen|sleep: slept|hang: hung
catch: caught|throw: threw thrown|fly: flew flown|sing: sang sung|drink: drank drunk|ride: rode ridden|swim: swam swum|wake: woke woken
forget: forgot forgotten|steal: stole stolen|hide: hid hidden|bite: bit bitten|blow: blew blown|freeze: froze frozen|shake: shook shaken
ring: rang rung|sink: sank sunk|tear: tore torn|swear: swore sworn|spring: sprang sprung|shrink: shrank shrunk|strike: struck stricken
stick: stuck|sweep: swept|swing: swung|weep: wept|wind: wound|bind: bound|feed: fed|fight: fought|shoot: shot|shine: shone|slide: slid
spin: spun|light: lit|lay: laid|lie: lay lain lying|bend: bent|lend: lent|burn: burnt|learn: learnt|dream: dreamt|lean: leant|leap: leapt
spill: spilt|spoil: spoilt|smell: smelt|kneel: knelt|deal: dealt|dig: dug|cling: clung|creep: crept|flee: fled|seek: sought|bear: bore borne
become: became|overcome: overcame|withdraw: withdrew withdrawn|arise: arose arisen|forgive: forgave forgiven|mistake: mistook mistaken
undertake: undertook undertaken|oversleep: overslept|tie: tying|die: dying|beat: beaten|bet: bet|cast: cast|cost: cost|hit: hit|hurt: hurt
quit: quit|shut: shut|split: split|spread: spread|upset: upset|sew: sewn|knit: knit|weave: wove woven|breed: bred|speed: sped|swell: swollen
man: men|woman: women|child: children|foot: feet|tooth: teeth|goose: geese|mouse: mice|person: people|life: lives|wife: wives|knife: knives
leaf: leaves|shelf: shelves|half: halves|wolf: wolves|loaf: loaves|thief: thieves|self: selves|scarf: scarves|calf: calves|hoof: hooves
good: better best|bad: worse worst|far: farther further farthest furthest|little: less least|many: more most
analysis: analyses|crisis: crises|basis: bases|hypothesis: hypotheses|phenomenon: phenomena|criterion: criteria|cactus: cacti|fungus: fungi
medium: media|datum: data|index: indices|appendix: appendices|axis: axes|oasis: oases|libretto: libretti
`

/** Base forms of an irregular form. */
export const IRREGULAR: ReadonlyMap<string, readonly string[]> = readTable()

function readTable(): Map<string, string[]> {
  const bases = new Map<string, string[]>()
  for (const entry of TABLE.trim().split(/[|\n]/)) {
    const [base, forms] = entry.split(': ') as [string, string]
    for (const form of forms.split(' ')) bases.set(form, [...(bases.get(form) ?? []), base])
  }
  return bases
}
