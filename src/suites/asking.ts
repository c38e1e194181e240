import type { Question, Scenario, ScenarioEvent } from '../model/index.js'

/** A scenario with only those of its questions that are to be asked. */
export function filterQuestions(scenario: Scenario, isAsked: (question: Question) => boolean): Scenario {
  const timeline = scenario.timeline.map((event): ScenarioEvent => {
    if (event.type !== 'probe') return event
    return { type: 'probe', probe: { ...event.probe, questions: event.probe.questions.filter(isAsked) } }
  })
  return { ...scenario, timeline }
}
