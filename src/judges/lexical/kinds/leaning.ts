import { coverage } from '../../../language/match.js'
import { endorses, rejects } from '../../../language/polarity.js'
import type { Fact } from '../../../model/index.js'
import type { Passage } from '../store/view.js'
import { type FactReading, formsOf } from './finding.js'
import { isRefused } from './guards.js'
import { impersonal } from './trace.js'

/** Above this a passage is nearer to liking than rejections are; below that, nearer to rejection than likings are. */
const [FAVOURABLE, ADVERSE] = [0.06, -0.03]
/** A passage mostly in the words of the source says what the source says. */
const OWN_WORDS = 0.75
const FOR = ['I love it.', 'I enjoy it and do it often.', 'It makes me happy.']
const AGAINST = ['I gave it up.', 'I hate it and avoid it.', 'It annoys me, so I stopped.', 'It is not for me.']

/** Whether a passage turns down what the fact prefers: by its words, or by what it is nearest to in meaning. */
export function isTurnedDown(fact: Fact, passage: Passage, reading: FactReading): boolean {
  if (!needsLeaning(fact, passage)) return false
  const lean = leaning(fact, passage, reading)
  if (speaksAgainst(fact, passage)) return lean < FAVOURABLE
  return lean < (coverage(passage.text, fact.text).core < OWN_WORDS ? ADVERSE : 2 * ADVERSE)
}

/** Whether words alone do not settle that a passage is for the preference. */
export function needsLeaning(fact: Fact, passage: Passage): boolean {
  return !endorses(passage.text) || speaksAgainst(fact, passage)
}

function speaksAgainst(fact: Fact, passage: Passage): boolean {
  return rejects(passage.text, fact.text) || isRefused(fact, passage)
}

/** Texts whose nearness to a passage shows how it leans: for what is preferred, and against it. */
export function leanings(fact: Fact): [string[], string[]] {
  const [name = 'it'] = formsOf(fact.cues, 'value')
  const about = (sentence: string) => sentence.replace(/\b[Ii]t\b/, name)
  return [FOR.map(about), AGAINST.map(about)]
}

/** Nearness to liking less nearness to rejection. */
function leaning(fact: Fact, { text }: Passage, reading: FactReading): number {
  const plain = impersonal(text, [])
  const [pro, con] = leanings(fact).map((list) => Math.max(...list.map((one) => reading.similarity(one, plain))))
  return pro! - con!
}
