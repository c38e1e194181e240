import type { z } from 'zod'
import { FillerFile, type PersonaDetail, PersonaGrammar } from '../../../corpora/memfail/grammar/schema.js'
import type { PersonaRow } from '../../../corpora/memfail/schema.js'
import { finish } from './english.js'
import type { Scope } from './expand.js'
import { lexiconOf, once, readGrammar } from './grammar.js'
import { type Person, personOf, strangerOf, templateVariablesFor, withSubject } from './people.js'
import { keyOf, placeInBlock } from './permutation.js'
import { formatRowNumber, RowSource, sample } from './source.js'

const SENTENCES = { least: 10, most: 15 }
const DETAILS = { least: 4, most: 6 }
const QUESTIONS = 3

type Detail = z.infer<typeof PersonaDetail>

const grammar = once(() => readGrammar('persona', PersonaGrammar))
const fillers = once(() => readGrammar('fillers-person', FillerFile))

/** A detail as told in this row, with the choices it is made of. */
interface Told {
  detail: Detail
  sentence: string
  scope: Scope
}

/** One person: an essay of 10 to 15 sentences, four to six details, three questions of which one or two are about a stranger. */
export function personaRow(index: number, seed: number): PersonaRow {
  const source = new RowSource('persona', seed, index, lexiconOf('persona'))
  const { random } = source
  const person = personOf(index, seed)
  const scope = templateVariablesFor(person)
  const flavor = source.text(random.pick(grammar().flavors), scope)
  const total = between(SENTENCES, random)
  const told = sample(grammar().details, between(DETAILS, random), random).map((detail) => tell(source, detail, scope))
  const others = sample(fillers(), total - 1 - told.length, random).map((filler) =>
    finish(source.unique(filler, withSubject(scope, random.below(2) === 0))),
  )
  const opening = finish(source.unique(random.pick(grammar().openings), scope))
  const essay = [opening, ...random.shuffle([...told.map(({ sentence }) => sentence), ...others])].join(' ')
  return {
    id: `gen-pers-${formatRowNumber(index)}`,
    entity: scope.N!,
    flavor: finish(flavor).replace(/^A/, 'a'),
    essay,
    details: told.map((one) => stored(source, one)),
    questions: questionsOf(source, person, told),
    provenance: source.provenance({ flavor, sentences: total, details: told.map(({ detail }) => detail.id).join(' ') }),
  }
}

function tell(source: RowSource, detail: Detail, person: Scope): Told {
  const scope = withSubject(person, source.random.below(2) === 0)
  source.unique(`${detail.vars}`, scope)
  return { detail, scope, sentence: source.sentence(detail.sentences, scope) }
}

function stored(source: RowSource, { detail, sentence, scope }: Told): PersonaRow['details'][number] {
  return {
    id: detail.id,
    sentence,
    parts: detail.parts.map((forms) => [...new Set(forms.map((form) => source.text(form, scope)))]),
    damaged: [source.sentence(detail.changed, scope), source.sentence(detail.vague, scope)],
  }
}

/** Rows in pairs have three misleading questions, one of them about somebody with a name of the person's. */
function questionsOf(source: RowSource, person: Person, told: readonly Told[]): PersonaRow['questions'] {
  const { index, seed, random } = source
  const pair = Math.floor(index / 2)
  const more = placeInBlock(index, 2, keyOf('misleading', seed)) === 0
  const strangers = (more ? [0, 1] : [2]).map((number) => {
    const part = random.below(2) === 0 ? ('given' as const) : ('family' as const)
    const near = placeInBlock(pair, 3, keyOf('near', seed)) === number
    return { stranger: strangerOf(3 * pair + number, seed, near ? { person, part } : undefined), near }
  })
  const asked = sample(told, QUESTIONS, random)
  const misleading = strangers.map(({ stranger, near }, i) => {
    const detail = near ? asked[i]!.detail : random.pick(grammar().details)
    const name = `${stranger.given} ${stranger.family}`
    const text = source.sentence(detail.questions, templateVariablesFor(stranger))
    return { text, misleading: true as const, distractor: name }
  })
  const direct = asked.slice(strangers.length).map(({ detail, scope }) => ({
    text: source.sentence(detail.questions, scope),
    misleading: false as const,
    needs: [detail.id],
    answer: finish(source.text(detail.answer, scope)),
  }))
  return random.shuffle([...misleading, ...direct])
}

function between({ least, most }: { least: number; most: number }, random: RowSource['random']): number {
  return least + random.below(most - least + 1)
}
