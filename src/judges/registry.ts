import { UserError, unknownName } from '../base/errors.js'
import { judges, loadAll } from '../builtins.js'
import type { InstrumentContext, Judge, JudgeDefinition, MadeJudge, OwnPrompts } from '../model/index.js'
import {
  type AskedInstrument,
  askedOf,
  contextFor,
  notLoaded,
  type OwnInstruments,
  ownKey,
  resolveInstrument,
  usageOf,
} from './asked.js'

/** A judge as asked for, with the models it will ask. */
export interface AskedJudge extends AskedInstrument<JudgeDefinition> {
  models: string[]
}

const EXAMPLE = `The file should hold, for example:
  import { defineJudge } from 'memscope'
  export default defineJudge({
    create: () => ({
      async judgeFacts(facts, store) { return facts.map((fact) => …) }, // a FactVerdict for each
      async judgeAnswer(question, answer) { return { grade: 'right', uncertain: false, reason: '…' } },
    }),
  })`

/**
 * Finds a judge by what a user typed: `name`, `name:model`, `name:option=value`, or the path of a file of their own in place of the name.
 *
 * @param own objects of the caller's, by name
 * @example await resolveJudge('hybrid:openai:gpt-5-mini', process.cwd())
 * @example await resolveJudge('./my-judge.ts', process.cwd())
 */
export async function resolveJudge(
  spec: string,
  cwd: string,
  own?: OwnInstruments<JudgeDefinition>,
): Promise<AskedJudge> {
  const asked = await resolveInstrument(spec, { kind: 'judge', example: EXAMPLE, cwd, own }, async (name, rest) => {
    const definition = await judges.find((judge) => judge.name === name)?.load()
    if (definition && (definition.needs?.llm ? rest : isOptions(rest))) return askedOf(definition, rest, spec)
    const known = await loadAll(judges)
    throw unknownName(
      'judge',
      spec,
      known.map((judge) => usageOf(judge, judge.name)),
    )
  })
  return { ...asked, models: asked.definition.modelsAmong?.(asked.named) ?? asked.named }
}

/** What may stand behind a judge that asks no model. */
function isOptions(rest: string | undefined): boolean {
  return rest === undefined || rest.split(':').every((part) => part.includes('='))
}

/** Makes a judge that was asked for. */
export async function createJudge(
  asked: AskedJudge,
  tools: Pick<InstrumentContext, 'embed' | 'entail' | 'llm'> & { prompts?: OwnPrompts },
): Promise<Judge> {
  const { definition, label, content, keptBy } = asked
  if (keptBy !== undefined)
    return { name: label, key: keptBy, judgeFacts: notLoaded(label), judgeAnswer: notLoaded(label) }
  const context = contextFor(asked, tools, 'judges')
  const made = await definition.create(context)
  if (content === null) return { name: label, key: label, ...made }
  requireMethods(made, label)
  return {
    name: label,
    key: ownKey(asked, context.prompts, tools.embed, made.key),
    judgeFacts: (...given) => made.judgeFacts(...given),
    judgeAnswer: (...given) => made.judgeAnswer(...given),
    ...(made.judgeAnswers && { judgeAnswers: (...given) => made.judgeAnswers!(...given) }),
    ...(made.judgeQuestions && { judgeQuestions: (...given) => made.judgeQuestions!(...given) }),
    ...(made.judgeStore && { judgeStore: (...given) => made.judgeStore!(...given) }),
  }
}

/** What a file made may be anything. */
function requireMethods(made: unknown, label: string): asserts made is MadeJudge {
  const methods = (made ?? {}) as Record<string, unknown>
  const missing = ['judgeFacts', 'judgeAnswer'].filter((name) => typeof methods[name] !== 'function')
  const wrong = ['judgeAnswers', 'judgeQuestions', 'judgeStore'].filter(
    (name) => methods[name] !== undefined && typeof methods[name] !== 'function',
  )
  if (missing.length > 0)
    throw new UserError(`The judge that "${label}" creates lacks ${missing.join('() and ')}().`, EXAMPLE)
  if (wrong.length > 0) throw new UserError(`Expected ${wrong[0]} of "${label}" to be a function.`)
}
