import { z } from 'zod'
import { Random } from '../../../base/random.js'
import { fold } from '../../../base/text.js'
import type { PersonaRow } from '../../../corpora/memfail/schema.js'
import { fill } from '../../generation/fill.js'
import { type Maker, type Refusal, rowStep } from '../../generation/maker.js'
import { personOf, strangerOf } from '../generate/people.js'
import { personaRow } from '../generate/persona.js'
import { sample } from '../generate/source.js'
import { proposedRows, type RowReading } from './reading.js'

const SLOTS = 3
/** Names and lives that the paper's way draws from, again and again. */
const POOL = 30

interface PersonaSpec {
  row: number
  entity: string
  flavor: string
  /** Whom each question asks about: the person, or somebody nobody spoke of. */
  slots: { misleading: boolean; distractor: string | null }[]
}

const Life = z.object({
  row: z.number().int(),
  essay: z.string().min(1),
  details: z
    .array(z.object({ sentence: z.string().min(1), says: z.array(z.string().min(1)).min(1), wrong: z.string().min(1) }))
    .min(3),
  questions: z.array(
    z.object({ text: z.string().min(1), answer: z.string().min(1), detail: z.number().int().nullable() }),
  ),
})
type Life = z.infer<typeof Life>

export const lives = rowStep<PersonaSpec, Life>('persona', Life, rehearsed)

/** A life of the keyless generator under the name that a spec gives, with the questions that it asks for. */
function rehearsed({ row, entity, slots }: PersonaSpec): Life {
  const own = personaRow(row, 43)
  const [given, newGiven] = [own.entity.split(' ')[0]!, entity.split(' ')[0]!]
  const named = (text: string) =>
    text.replaceAll(own.entity, entity).replaceAll(new RegExp(`\\b${given}\\b`, 'g'), newGiven)
  const direct = own.questions.filter((question) => !question.misleading)
  const details = own.details.map(({ sentence, parts, damaged }) => ({
    sentence: named(sentence),
    says: parts.map((forms) => forms.find((form) => fold(sentence).includes(fold(form))) ?? forms[0]!).map(named),
    wrong: named(damaged[0]!),
  }))
  let next = 0
  const questions = slots.map(({ misleading, distractor }) => {
    if (misleading)
      return {
        text: `Where would ${distractor} like to be taken next week?`,
        answer: abstention(distractor!),
        detail: null,
      }
    const asked = direct[next++]
    if (asked)
      return {
        text: named(asked.text),
        answer: named(asked.answer),
        detail: own.details.findIndex(({ id }) => id === asked.needs[0]),
      }
    const detail = next % details.length
    return {
      text: `What should I keep in mind about ${entity}, as for the ${own.details[detail]!.id}?`,
      answer: details[detail]!.sentence,
      detail,
    }
  })
  return { row, essay: named(own.essay), details, questions }
}

function abstention(name: string): string {
  return `I don't have information about ${name}.`
}

export const personaReading: RowReading<PersonaRow> = {
  kind: 'persona',
  tasks: ['persona'],
  judged: ['persona'],
  paperRules: [
    'sentence-count',
    'question-names-entity',
    'distractor-named',
    'misleading-names-entity',
    'distractor-repeated',
    'entailment',
  ],
  dedup: { threshold: 0.7, texts: ({ essay }) => [essay] },
  asOwn: (rows) => ({ kind: 'persona', rows, hash: '' }),
  claims: ({ essay, entity, details, questions }) => [
    {
      text: essay,
      claims: [
        ...details.map(({ sentence }) => `About ${entity}: ${sentence}`),
        ...questions.flatMap((one) => (one.misleading ? [] : [`Asked "${one.text}", this is right: ${one.answer}`])),
      ],
    },
  ],
  claimOf: ({ entity, details, questions }, at) => {
    const asked = questions.find((one) => !one.misleading && one.needs.includes(details[at]!.id))
    return asked && !asked.misleading ? `${entity}: ${asked.answer}` : details[at]!.sentence
  },
}

/** Essays about people, with questions of which half are about people nobody spoke of. */
export async function makePersonas(maker: Maker, target: number, seed: number): Promise<PersonaRow[]> {
  const { rules } = maker.making
  const flavors = Array.from({ length: POOL }, (_, at) => personaRow(at, seed).flavor)
  return fill<PersonaSpec, PersonaRow>(maker, {
    strata: Array.from({ length: target }, (_, at) => patternOf(at, seed, rules)),
    stratumOf: ({ questions }) => questions.map(({ misleading }) => (misleading ? 'm' : 'd')).join(''),
    spec(place, pattern) {
      const random = new Random(`persona spec ${seed} ${place}`)
      const pool = Array.from({ length: POOL }, (_, at) => nameOf(personOf(at, seed)))
      const entity = rules === 'paper' ? random.pick(pool) : nameOf(personOf(place, seed))
      const others = rules === 'paper' ? pool.filter((name) => name !== entity) : strangers(place, seed)
      const distractors = sample(others, SLOTS, random)
      const slots = [...pattern].map((one, at) => {
        return one === 'm'
          ? { misleading: true, distractor: distractors[at]! }
          : { misleading: false, distractor: null }
      })
      return { row: place + 1, entity, flavor: random.pick(flavors), slots }
    },
    make: (specs, kept) =>
      proposedRows(maker, personaReading, lives, specs, kept, lifeProblems, (life, spec) =>
        personaFrom(life, spec, seed),
      ),
  })
}

/** Which questions mislead: by the paper each by a coin; else three of six in every two rows. */
function patternOf(at: number, seed: number, rules: 'paper' | 'sound'): string {
  const random = new Random(`persona slots ${seed} ${rules === 'paper' ? at : Math.floor(at / 2)}`)
  if (rules === 'paper') return Array.from({ length: SLOTS }, () => (random.below(2) === 0 ? 'm' : 'd')).join('')
  const first = random.shuffle(['m', random.pick(['m', 'd']), 'd'])
  return (at % 2 === 0 ? first : first.map((one) => (one === 'm' ? 'd' : 'm'))).join('')
}

function nameOf({ given, family }: { given: string; family: string }): string {
  return `${given} ${family}`
}

function strangers(place: number, seed: number): string[] {
  return Array.from({ length: SLOTS }, (_, at) => nameOf(strangerOf(SLOTS * place + at, seed)))
}

function lifeProblems({ essay, details, questions }: Life, { entity, slots }: PersonaSpec): Refusal[] {
  const found: Refusal[] = []
  if (questions.length !== slots.length) return [{ rule: 'count', message: `There must be ${slots.length} questions.` }]
  if (!fold(essay).includes(fold(entity))) found.push({ rule: 'name', message: `The essay must name ${entity}.` })
  for (const [at, { misleading, distractor }] of slots.entries()) {
    const { answer, detail, text } = questions[at]!
    if (misleading && fold(answer) !== fold(abstention(distractor!)))
      found.push({
        rule: 'abstention',
        message: `The answer of question ${at + 1} must be: ${abstention(distractor!)}`,
      })
    if (distractor !== null && fold(essay).includes(fold(distractor)))
      found.push({ rule: 'distractor-absent', message: `The essay must not name ${distractor}.` })
    if (misleading) continue
    const says = detail === null ? undefined : details[detail]?.says
    if (!says) found.push({ rule: 'detail', message: `Question ${at + 1} must say which detail answers it, from 0.` })
    else if (says.every((part) => fold(text).includes(fold(part))))
      found.push({ rule: 'leaked-answer', message: `Question ${at + 1} tells its own answer.` })
  }
  return found
}

function personaFrom(
  { essay, details, questions }: Life,
  { row, entity, flavor, slots }: PersonaSpec,
  seed: number,
): PersonaRow {
  return {
    id: `mod-pers-${String(row).padStart(6, '0')}`,
    entity,
    flavor,
    essay,
    details: details.map(({ sentence, says, wrong }, at) => ({
      id: `d${at}`,
      sentence,
      parts: says.map((form) => [form]),
      damaged: [wrong],
    })),
    questions: questions.map(({ text, answer, detail }, at) => {
      const { distractor } = slots[at]!
      return distractor === null
        ? { text, misleading: false, needs: [`d${detail}`], answer }
        : { text, misleading: true, distractor }
    }),
    provenance: {
      generator: 'memfail/persona with a model',
      version: '1',
      seed,
      index: row - 1,
      spec: { flavor, slots: slots.map(({ misleading }) => (misleading ? 'm' : 'd')).join('') },
    },
  }
}
