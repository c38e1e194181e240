import { z } from 'zod'
import { fenced } from '../base/fence.js'
import { shortened } from '../base/text.js'
import type { Llm, SystemDefinition } from '../model/index.js'
import { DATA_NOTE } from '../systems/parts/data.js'
import type { Evaluation, FailedQuestion } from './evaluate.js'

/** Prompts with something appended, by name, and where that came from. What is not named is as it is. */
export interface PromptCandidate {
  name: string
  by: string
  prompts: Readonly<Record<string, string>>
}

/** Characters of a demonstration, and of what a model is shown of one memory. */
const MOST_SHOWN = 1_500
const MOST_MEMORY = 300
/** Failed questions that are shown for one piece of advice. */
const MOST_FAILED = 6
/** At which advice is asked for, so that it differs; as published for SIMBA on memories. */
const TEMPERATURE = 0.9

const Advice = z.object({ advice: z.array(z.object({ prompt: z.string(), text: z.string() })) })
type Advice = z.infer<typeof Advice>

const ASK = `You improve a memory system. You are shown the prompts with which it stores conversations and looks things up, and questions that failed: what \
was needed, what became of it and what was retrieved. The prompts stay as they are; what you write is appended to them.

Give one short paragraph of advice for each prompt that should be followed differently from now on. It must hold for any conversation: \
name nothing of what you \
were shown.

Answer with a JSON object {"advice": [{"prompt": "<name>", "text": "…"}]}.`

/** Advice of a model on what failed under the prompts of a candidate. Each number looks at other failures. */
export async function adviceFor(
  { name, prompts: own }: SystemDefinition,
  base: PromptCandidate,
  { failed, steps }: Evaluation,
  number: number,
  llm: Llm,
  signal: AbortSignal,
): Promise<Advice['advice']> {
  const from = failed.length === 0 ? 0 : (number * MOST_FAILED) % failed.length
  const shown = [...failed.slice(from), ...failed].slice(0, Math.min(MOST_FAILED, failed.length))
  const prompts: Readonly<Record<string, string>> = { ...own, ...base.prompts }
  const followed = steps.filter((step) => Object.hasOwn(prompts, step)).map((step) => `[${step}]\n${prompts[step]}`)
  const all = [followed.join('\n\n'), shown.map(failureText).join('\n\n') || '(none)']
  const content = ['prompts', 'failed'].map((part, i) => fenced(part, all[i]!, all.join('\n'))).join('\n\n')
  const { object } = await llm.generate(
    {
      temperature: TEMPERATURE,
      schema: Advice,
      messages: [
        { role: 'system', content: `${ASK}\n\n${DATA_NOTE}` },
        { role: 'user', content },
      ],
    },
    { role: 'generate', label: `${name}/advise`, signal, trial: number },
  )
  return object.advice
}

function failureText({ question, needs, outcome, retrieved }: FailedQuestion): string {
  const memories = retrieved.map((text) => `- ${shortened(text, MOST_MEMORY)}`).join('\n') || '(nothing)'
  return `question: ${question}\nneeded: ${needs.join(' | ')}\nended as: ${outcome}\nretrieved:\n${memories}`
}

/** A candidate with advice appended; null where none is for a prompt there is. */
export function withAdvice(
  name: string,
  base: PromptCandidate,
  definition: SystemDefinition,
  advice: Advice['advice'],
): PromptCandidate | null {
  const fit = advice.filter(({ prompt, text }) => definition.prompts?.[prompt] !== undefined && text.trim() !== '')
  if (fit.length === 0) return null
  return appended(
    name,
    `advice on ${fit.map(({ prompt }) => prompt).join(', ')}`,
    base,
    definition,
    fit.map(({ prompt, text }) => [prompt, `Advice: ${text.trim()}`]),
  )
}

/** A candidate with examples of calls from the episode that went best; each number takes those of another call. */
export function withDemonstrations(
  name: string,
  base: PromptCandidate,
  { demonstrations }: Evaluation,
  number: number,
  definition: SystemDefinition,
): PromptCandidate | null {
  const texts = Object.entries(demonstrations).flatMap(([step, calls]): [string, string][] => {
    const call = calls[number % Math.max(1, calls.length)]
    if (!call || definition.prompts?.[step] === undefined) return []
    return [
      [
        step,
        `An example. Shown:\n${shortened(call.shown, MOST_SHOWN)}\nReplied:\n${shortened(call.replied, MOST_SHOWN)}`,
      ],
    ]
  })
  if (texts.length === 0) return null
  return appended(name, `demonstrations of ${texts.map(([step]) => step).join(', ')}`, base, definition, texts)
}

function appended(
  name: string,
  by: string,
  base: PromptCandidate,
  { prompts = {} }: SystemDefinition,
  texts: readonly (readonly [prompt: string, text: string])[],
): PromptCandidate {
  const more = { ...base.prompts }
  // A place in braces would be filled in: what is appended has none.
  for (const [prompt, text] of texts)
    more[prompt] = `${more[prompt] ?? prompts[prompt]}\n\n${text.replace(/\{(\w+)\}/g, '$1')}`
  return { name, by, prompts: more }
}
