import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UserError, unknownName } from '../src/base/errors.js'
import { Cassette } from '../src/gateway/keep/cassette.js'
import { priceTable } from '../src/gateway/price/prices.js'
import { Redactor } from '../src/gateway/redact.js'
import { factOf, labelsIn, parseCriteria, parseGold } from '../src/judges/gold.js'
import { differingSections } from '../src/judges/llm/own-prompts.js'
import { suitesFrom } from '../src/library/asked-suites.js'
import { Parts } from '../src/library/own-parts.js'
import { requestFrom } from '../src/library/request.js'
import { sizeFrom } from '../src/library/settings/values.js'
import { requireGate } from '../src/report/gate.js'
import { compileEpisode } from '../src/suites/meme/compile.js'
import { conflicts } from '../src/suites/meme/filler/conflicts.js'
import { readFillerFolder } from '../src/suites/meme/filler/index.js'
import { episodeOf } from '../src/suites/meme/published/index.js'
import { calledIn, frameOf } from '../src/suites/meme/published/names.js'
import { fromFull } from '../src/suites/meme/published/released.js'
import { FullEpisode } from '../src/suites/meme/published/schema.js'
import { meetsBound, saysNumbersOf } from '../src/suites/memfail/lint/entailment.js'
import { loadCoexisting } from '../src/suites/memfail/published-coexisting.js'
import { loadConditional } from '../src/suites/memfail/published-conditional.js'
import { loadLongHop } from '../src/suites/memfail/published-long-hop.js'
import { loadPersona } from '../src/suites/memfail/published-persona.js'
import { ambiguous, groundsOf } from '../src/suites/memora/lint/grounds.js'
import { importLife } from '../src/suites/memora/published/imported.js'
import { traceOf } from '../src/suites/memora/published/operations.js'
import { placesIn } from '../src/suites/memora/published/read.js'
import { readCriteria } from '../src/suites/memora/published/reading.js'
import {
  closestSentence,
  dateSaid,
  dayAsSaid,
  saysNumber,
  sentenceNaming,
} from '../src/suites/memora/published/said.js'
import { asSaid, spokenIn } from '../src/suites/memora/published/spoken.js'
import { topicOf } from '../src/suites/memora/published/topic.js'
import type { Operation } from '../src/suites/memora/trace.js'
import type { Subject } from './hostile-subjects.js'
import { readerPromptsWith } from './judges/own-prompts.js'
import { baker } from './meme/episodes.js'
import { lifeWith, like } from './memora/lives.js'
import { writeRelease } from './memora/release.js'

/** Everything that reads files of others: published data, fillers, labelled cases, recorded calls, prompts, prices and settings. */
export function readers(): Subject[] {
  return [...memfail(), ...meme(), ...memora(), ...files()]
}

/** Reads a file with such a text. What it refuses, it refuses in time. */
function fromFile<T>(name: string, text: string, read: (file: string, folder: string) => T): T | null {
  const folder = mkdtempSync(join(tmpdir(), 'memscope-hostile-'))
  try {
    const file = join(folder, name)
    writeFileSync(file, text)
    return orRefused(() => read(file, folder))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function orRefused<T>(read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    return passOver(error)
  }
}

function passOver(error: unknown): null {
  if (error instanceof UserError) return null
  throw error
}

/** The cells of a row share the text among them, so that a row is about as long as the text. */
const share = (text: string): string => text.slice(0, text.length / 8)

function table(...rows: Record<string, string>[]): string {
  const line = (cells: readonly string[]) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')
  return [Object.keys(rows[0]!), ...rows.map((row) => Object.values(row))].map(line).join('\n')
}

function memfail(): Subject[] {
  const rule = (entity: string, text: string) => ({
    entity,
    entity_category: 'person',
    behavior: text,
    condition_type: 'time',
    condition: text,
    entity_facts: JSON.stringify([`${entity} ${text}`]),
    question: text,
    question_context: '',
    condition_met: 'yes',
    ground_truth_answer: `Yes ${text}`,
  })
  const asked = (text: string, distractor: string | null) => ({
    text,
    distractor,
    is_misleading: distractor !== null,
    ground_truth_answer: text,
  })
  const persona = (entity: string, text: string) => ({
    entity,
    entity_facts: JSON.stringify([`${entity} ${text}`]),
    questions: JSON.stringify([asked(text, null), asked(text, entity), asked(text, 'Mara Quill')]),
  })
  const chain = (text: string) => ({
    id: '1',
    hop_count: '1',
    fact_1: text,
    fact_2: text,
    fact_3: '',
    fact_4: '',
    chain_1: text,
    chain_2: 'b',
    chain_3: 'c',
    chain_4: '',
    chain_5: '',
    graded_question: `${text.replaceAll(' ', '\n')}\nOptions:\n${text}`,
    ground_truth_answer: `a ${text}`,
    ...Object.fromEntries([...'abcde'].map((letter) => [`choice_${letter}`, `${letter} ${text}`])),
    correct_choice: 'A',
  })
  const preferences = (text: string) => ({
    preference_category: 'food',
    preferences: JSON.stringify([text, 'tea']),
    preference_facts: JSON.stringify([text, `I like ${text}`]),
    question: text,
    ground_truth_answer: text,
  })
  return [
    [
      'conditional file',
      (text) =>
        fromFile('c.csv', table(rule('Rosa', share(text)), rule('Rosa', share(text))), (file) =>
          loadConditional('conditional-easy', file, 'audited'),
        ),
    ],
    [
      'conditional file, names',
      (text) =>
        fromFile('c.csv', table(rule(share(text), 'sings'), rule(share(text), 'sings')), (file) =>
          loadConditional('conditional-easy', file, 'audited'),
        ),
    ],
    ['coexisting file', (text) => fromFile('c.csv', table(preferences(share(text))), loadCoexisting)],
    [
      'persona file',
      (text) =>
        fromFile('p.csv', table(persona('Rosa Hale', share(text)), persona('Rosa Hale', share(text))), (file) =>
          loadPersona(file, 'audited'),
        ),
    ],
    [
      'persona file, names',
      (text) => {
        const entity = share(text.replace(/^\d+ /, ''))
        const rows = table(persona(entity, 'sings'), persona(entity, 'sings'))
        return fromFile('p.csv', rows, (file) => loadPersona(file, 'audited'))
      },
    ],
    ['long-hop file', (text) => fromFile('l.csv', table(chain(share(text))), (file) => loadLongHop(file, 'audited'))],
    ['saysNumbersOf', (text) => saysNumbersOf('at least 3 people', text)],
    ['meetsBound', (text) => meetsBound('more than 3 people', text)],
  ]
}

function meme(): Subject[] {
  const episode = JSON.stringify(baker())
  const misfit = (field: string, problem: string) => new UserError(`${field}: ${problem}`)
  const request = { domain: 'personal-life', seed: 1, index: 0, filler: 0, fillerName: 'none' } as const
  const released = (from: string, text: string) => {
    const given = episode.replaceAll(from, () => JSON.stringify(text).slice(1, -1))
    return orRefused(() => {
      const parsed = FullEpisode.safeParse(JSON.parse(given))
      return parsed.success && compileEpisode(episodeOf(fromFull(parsed.data, misfit), request, 'audited').episode)
    })
  }
  const session = (text: string) =>
    JSON.stringify([
      { role: 'user', content: text },
      { role: 'assistant', content: 'Go on.' },
    ])
  return [
    ['calledIn', calledIn],
    ['calledIn, what is', (text) => calledIn(`What is ${text}?`)],
    ['calledIn, what do we', (text) => calledIn(`What is ${text.replaceAll(' ', ' do we ')}`)],
    ['frameOf', (text) => frameOf(text, 'choir')],
    ['frameOf, around', (text) => frameOf(`${text} choir ${text}`, 'choir')],
    ['episode, a value', (text) => released('Aldergate Bakery', `Aldergate Bakery ${share(text)}`)],
    ['episode, a filler', (text) => released('Which knot holds best', text)],
    ['label of a question', (text) => FullEpisode.safeParse({ after_questions: [{ task_type: text }] })],
    [
      'label of a question, open',
      (text) => FullEpisode.safeParse({ after_questions: [{ task_type: text.replaceAll(' ', ' (') }] }),
    ],
    ['time of a session', (text) => FullEpisode.safeParse({ sessions: [{ timestamp: `2024/05/01 (${text}` }] })],
    ['conflicts', (text) => conflicts([{ role: 'user', text }], ['red kite', 'A', 'not', '1,234'])],
    ['filler folder', (text) => fromFile('f.json', session(text), (_, folder) => readFillerFolder(folder))],
  ]
}

function memora(): Subject[] {
  const post = { of: 'document', kind: 'post', document: 'd1', title: 'Spring sale' } as const
  const operations: [string, Operation][] = [
    ['2025-06-01', like('Nina Simone')],
    ['2025-06-01', { of: 'food', act: 'add', meal: 'coffee', amount: 4.5 }],
    ['2025-06-02', { of: 'steps', act: 'add', activity: 'walk', count: 4000 }],
    ['2025-06-02', { of: 'todo', act: 'add', list: 'work', task: 'mend the gate' }],
    ['2025-06-03', { of: 'calendar', act: 'add', kind: 'talk', event: 'Moth evening', day: '2025-06-10' }],
    ['2025-06-03', { of: 'goal', act: 'set', goal: 'coffee', value: 20, old: null }],
    ['2025-06-04', { ...post, act: 'add', fields: { main_message: 'Spring sale', platform: 'the board' } }],
  ]
  const root = mkdtempSync(join(tmpdir(), 'memscope-hostile-'))
  writeRelease(root, 'weekly', lifeWith(operations, '2025-06-07'), [])
  const life = importLife(root, placesIn(root)[0]!)
  rmSync(root, { recursive: true })
  const spoken = (text: string) => {
    const sessions = life.released.sessions.map((session) => ({
      ...session,
      conversation: session.conversation.map((turn) => (turn.share_memory ? { ...turn, message: text } : turn)),
    }))
    return { ...life, released: { ...life.released, sessions } }
  }
  const facts = life.history.facts.map(({ id, gist, cues }) => ({ id, text: gist, sources: [], cues }))
  const criterion = (id: string, text: string, part = '') =>
    readCriteria(
      life,
      {
        question_id: id,
        question: text,
        question_date: '2025-06-07',
        memory_evidence: {},
        forgetting_evidence: {},
        evaluation: {
          evaluation_questions: (['memory_presence', 'forgetting_absence'] as const).map((type) => ({
            evaluation_question_id: `${id}_eval${part}`,
            evaluation_question: text,
            expected_answer: 'yes',
            evaluation_type: type,
          })),
        },
      },
      topicOf(id),
    )
  const ids =
    'activity_todos_1 activity_calendar_1 content_social_media_post_1_social_media_post_1 pref_music_artists_1'
  return [
    ['dateSaid', (text) => dateSaid(text, '2025-06-14', '2025-06-02')],
    ['dayAsSaid', (text) => dayAsSaid(text, '2025-06-14', '2025-06-02')],
    ['saying', (text) => closestSentence([text], 'mend the gate')],
    ['naming', (text) => sentenceNaming(['mend the gate'], text)],
    ['saysNumber', (text) => saysNumber(text, 1_234)],
    ['topicOf', (text) => topicOf(`pref_music_${text.toLowerCase().replace(/[^a-z0-9]/g, '_')}`)],
    ['sessions, operations', (text) => traceOf(spoken(share(text)).released)],
    ['sessions, spoken', (text) => spokenIn(spoken(share(text)))],
    ['sessions, facts', (text) => asSaid(spoken(share(text)), facts)],
    ['sessions, grounds', (text) => groundsOf(spoken(share(text)))],
    ['sessions, items', (text) => ambiguous(spoken(share(text)), new Set(['nina simone', 'other band']))],
    ['criteria of memory', (text) => ids.split(' ').map((id) => criterion(id, share(text)))],
    ['criteria of figures', (text) => criterion('activity_food_total_1', text)],
    ['ids of criteria', (text) => criterion('activity_food_total_1', '5', text.replace(/\W+/g, '_presence_'))],
  ]
}

function files(): Subject[] {
  const gold = (text: string) =>
    JSON.stringify({
      id: 'c',
      dataset: 'conditional-easy',
      style: 's',
      source: [text],
      memories: [text],
      facts: [
        {
          id: 'f',
          label: 'correct',
          support: [0],
          source_supports: true,
          entity: 'Rosa',
          behavior: text,
          condition: text,
          text,
        },
      ],
    })
  const criteria = (text: string) =>
    JSON.stringify({
      id: 'c',
      task: 't',
      question: text,
      answer: text,
      criteria: [{ id: 'x', question: text, expected: 'yes', type: 'memory_presence', label: 'yes' }],
    })
  const call = (text: string) =>
    `${JSON.stringify({ v: 1, kind: 'embedding', key: 'k', model: 'm', text, vector: text })}\n`
  const typed = (key: 'system' | 'k' | 'reader' | 'judge', text: string) => requestFrom({ [key]: text }).catch(passOver)
  return [
    [
      'labelled facts',
      (text) =>
        orRefused(() => parseGold(gold(share(text)), 'g').map((one) => one.facts.map((fact) => factOf(one, fact)))),
    ],
    ['labelled criteria', (text) => orRefused(() => parseCriteria(criteria(share(text)), 'g'))],
    ['labels', (text) => orRefused(() => labelsIn(JSON.parse(gold(share(text)))))],
    ['labelled lines', (text) => orRefused(() => parseGold(text, 'g'))],
    [
      'cassette',
      (text) => fromFile('c.jsonl', call(text), (file) => new Cassette(file, 'replay', new Redactor([])).vector('k')),
    ],
    [
      'cassette, any text',
      (text) => fromFile('c.jsonl', text, (file) => new Cassette(file, 'replay', new Redactor([]))),
    ],
    ['prompts', (text) => orRefused(() => readerPromptsWith({ name: 'own', text: `@@ system\n${text}` }))],
    ['prompts, sections', (text) => differingSections(text.replaceAll(' ', '\n@@ '), `@@ system\n${text}`)],
    ['prices', (text) => priceTable({ [text]: { input: 1, output: 2 } }).find(`openai:${text} `)],
    ['prices file', (text) => fromFile('p.json', text, (file) => priceTable(file))],
    ['names not known', (text) => unknownName('system', text, ['bm25', 'dense', 'hybrid', 'full-context'])],
    ['setting suite', (text) => suitesFrom([text], undefined, new Parts()).catch(passOver)],
    ['setting size', (text) => orRefused(() => sizeFrom(text as 'quick'))],
    ['setting system', (text) => typed('system', `bm25:${text}`)],
    ['setting k', (text) => typed('k', text)],
    ['setting reader', (text) => typed('reader', text)],
    ['setting judge', (text) => typed('judge', text)],
    ['gate', (text) => orRefused(() => requireGate(text, []))],
    ['gate, condition', (text) => orRefused(() => requireGate(`${text}.evidence>=0.4`, []))],
  ]
}
