import type { Conversation, Fact, Question, Scenario, ScenarioEvent } from '../../src/model/index.js'

/** A fact that a conversation of the same number says: `f3` is said in `c3`. */
export function saidFact(number: number, text: string, change: Partial<Fact> = {}): Fact {
  const cues: Fact['cues'] = { kind: 'statement', parts: [], explicit: true }
  return { id: `f${number}`, text, sources: [`c${number}`], cues, ...change }
}

/** What nobody said, but follows from what was. */
export function derivedFact(id: string, text: string): Fact {
  return { id, text, sources: [], cues: { kind: 'statement', parts: [], explicit: true } }
}

export function tinyQuestion(id: string, needs: string[][], change: Partial<Question> = {}): Question {
  const gold: Question['gold'] = { kind: 'free', text: '' }
  return { id, task: 'all', text: `Question ${id}?`, needs, outdated: [], gold, tags: {}, ...change }
}

/** Says the facts in their order, one a conversation, then asks everything at one probe. */
export function tinyScenario(facts: Fact[], questions: Question[]): Scenario {
  const said = facts.filter(({ sources }) => sources.length > 0)
  const timeline: ScenarioEvent[] = said.map((fact, i) => ({
    type: 'conversation',
    conversation: saying(fact, i),
  }))
  timeline.push({ type: 'probe', probe: { id: 'end', time: '2026-03-01T00:00:00Z', questions } })
  return { id: 'tiny/all', suite: 'tiny', facts, timeline }
}

function saying({ sources, text }: Fact, day: number): Conversation {
  const time = new Date(Date.UTC(2026, 0, 1 + day)).toISOString()
  return { id: sources[0]!, time, turns: [{ role: 'user', text }] }
}
