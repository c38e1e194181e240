import { words } from '../../base/text.js'
import type { Rehearsal } from '../../model/index.js'
import { dataIn, userSentences } from '../parts/index.js'

/** Facts that a model finds in one conversation, and lines it names for one question, at most. */
const MOST = 12
const MOST_LINES = 8

/** Reads the file, appends every sentence of the user, and later names the lines that share words with a question. */
export const mdFlatRehearsal: Rehearsal = ({ step, prompt, request }) => {
  const results = request.messages.filter(({ role }) => role === 'tool').length
  if (results === 0) return { calls: [{ name: 'read_file', input: { path: 'memory.md' } }] }
  const { conversation, question = '', memory = '' } = dataIn(prompt)
  if (step === 'retrieve') return { text: linesFor(question, memory).join('\n') || '(none)' }
  const facts = userSentences(conversation).slice(0, MOST)
  if (results > 1 || facts.length === 0) return { text: 'Done.' }
  const [, day] = /day of the conversation, which is (\S+)\./.exec(prompt) ?? []
  const content = facts.map((fact) => `[${day ?? 'undated'}] ${fact}`).join('\n')
  return { calls: [{ name: 'append_file', input: { path: 'memory.md', content } }] }
}

function linesFor(question: string, memory: string): string[] {
  const asked = new Set(words(question).filter((word) => word.length > 3))
  const shares = (line: string) => words(line).filter((word) => asked.has(word)).length
  const scored = memory.split('\n').map((line) => ({ line, score: shares(line) }))
  const found = scored.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score)
  return found.slice(0, MOST_LINES).map(({ line }) => line)
}
