import { join } from 'node:path'
import { fenced } from '../src/base/fence.js'
import { fold, printable, sentences, words } from '../src/base/text.js'
import { suites } from '../src/builtins.js'
import { findJson } from '../src/gateway/json.js'
import { Redactor } from '../src/gateway/redact.js'
import { callsInText } from '../src/gateway/text-calls.js'
import { withoutThought } from '../src/gateway/thought.js'
import { createLexicalJudge } from '../src/judges/lexical/index.js'
import { bringsStranger } from '../src/judges/lexical/people.js'
import { unitsOf } from '../src/judges/lexical/store/units.js'
import { viewOf } from '../src/judges/lexical/store/view.js'
import { containsForm } from '../src/judges/lexical/values.js'
import { linkCues, preferenceCues, profileCues, ruleCues } from '../src/language/derive-cues.js'
import { hasExclusivity, isNegated } from '../src/language/markers.js'
import { coverage } from '../src/language/match.js'
import { numbersInDigits } from '../src/language/numbers.js'
import { quantities } from '../src/language/quantities.js'
import { expressionTokens, tokenize } from '../src/language/tokens.js'
import { type Fact, probesOf, type Question, type Scenario } from '../src/model/index.js'
import { chosenLetter } from '../src/suites/memfail/letter.js'
import { root } from './cli.js'
import { readers } from './hostile-readers.js'

export type Subject = readonly [name: string, read: (text: string) => unknown]

const SAID = 'Rosa sings in the choir only when her brother asks.'

/** Everything that reads free text with patterns: of memories, answers and replies, and of files. */
export async function subjects(): Promise<Subject[]> {
  return [...PATTERNS, ...readers(), ...(await judges())]
}

const PATTERNS: Subject[] = [
  ['fold', fold],
  ['words', words],
  ['sentences', sentences],
  ['printable', printable],
  ['fenced', (text) => fenced('memory', text)],
  ['isNegated', isNegated],
  ['hasExclusivity', hasExclusivity],
  ['coverage', (text) => coverage(SAID, text)],
  ['bringsStranger', (text) => bringsStranger(SAID, text)],
  ['numbersInDigits', numbersInDigits],
  ['quantities', quantities],
  ['tokenize', tokenize],
  ['expressionTokens', expressionTokens],
  ['unitsOf', (text) => unitsOf({ id: 'm', text })],
  ['viewOf', (text) => viewOf({ id: 'm', text })],
  ['isNamed', (text) => containsForm(['choir'], text)],
  ['chosenLetter', (text) => chosenLetter(text)],
  ['findJson', findJson],
  ['withoutThought', withoutThought],
  ['callsInText', (text) => callsInText(text, ['insert', 'find'], ['What was said.'])],
  ['redactor', (text) => new Redactor(['sk-live-0123456789']).message(text)],
]

/** The lexical judge with a fact of every kind and a question of every gold that the suites have. */
async function judges(): Promise<Subject[]> {
  const judge = createLexicalJudge()
  const scenarios: Scenario[] = []
  for (const suite of suites.filter(({ name }) => name !== 'own')) {
    const data = suite.release?.only === undefined ? {} : { data: join(root, 'test/fixtures/cited', suite.name) }
    const loaded = await suite.load({ view: 'audited', seed: 1, size: 'quick', extra: {}, ...data })
    scenarios.push(...loaded.scenarios)
  }
  const facts = new Map<string, Fact>()
  const derived = (kind: string, cues: Fact['cues']) => facts.set(kind, { id: 'f', text: SAID, sources: ['c'], cues })
  derived('rule', ruleCues('Rosa', 'sings in the choir', 'only when her brother asks', SAID))
  derived('preference', preferenceCues('the choir', SAID))
  derived('profile', profileCues('Rosa', SAID))
  derived('link', linkCues(SAID))
  for (const fact of scenarios.flatMap((one) => one.facts))
    facts.set(`${fact.cues.kind}${fact.cues.explicit ? ' explicit' : ''}`, fact)
  const questions = new Map<string, Question>()
  for (const question of scenarios.flatMap((one) => probesOf(one).flatMap(({ questions: all }) => all)))
    questions.set(question.gold.kind, question)
  return [
    ...[...facts].map(
      ([kind, fact]): Subject => [
        `fact ${kind}`,
        (text) =>
          judge.judgeFacts([fact], [{ id: 'm', text: `${fact.text.split(' ').slice(0, 3).join(' ')} ${text}` }]),
      ],
    ),
    ...[...questions].map(
      ([kind, question]): Subject => [`answer ${kind}`, (text) => judge.judgeAnswer(question, text)],
    ),
  ]
}
