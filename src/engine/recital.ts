import { entryOf } from '../base/group-by.js'
import { FUNCTION_WORDS } from '../language/function-words.js'
import { plainWords } from '../language/tokens.js'
import { type Depth, isSameDepth } from '../model/depth.js'
import type { Question } from '../model/question.js'
import type { LifeKey, RunStore, WitnessRecord } from '../model/run-store.js'
import { probesByQuestion, type Scenario } from '../model/scenario.js'
import type { Memory } from '../model/system.js'
import type { AnswerVerdict } from '../model/verdict.js'

/** Shorter answers are read as they are. */
const SHORT = 200

/** Memories with fewer telling words may stand in any answer by chance. */
const LEAST_WORDS = 4

/** So much of the words of a memory is nearly all of it. */
const NEARLY_ALL = 0.9

/** Memories that an answer may repeat besides those it needs. */
const SPARE = 4

/**
 * Finds answers that recite a memory instead of answering: most of their words are those of memories, which are there as good as whole, and of
 * far more of them than the question needs. Such an answer holds the right words beside all the others, and says nothing. Order and signs
 * between words do not count, so that a comma hides nothing. What was held is read when it is needed.
 */
export function recitalFinder(key: LifeKey, scenario: Scenario, store: RunStore) {
  const probes = probesByQuestion(scenario)
  const held = new Map<string, Promise<Recitable[]>>()
  const heldIn = (snapshot: string) => entryOf(held, snapshot, () => store.getSnapshot(snapshot).then(recitable))
  return async ({ id, needs, gold }: Question, depth: Depth, answer: string): Promise<AnswerVerdict | null> => {
    if (answer.length < SHORT) return null
    const kept = (await store.getMoments(key)).find(({ moment }) => moment === probes.get(id)?.id)?.snapshot
    const isAsked = (one: WitnessRecord) => one.question === id && isSameDepth(one.depth, depth)
    const snapshot = kept ?? (await store.getWitnesses(key)).find(isAsked)?.retrievedSnapshot
    if (!snapshot) return null
    // Answers at length may well say what several memories say; there only their very words tell.
    const isIn = gold.kind === 'criteria' ? wordForWordIn(answer) : nearlyAllIn(answer)
    const recited = (await heldIn(snapshot)).filter(isIn)
    const needed = Math.max(0, ...needs.map((set) => set.length))
    if (recited.length <= needed + SPARE) return null
    const given = tellingWords(answer)
    const taken = new Set(recited.flatMap(({ words }) => [...words]))
    if ([...given].filter((word) => taken.has(word)).length <= given.size / 2) return null
    const reason = `It recites ${recited.length} memories instead of answering.`
    return { grade: 'wrong', uncertain: false, reason }
  }
}

/** A memory as answers may recite it: its telling words, and all of them in order. */
interface Recitable {
  words: ReadonlySet<string>
  run: string
}

function recitable(memories: readonly Memory[]): Recitable[] {
  const byRun = new Map(memories.map(({ text }) => [wordRun(text), text]))
  return [...byRun]
    .map(([run, text]) => ({ run, words: tellingWords(text) }))
    .filter(({ words }) => words.size >= LEAST_WORDS)
}

function nearlyAllIn(answer: string): (memory: Recitable) => boolean {
  const given = tellingWords(answer)
  return ({ words }) => {
    let missing = words.size * (1 - NEARLY_ALL)
    for (const word of words) if (!given.has(word) && --missing < 0) return false
    return true
  }
}

function wordForWordIn(answer: string): (memory: Recitable) => boolean {
  const given = wordRun(answer)
  return ({ run }) => given.includes(run)
}

function wordRun(text: string): string {
  return ` ${plainWords(text).join(' ')} `
}

function tellingWords(text: string): Set<string> {
  return new Set(plainWords(text).filter((word) => !FUNCTION_WORDS.has(word)))
}
