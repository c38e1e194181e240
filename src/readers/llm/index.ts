import { cleanText, fenced, item } from '../../base/fence.js'
import { fingerprint } from '../../base/hash.js'
import { type PromptFile, promptsOf } from '../../judges/llm/prompt.js'
import {
  type AnswerStyle,
  defineReader,
  type Llm,
  type LlmMessage,
  type Memory,
  type Reader,
  type ReaderQuestion,
  shownMemory,
} from '../../model/index.js'
import { DEFAULT_READER_PROMPTS } from './reader-prompts.js'

export interface LlmReaderOptions {
  style?: AnswerStyle
  temperature?: number
  reasoning?: 'off' | 'default'
  /** What the model is told. */
  prompts?: PromptFile
}

/** Bumped when answers may change although the prompts stay. */
const VERSION = '1'

/**
 * A reader that has a language model answer from the retrieved memories. It is told the time of the question and in which form to answer,
 * but nothing of what is tested: no rule for memories that contradict each other, are about somebody else, or do not hold the answer.
 *
 * @example await createLlmReader(gateway.llm('openai:gpt-5-mini')).read(question, memories, { time, trial: 0 })
 */
export function createLlmReader(llm: Llm, options: LlmReaderOptions = {}): Reader {
  const { style = 'auto', temperature = 0, reasoning = 'default', prompts = DEFAULT_READER_PROMPTS } = options
  const print = fingerprint({ VERSION, prompts: prompts.hash, temperature, reasoning })
  return {
    name: llm.model,
    key: `reader:${llm.model}:${style}:${print}`,
    async read(question, memories, { time, trial, signal }) {
      const messages = messagesFor(question, memories, time, style, prompts)
      const reply = await llm.generate(
        { messages, temperature, ...(reasoning === 'off' && { reasoning }) },
        { role: 'answer', trial, label: question.id, ...(signal && { signal }) },
      )
      return {
        answer: reply.text,
        prompt: messages.map(({ content }) => content).join('\n\n'),
        tokens: { input: reply.usage.input, output: reply.usage.output },
        cost: reply.cost,
        ...(reply.repairsTook && { repairs: reply.repairsTook }),
        kept: reply.cached,
      }
    },
  }
}

export const llmReader = defineReader({
  name: 'llm',
  about: 'a language model answers from what was retrieved',
  needs: { llm: true },
  prompts: Object.fromEntries(DEFAULT_READER_PROMPTS.sections),
  create: ({ llm, named: [model], prompts, style, reasoning }) =>
    createLlmReader(llm(model!), { style, reasoning, prompts: promptsOf(new Map(Object.entries(prompts))) }),
})

/** What a reader is sent. Exported for estimates: no call is made. */
export function messagesFor(
  question: ReaderQuestion,
  memories: readonly Memory[],
  time: string,
  style: AnswerStyle,
  prompts: PromptFile = DEFAULT_READER_PROMPTS,
): LlmMessage[] {
  const asked = cleanText(question.text)
  const options = (question.choices ?? []).map(({ letter, text }) => item(`${letter}.`, text)).join('\n')
  const parts = [
    memories.length === 0
      ? prompts.section('no-memories')
      : prompts.fill('memories', { memories: fenced('memories', memories.map(listed).join('\n')) }),
    time === ''
      ? prompts.fill('question-without-time', { question: asked })
      : prompts.fill('question', { time: shortTime(time), question: asked }),
    ...(options === '' ? [] : [prompts.fill('options', { options })]),
    prompts.section(formOf(question, style)),
  ]
  return [
    { role: 'system', content: prompts.system() },
    {
      role: 'user',
      content: parts.filter((part) => part !== '').join('\n\n'),
      // A memory that is read whole is the same for all questions.
      ...(memories.length > 0 && { shared: parts[0]!.length }),
    },
  ]
}

/** The section that says in which form to answer. */
function formOf({ form }: ReaderQuestion, style: AnswerStyle): 'choice' | 'free-choice' | 'yes-no' | 'free' {
  if (form === 'choice') return style === 'auto' || style === 'choice' ? 'choice' : 'free-choice'
  return form === 'yes-no' && (style === 'auto' || style === 'yes-no') ? 'yes-no' : 'free'
}

function listed(memory: Memory, index: number): string {
  return item(`[${index + 1}]`, shownMemory(memory))
}

/** To the minute, as people write it; what is no time stays as it is. */
function shortTime(time: string): string {
  const match = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})/.exec(time)
  return match ? `${match[1]} ${match[2]}` : cleanText(time).replaceAll('\n', ' ')
}
