import { LongHopGrammar } from '../../../corpora/memfail/grammar/schema.js'
import type { LongHopRow } from '../../../corpora/memfail/schema.js'
import { finish } from './english.js'
import type { Scope } from './expand.js'
import { lexiconOf, once, readGrammar } from './grammar.js'
import { uniqueName } from './people.js'
import { keyOf, permute, placeInBlock } from './permutation.js'
import { formatRowNumber, RowSource } from './source.js'

const BLOCK = 60
const OPTIONS = 5
const HOPS = 5
/** Chains a family can have in a block, and anchors of a class a chain can have. */
const MOST_IN_FAMILY = 32
const MOST_OF_CLASS = 3
const MOST_OF_PAIR = 2
const FAMILIES = ['action', 'mood', 'place', 'person', 'thing', 'dish'] as const
const INNER = ['thing', 'event', 'place', 'person', 'action'] as const

type AnchorClass = (typeof FAMILIES)[number] | (typeof INNER)[number]

interface Anchor {
  class: AnchorClass
  text: string
}

interface Chain {
  index: number
  source: RowSource
  anchors: Anchor[]
}

const grammar = once(() => readGrammar('long-hop', LongHopGrammar))

/**
 * Chains block by block. All options of a question are terminal anchors of chains of its block, each offered equally often; with fewer
 * than five chains in all, chains that are not given out lend theirs.
 */
export function* longHopRows(n: number, seed: number): Generator<LongHopRow> {
  const blocks = Math.max(1, Math.floor(n / BLOCK))
  for (let block = 0; block < blocks; block++) {
    const start = block * BLOCK
    const end = block === blocks - 1 ? n : start + BLOCK
    const families = familiesOf(block, Math.max(OPTIONS, end - start), seed)
    const met = new Map<AnchorClass, number>()
    const chains = families.map((family, offset) => {
      const member = met.get(family) ?? 0
      met.set(family, member + 1)
      return chainOf(start + offset, block * MOST_IN_FAMILY + member, family, seed)
    })
    for (let offset = 0; offset < end - start; offset++) yield rowOf(chains[offset]!, optionsOf(chains, offset), seed)
  }
}

/** The family of each chain's terminal anchor: every family that occurs has at least five chains. */
function familiesOf(block: number, size: number, seed: number): AnchorClass[] {
  const count = Math.min(FAMILIES.length, Math.floor(size / OPTIONS))
  const first = permute(block % FAMILIES.length, FAMILIES.length, keyOf('families', seed))
  return Array.from({ length: size }, (_, offset) => {
    const place = permute(offset, size, keyOf(`family ${block}`, seed))
    return FAMILIES[(first + (place % count)) % FAMILIES.length]!
  })
}

/** `member` numbers the chains of a family, for families that have fewer anchors than there are chains. */
function chainOf(index: number, member: number, family: AnchorClass, seed: number): Chain {
  const source = new RowSource('long-hop', seed, index, lexiconOf('long-hop'))
  const hops = 1 + placeInBlock(index, HOPS, keyOf('hops', seed))
  const used = new Map<AnchorClass, number>()
  const anchors: Anchor[] = []
  for (let place = 0; place <= hops; place++) {
    const before = anchors.at(-1)?.class
    const open = INNER.filter((kind) => (used.get(kind) ?? 0) < MOST_OF_CLASS - 1 && kind !== before)
    const kind = source.random.pick(place === 0 ? open.filter((one) => one !== 'action') : open)
    const turn = used.get(kind) ?? 0
    used.set(kind, turn + 1)
    anchors.push({ class: kind, text: anchorText(source, kind, index * MOST_OF_CLASS + turn) })
  }
  const small = family === 'mood' || family === 'dish'
  const number = small ? member : index * MOST_OF_CLASS + MOST_OF_CLASS - 1
  anchors.push({ class: family, text: anchorText(source, family, number) })
  return { index, source, anchors }
}

/** Anchors of a class are numbered through the whole corpus, so that none comes twice. */
function anchorText(source: RowSource, kind: AnchorClass, number: number): string {
  return source.unique(`{anchor-${kind}}`, {}, number)
}

/** The terminal anchors of this chain and of the four next of its family, round and round. */
function optionsOf(chains: readonly Chain[], offset: number): string[] {
  const family = chains[offset]!.anchors.at(-1)!.class
  const terminals = chains.map(({ anchors }) => anchors.at(-1)!)
  const members = terminals.flatMap((anchor, i) => (anchor.class === family ? [i] : []))
  const at = members.indexOf(offset)
  return Array.from({ length: OPTIONS }, (_, step) => terminals[members[(at + step) % members.length]!]!.text)
}

function rowOf({ index, source, anchors }: Chain, [answer, ...others]: string[], seed: number): LongHopRow {
  const { classes, questions } = grammar()
  const { random } = source
  const voice = index % 2 === placeInBlock(Math.floor(index / 2), 2, keyOf('voice', seed)) ? 'first-person' : 'named'
  const self = selfOf(voice, index, seed)
  const texts = anchors.map(({ text }) => text)
  const [head, last] = [anchors[0]!, anchors.at(-1)!]
  const setting = source.text(random.pick(classes[head.class]!.setting), { x: head.text })
  const asked = source.text(random.pick(questions[last.class]!), self)
  const choices = random.shuffle(others)
  choices.splice(placeInBlock(index, OPTIONS, keyOf('letter', seed)), 0, answer!)
  const turns: Turns = new Map()
  return {
    id: `gen-hop-${formatRowNumber(index)}`,
    hops: anchors.length - 2,
    voice,
    anchors: texts,
    facts: anchors.slice(1).map((to, i) => factOf(source, anchors[i]!, to, self, turns)),
    question: `${finish(setting)} ${finish(asked)}`,
    answer: answer!,
    choices,
    provenance: source.provenance({
      hops: anchors.length - 2,
      voice,
      family: last.class,
      classes: anchors.map((anchor) => anchor.class).join(' '),
    }),
  }
}

/** The number of a pair of classes within its chain, so that a pair can come twice. */
type Turns = Map<string, number>

/**
 * A link. Subject, predicate and telling are numbered by the row for each pair of classes: thousands of rows pass before two facts have
 * all three in common, so that no two come near each other.
 */
function factOf(source: RowSource, from: Anchor, to: Anchor, self: Scope, turns: Turns): LongHopRow['facts'][number] {
  const { classes, links, tellings } = grammar()
  const { random } = source
  const pair = `${from.class} to ${to.class}`
  const turn = turns.get(pair) ?? 0
  turns.set(pair, turn + 1)
  const { subject: subjects } = classes[from.class]!
  const predicates = links[to.class]!
  const size = subjects.length * predicates.length * tellings.length
  const number = permute(MOST_OF_PAIR * source.index + turn, size, keyOf(pair, source.seed))
  const subject = subjects[number % subjects.length]!
  const link = predicates[Math.floor(number / subjects.length) % predicates.length]!
  const telling = tellings[Math.floor(number / subjects.length / predicates.length)]!
  const say = (who: Scope) => source.text(`${subject} ${link.text}`, { ...who, x: from.text, y: to.text })
  const someone = `${self.owner} ${source.text('{relative}', {})}`
  const vague = random.pick(classes[to.class]!.vague)
  return {
    text: finish(`${source.text(telling, { ...self, fact: say(self) })}.`),
    from: formsOf(from),
    to: formsOf(to),
    relation: link.relation.map((form) => source.text(form, self)),
    damaged: [
      finish(`${turnedRound(source, from, to, link.text, self)}.`),
      finish(`${source.text(subject, { x: from.text })} has to do with ${vague} for ${self.me}.`),
      finish(`${say({ ...self, me: someone, I: someone, my: 'the' })}.`),
    ],
  }
}

/** The link told backwards, with the same words where they suit the other anchor. */
function turnedRound(source: RowSource, from: Anchor, to: Anchor, link: string, self: Scope): string {
  const { classes, links } = grammar()
  const { random } = source
  const scope = { ...self, x: to.text, y: from.text }
  const subject = random.pick(classes[to.class]!.subject)
  if (from.class === 'action' || to.class === 'action' || to.class === 'mood') {
    const { text } = random.pick(links[from.class]!)
    return source.text(`it is ${subject} that ${text}, not the other way round`, scope)
  }
  const object = from.class === 'person' ? '<y>' : 'the <y>'
  return source.text(`${subject} ${link.replace(/(?:the )?<y>/, object)}`, scope)
}

/** The anchor itself and, where it has two halves, the halves the other way round. */
function formsOf({ text }: Anchor): string[] {
  const place = /^(.+) (?:in|near) (\p{Lu}\S+)$/u.exec(text)
  if (place) return [text, `${place[2]} ${place[1]}`]
  const person = /^(\p{Lu}\S+) the (.+)$/u.exec(text)
  return person ? [text, `the ${person[2]} ${person[1]}`] : [text]
}

function selfOf(voice: LongHopRow['voice'], index: number, seed: number): Scope {
  if (voice === 'first-person') return { me: 'me', I: 'I', my: 'my', am: 'am', do: 'do', owner: 'my' }
  const woman = index % 4 < 2
  const kind = woman ? 'woman' : 'man'
  const name = uniqueName(kind, 2 * Math.floor(index / 4) + (index % 2), seed)
  return { me: name, I: name, my: woman ? 'her' : 'his', am: 'is', do: 'does', owner: `${name}'s` }
}
