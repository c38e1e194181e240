import { cleanText, item } from '../../base/fence.js'
import { type Conversation, LlmError } from '../../model/index.js'
import { type Asker, formatTranscript, minuteOf, type Prompts } from '../parts/index.js'
import type { WikiFile, WikiFiles } from './files.js'
import type { PROMPTS } from './prompts.js'
import { writingTools } from './tools.js'

/** What the wiki is kept and read with. */
export interface WikiParts {
  model: Asker
  prompts: Prompts<keyof typeof PROMPTS>
  files: WikiFiles
  settings: { editing: number; reading: number; temperature: number }
}

export const MAX_TOKENS = 8000

/** What the model says when a conversation leaves nothing behind. */
const NOTHING = 'FLUSH_OK'

/** Notes on a conversation, added to the log of its day. */
export async function flush(conversation: Conversation, { model, prompts, files, settings }: WikiParts): Promise<void> {
  const notes = await model.say({
    step: 'flush',
    role: 'ingest',
    system: prompts.text('flush', { time: minuteOf(conversation.time) }),
    data: { conversation: formatTranscript(conversation) },
    temperature: settings.temperature,
    maxTokens: MAX_TOKENS,
  })
  if (notes.trim() === '') throw new LlmError('unparsable', 'The model of wiki said nothing of a conversation.', '')
  if (notes.trim() !== NOTHING) files.log(notes, conversation)
}

/** Lets the editor work every log that has changed into the articles, oldest first: all of a log or nothing. */
export async function compile(parts: WikiParts): Promise<void> {
  for (const log of parts.files.changedLogs()) {
    const draft = parts.files.draft()
    await compileLog(log, { ...parts, files: draft })
    draft.markCompiled(log)
    parts.files.adopt(draft)
  }
}

async function compileLog(log: WikiFile, { model, prompts, files, settings }: WikiParts): Promise<void> {
  const articles = files.articles().map(shown)
  await model.loop({
    step: 'compile',
    role: 'ingest',
    system: prompts.text('compile', { log: log.path }),
    data: {
      index: cleanText(files.index(log).text),
      articles: articles.join('\n') || '(none)',
      log: cleanText(log.text),
    },
    tools: writingTools(files, log),
    closing: 'Done.',
    rounds: settings.editing,
    temperature: settings.temperature,
    maxTokens: MAX_TOKENS,
  })
}

/** Articles as they are shown to the editor: each compilation shows all of them, and few have changed. */
const SHOWN = new WeakMap<WikiFile, string>()

function shown(file: WikiFile): string {
  const known = SHOWN.get(file)
  if (known !== undefined) return known
  const text = item(`[${file.path}]`, file.text)
  SHOWN.set(file, text)
  return text
}
