/** Two small episodes in the published layout, written for tests: one with today's labels and one with the older ones. */

interface Fact {
  entity: string
  value: string
  original_seed: string
  [key: string]: unknown
}

const turn = (user: string) => [
  { role: 'user', content: user },
  { role: 'assistant', content: 'Good to know.' },
]
const fact = (entity: string, value: string, seed: string, more: object = {}): Fact => ({
  fact_id: `f_${entity}`,
  entity,
  value,
  original_seed: seed,
  fact_text: seed,
  conveyed: true,
  conveyed_in_turn: 0,
  ...more,
})
const evidence = (
  day: number,
  facts: Fact[],
  said: string[] = facts.map(({ original_seed }) => `${original_seed}.`),
) => ({
  type: 'evidence',
  timestamp: `2024/05/0${day} (Mon) 10:30`,
  conversation: said.flatMap(turn),
  gold_facts: facts,
})
const filler = (day: number) => ({
  type: 'filler',
  timestamp: `2024/05/0${day} (Mon) 18:05`,
  conversation: turn('Which knot holds best on a wet rope?'),
})
const asked = (task_type: string, values: Record<string, unknown>, question: string, more: object = {}) => ({
  task_type,
  entity: Object.keys(values),
  entity_values: values,
  question,
  ...more,
})

const motto = 'Mend the small gate before the large field.'

/** Personal life: an employer changes; schedules have a rule, titles have none. Sessions are counted. */
export function baker() {
  const sessions = [
    filler(1),
    evidence(
      2,
      [
        fact('employer', 'Aldergate Bakery', 'I work at Aldergate Bakery'),
        fact('hobby', 'kite making (indoor)', 'My hobby is kite making (indoor)', { conveyed_in_turn: 2 }),
        fact('vehicle', 'Marlo Van', 'I drive a Marlo Van'),
      ],
      [
        'I work at Aldergate Bakery.',
        'These days I spend my evenings on kite making (indoor), of all things.',
        'I drive a Marlo Van.',
      ],
    ),
    evidence(3, [
      fact('sports', 'curling', 'I play curling'),
      fact('vehicle', 'Tessel Trike', 'Update: I drive a Tessel Trike'),
      fact('partner', 'Oluwen', "My partner's name is Oluwen"),
    ]),
    evidence(4, [
      fact('club_membership', 'moth club', "I'm part of a moth club"),
      fact('vehicle', 'Dorrit Cart', "Now I've switched again — I drive a Dorrit Cart"),
    ]),
    evidence(5, [
      fact('work_schedule', 'four to noon', 'My work hours are four to noon — that comes with the bakery', {
        has_dependency: true,
        dependency_source: 'employer',
      }),
      fact('job_title', 'oven hand', 'My job title is oven hand — the bakery gave it to me', {
        has_dependency: true,
        dependency_source: 'employer',
      }),
      fact('work_schedule', 'noon to eight', 'If I change my employer, my hours will be noon to eight', {
        is_if_then: true,
        dependency_source: 'employer',
      }),
      fact('life_philosophy', motto, `Keep this word for word: "${motto}"`, { is_exact: true }),
    ]),
    evidence(6, [
      fact('employer', 'Birchfield Mill', 'I just joined Birchfield Mill', { type: 'root_change' }),
      fact('partner', 'Oluwen', 'My partner is Oluwen. Please forget that.', { type: 'delete' }),
    ]),
    filler(7),
  ].map((session, i) => ({ session_id: `session_${i}`, ...session }))
  return {
    episode_id: 'pl_901',
    domain: 'personal_life',
    root: 'employer',
    root_change: { before: 'Aldergate Bakery', after: 'Birchfield Mill' },
    chain_entities: ['employer', 'work_schedule', 'job_title'],
    filler_entities: [],
    entities: {
      employer: { before: 'Aldergate Bakery', after: 'Birchfield Mill', task: 'C' },
      work_schedule: { before: 'four to noon', after: 'noon to eight', task: 'A', cascade_source: 'employer', hop: 1 },
      job_title: { before: 'oven hand', after: null, task: 'B', cascade_source: 'employer', hop: 1 },
      partner: { before: 'Oluwen', after: 'deleted', task: 'E' },
      hobby: { before: 'kite making (indoor)', after: null, task: 'F' },
      sports: { before: 'curling', after: null, task: 'F' },
      club_membership: { before: 'moth club', after: null, task: 'F' },
      life_philosophy: { before: motto, after: null, task: 'G' },
      vehicle: {
        before: 'Marlo Van',
        after: 'Dorrit Cart',
        task: 'H',
        history: ['Marlo Van', 'Tessel Trike', 'Dorrit Cart'],
      },
    },
    dependency_edges_used: [
      { source: 'employer', target: 'work_schedule', hop: 1, pattern: 'company_policy' },
      { source: 'employer', target: 'job_title', hop: 1, pattern: 'company_policy' },
    ],
    total_sessions: sessions.length,
    sessions,
    before_questions: {
      timestamp: '2024/05/05 (Sun) 10:30',
      position_after_session: 5,
      questions: [
        asked('Cas', { work_schedule: 'four to noon' }, "What's my work schedule?", {
          expected_answer: 'four to noon',
        }),
        asked('Abs', { job_title: 'oven hand' }, 'What is my job title?', { expected_answer: 'oven hand' }),
        asked('Del', { partner: 'Oluwen' }, "What's my partner's name?", { expected_answer: 'Oluwen' }),
        asked('ER', { life_philosophy: motto }, 'Recite my life philosophy verbatim.', { expected_answer: motto }),
      ],
    },
    after_questions: {
      timestamp: '2024/05/08 (Wed) 12:00',
      position_after_session: 7,
      questions: [
        asked('Cas', { work_schedule: 'noon to eight' }, "What's my work schedule?", {
          gold_answer: 'noon to eight',
          hop: 1,
        }),
        asked('Abs', { job_title: 'oven hand' }, 'What is my job title?', { gold_answer: 'Uncertain', hop: 1 }),
        asked('Del', { partner: 'Oluwen' }, "What's my partner's name?", { gold_answer: 'No' }),
        asked(
          'Agg',
          { hobby: 'kite making (indoor)', sports: 'curling', club_membership: 'moth club' },
          'What do I do for fun?',
          {},
        ),
        asked('Tr', { vehicle: ['Marlo Van', 'Tessel Trike', 'Dorrit Cart'] }, 'List all my vehicles in order.', {}),
        asked('ER', { life_philosophy: motto }, 'Recite my life philosophy verbatim.', { gold_answer: motto }),
      ],
    },
  }
}

/** Software project: older labels, hardly any optional key, places by index; one value was never conveyed, and a rule gives its root away. */
export function team() {
  const sessions = [
    evidence(
      2,
      [
        fact('team_lead', 'Ilse Grau', 'Our team lead is Ilse Grau'),
        fact('default_branch', 'trunk-nine', 'Our default branch is trunk-nine', {
          conveyed: false,
          conveyed_in_turn: null,
        }),
      ],
      ['Our team lead is Ilse Grau.', 'Branches, well, you know how they are.'],
    ),
    evidence(3, [
      fact('code_reviewer', 'Bo Thane', 'Code reviews go to Bo Thane — Ilse Grau assigned it', {
        dependency_source: 'team_lead',
      }),
      fact('code_reviewer', 'Una Fell', 'If our team lead changes, reviews will go to Una Fell', {
        is_if_then: true,
        dependency_source: 'team_lead',
      }),
      fact('team_lead', 'Per Holm', 'If our team lead changes, our team lead will be Per Holm', { is_if_then: true }),
    ]),
    evidence(4, [
      fact('team_lead', 'Per Holm', 'Per Holm is our new team lead', { type: 'root_change' }),
      fact('default_branch', 'trunk-nine', 'The default branch is trunk-nine. Please delete that.', { type: 'delete' }),
    ]),
  ]
  return {
    episode_id: 'sw_901',
    domain: 'software_project',
    root: 'team_lead',
    root_change: { before: 'Ilse Grau', after: 'Per Holm' },
    entities: {
      team_lead: { before: 'Ilse Grau', after: 'Per Holm' },
      code_reviewer: { before: 'Bo Thane', after: 'Una Fell' },
      default_branch: { before: 'trunk-nine', after: 'deleted' },
    },
    dependency_edges_used: [{ source: 'team_lead', target: 'code_reviewer', hop: 1 }],
    sessions,
    before_questions: {
      position_after_session: 1,
      questions: [
        { task_type: 'Cascade-U', entity: 'code_reviewer', question: 'Who reviews our code?' },
        { task_type: 'Deletion', entity: 'default_branch', question: "What's our default branch?" },
      ],
    },
    after_questions: {
      position_after_session: 2,
      questions: [
        { task_type: 'Cascade-U', entity: 'code_reviewer', question: 'Who reviews our code?' },
        { task_type: 'Deletion', entity: 'default_branch', question: "What's our default branch?" },
      ],
    },
  }
}
