/**
 * A suite of one's own: people tell which colour they like, and some change their mind. It has tasks, a flag, a score, a table, a chart and
 * a check of its own; nothing else knows of it.
 *
 *   memscope run --suite ./own-suite.ts:crowd=5+20 --system bm25,oracle
 *   memscope run --suite ./own-suite.ts/changed --system ./my-memory.ts --fail-under "score.settled[20]>=0.5"
 *   memscope data lint --suite ./own-suite.ts
 */
import {
  defineSuite,
  type Fact,
  fingerprint,
  percent,
  type Question,
  type Scenario,
  type ScenarioEvent,
  type ScoredQuestion,
  type SuiteResults,
  scoresOf,
  scoreValue,
  UserError,
} from 'memscope'

const NAMES = ['Ada', 'Bo', 'Cleo', 'Dimitri', 'Esther', 'Farid', 'Greta', 'Hiro', 'Ines', 'Jonas', 'Kaya', 'Lorenz']
const FAMILIES = ['Abel', 'Brandt', 'Castro', 'Duval']
const COLOURS = ['amber', 'crimson', 'indigo', 'ivory', 'jade', 'mauve', 'ochre', 'teal', 'violet']
const MOST = NAMES.length * FAMILIES.length
const DAY = 86_400_000

export default defineSuite({
  name: 'colours',
  about: 'which colour somebody likes, and which one now',
  unit: 'people',
  tasks: [
    { name: 'liked', about: 'the colour of somebody who never changed it', breakdowns: ['crowd'] },
    { name: 'changed', about: 'the colour of somebody who changed it', breakdowns: ['crowd'] },
  ],
  flags: {
    crowd: { default: 'auto', tag: 'crowd', several: true, about: `how many people, up to ${MOST}; several with +` },
  },
  scores: [{ name: 'settled', about: 'questions for which no outdated colour was left standing' }],

  async load({ seed, size, tasks, extra }) {
    const usual = size === 'quick' ? '6' : size === 'paper' ? '24' : String(size)
    const given = extra.crowd === undefined || extra.crowd === 'auto' ? usual : extra.crowd
    const scenarios = given.split(',').map((people) => crowd(sizeFrom(people), seed, tasks))
    return { scenarios, datasetHash: fingerprint(scenarios), audit: [] }
  },

  score(results) {
    const crowds = [...new Set(results.map(({ question }) => question.tags.crowd!))]
    const of = (people: string) => results.filter(({ question }) => question.tags.crowd === people)
    return [
      ...scoresOf({ settled: settled(results) }),
      ...(crowds.length < 2 ? [] : crowds.flatMap((people) => scoresOf({ settled: settled(of(people)) }, people))),
    ]
  },

  sections({ tasks, tags }: SuiteResults) {
    const crowds = [...new Set(tags.map(({ value }) => value))]
    const changed = tasks.find(({ name }) => name === 'changed')
    if (!changed) return []
    return [
      {
        id: 'minds',
        title: 'Changed minds',
        intro:
          'How often a colour that somebody no longer likes was not left standing, and evidence against the crowd.',
        parts: [
          {
            kind: 'table',
            title: 'Settled questions in per cent',
            columns: ['system', 'all', ...(crowds.length < 2 ? [] : crowds.map((people) => `of ${people} people`))],
            rows: changed.rows.map(({ label, shown: { scores } }) => [
              { text: label, strong: true },
              percent(scoreValue(scores, 'settled')),
              ...(crowds.length < 2 ? [] : crowds.map((people) => percent(scoreValue(scores, 'settled', people)))),
            ]),
          },
          {
            kind: 'chart',
            title: 'changed: evidence against people',
            x: 'people',
            ticks: crowds.map(Number),
            series: changed.rows.map(({ label }) => ({
              name: label,
              points: tags
                .filter((row) => row.task === 'changed' && row.label === label && (row.k ?? changed.k) === changed.k)
                .map(({ value, complete, n, ci95 }) => ({ x: Number(value), y: complete / n, ci95 })),
            })),
          },
        ],
      },
    ]
  },

  grade(question, answer) {
    const { gold } = question
    if (gold.kind !== 'current') return null
    const named = COLOURS.filter((colour) => answer.toLowerCase().includes(colour))
    const right = named.length === 1 && named[0] === gold.value
    return { grade: right ? 'right' : 'wrong', reason: `it names ${named.join(' and ') || 'no colour'}` }
  },

  data: {
    lint: {
      unit: 'people',
      flags: { n: { value: '<n>', about: 'how many people (default 24)' } },
      async *run({ seed, extra }) {
        const people = sizeFrom(extra.n ?? '24')
        const { facts } = crowd(people, seed)
        const same = facts.filter(({ replaces, text }) => {
          const before = facts.find(({ id }) => id === replaces)
          return before !== undefined && colourIn(before.text) === colourIn(text)
        })
        const violations = same.map(({ id, text }) => ({
          rule: 'changes',
          row: id,
          message: `"${text}" changes nothing`,
        }))
        const rules = [{ name: 'changes', about: 'who changes their mind names another colour', broken: same.length }]
        yield { name: 'crowd', report: { rows: people, rules, violations }, notes: [`facts: ${facts.length}`] }
      },
    },
  },
})

function sizeFrom(text: string): number {
  const people = Number(text)
  if (!Number.isInteger(people) || people < 1 || people > MOST)
    throw new UserError(`Expected a crowd of 1 to ${MOST} people, got "${text}".`)
  return people
}

/** Everybody says what they like; every third one changes it later; then all are asked. */
function crowd(people: number, seed: number, tasks?: string[]): Scenario {
  const facts: Fact[] = []
  const events: ScenarioEvent[] = []
  const colourOf = (person: number, time: number) => COLOURS[(person * 5 + seed + time * 4) % COLOURS.length]!
  const say = (person: number, time: number) => {
    const who = nameOf(person)
    const id = `c${String(events.length + 1).padStart(3, '0')}`
    const colour = colourOf(person, time)
    const text =
      time === 0 ? `The favourite colour of ${who} is ${colour}.` : `The favourite colour of ${who} is now ${colour}.`
    events.push({
      type: 'conversation',
      conversation: { id, time: timeAt(events.length), turns: [{ role: 'user', text }] },
    })
    facts.push({
      id: `${who}/${time}`,
      text,
      sources: [id],
      ...(time > 0 && { replaces: `${who}/0` }),
      cues: {
        kind: 'statement',
        explicit: true,
        parts: [
          { role: 'who', forms: [who] },
          { role: 'value', forms: [colour] },
        ],
      },
    })
  }
  const all = Array.from({ length: people }, (_, person) => person)
  for (const person of all) say(person, 0)
  for (const person of all.filter((one) => one % 3 === 0)) say(person, 1)
  const questions = all.flatMap((person): Question[] => {
    const task = person % 3 === 0 ? 'changed' : 'liked'
    if (tasks && !tasks.includes(task)) return []
    const [who, value] = [nameOf(person), colourOf(person, person % 3 === 0 ? 1 : 0)]
    return [
      {
        id: `colours/${people}/${who}`,
        task,
        text: `What is the favourite colour of ${who}?`,
        needs: [[`${who}/${person % 3 === 0 ? 1 : 0}`]],
        outdated: person % 3 === 0 ? [`${who}/0`] : [],
        gold: { kind: 'current', value, old: person % 3 === 0 ? [colourOf(person, 0)] : [], text: value },
        tags: { crowd: String(people) },
      },
    ]
  })
  const end: ScenarioEvent = { type: 'probe', probe: { id: 'end', time: timeAt(events.length), questions } }
  return { id: `colours/${people}`, suite: 'colours', timeline: [...events, end], facts }
}

function settled(results: readonly ScoredQuestion[]): number | null {
  const asked = results.filter(({ outdated }) => outdated.length > 0)
  const clear = asked.filter(({ outdated }) => outdated.every(({ standing }) => !standing))
  return asked.length === 0 ? null : clear.length / asked.length
}

function nameOf(person: number): string {
  return `${NAMES[person % NAMES.length]} ${FAMILIES[Math.floor(person / NAMES.length)]}`
}

function colourIn(text: string): string | undefined {
  return COLOURS.find((colour) => text.includes(colour))
}

function timeAt(index: number): string {
  return new Date(Date.parse('2026-01-05T09:00:00Z') + index * DAY).toISOString()
}
