import { entryOf } from '../base/group-by.js'
import { fold } from '../base/text.js'
import { type Depth, isSameDepth } from '../model/depth.js'
import type { Question } from '../model/question.js'
import type { LifeKey, RunStore, WitnessRecord } from '../model/run-store.js'
import { probesByQuestion, type Scenario } from '../model/scenario.js'
import type { Memory } from '../model/system.js'
import type { AnswerVerdict } from '../model/verdict.js'

/** Shorter answers are read as they are. */
const SHORT = 600

/** Shorter memories may stand in any answer by chance. */
const LEAST_MEMORY = 24

/** Memories that an answer may repeat besides those it needs. */
const SPARE = 4

/**
 * Finds answers that recite a memory instead of answering: most of the text is memories, word for word, and far more of them than the
 * question needs. Such an answer holds the right words beside all the others, and says nothing. What was held is read when it is needed.
 */
export function recitalFinder(key: LifeKey, scenario: Scenario, store: RunStore) {
  const probes = probesByQuestion(scenario)
  const texts = new Map<string, Promise<string[]>>()
  const textsOf = (snapshot: string) => entryOf(texts, snapshot, () => store.getSnapshot(snapshot).then(longTexts))
  return async ({ id, needs }: Question, depth: Depth, answer: string): Promise<AnswerVerdict | null> => {
    if (answer.length < SHORT) return null
    const held = (await store.getMoments(key)).find(({ moment }) => moment === probes.get(id)?.id)?.snapshot
    const isAsked = (one: WitnessRecord) => one.question === id && isSameDepth(one.depth, depth)
    const snapshot = held ?? (await store.getWitnesses(key)).find(isAsked)?.retrievedSnapshot
    if (!snapshot) return null
    const given = fold(answer)
    const recited = (await textsOf(snapshot)).filter((text) => given.includes(text))
    const needed = Math.max(0, ...needs.map((set) => set.length))
    const length = recited.reduce((sum, text) => sum + text.length, 0)
    if (recited.length <= needed + SPARE || length <= given.length / 2) return null
    const reason = `It recites ${recited.length} memories instead of answering.`
    return { grade: 'wrong', uncertain: false, reason }
  }
}

function longTexts(memories: readonly Memory[]): string[] {
  return [...new Set(memories.map(({ text }) => fold(text)).filter((text) => text.length >= LEAST_MEMORY))]
}
