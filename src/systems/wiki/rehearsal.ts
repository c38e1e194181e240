import { words } from '../../base/text.js'
import type { Rehearsal, RehearsedReply } from '../../model/index.js'
import { dataIn, userSentences } from '../parts/index.js'

/** Sentences noted of a conversation, and pages opened for a question, at most. */
const MOST = 12
const MOST_PAGES = 3
const SUMMARY = 120

const RULE = '|---|---|---|---|'

/** Notes what the user said, writes an article a day, and answers from pages whose row of the index shares words with the question. */
export const wikiRehearsal: Rehearsal = ({ step, prompt, request }) => {
  const data = dataIn(prompt)
  const results = request.messages.filter(({ role }) => role === 'tool')
  if (step === 'flush') return { text: notesOn(data.conversation) }
  if (step === 'compile')
    return results.length > 0 ? { text: 'Done.' } : article(prompt, data.index ?? '', data.log ?? '')
  if (results.length === 0) return { calls: [read('index.md')] }
  if (results.length > 1 || results[0]!.content.startsWith('Error'))
    return { text: 'The pages say what there is to say.' }
  const pages = rowsFor(data.question ?? '', data.page ?? '')
  return pages.length === 0 ? { text: 'The wiki does not say.' } : { calls: pages.map(read) }
}

function notesOn(conversation: string | undefined): string {
  const said = userSentences(conversation).slice(0, MOST)
  return said.length === 0 ? 'FLUSH_OK' : `**Key Exchanges:**\n${said.map((sentence) => `- ${sentence}`).join('\n')}`
}

function article(prompt: string, index: string, log: string): RehearsedReply {
  const [, day = 'day'] = /daily\/([\w-]+)\.md, which/.exec(prompt) ?? []
  const points = log.split('\n').filter((line) => line.startsWith('- '))
  const name = `concepts/${day}`
  const content = `---\ntitle: ${day}\nsources: [daily/${day}.md]\nupdated: ${day}\n---\n## Key Points\n${points.join('\n')}`
  const told = points.map((point) => point.slice(2).replaceAll('|', ' ')).join(' ')
  const write = { name: 'write_file', input: { path: `${name}.md`, content } }
  if (index.includes(`[[${name}]]`)) return { calls: [write] }
  const row = `${RULE}\n| [[${name}]] | ${told.slice(0, SUMMARY)} | daily/${day}.md | ${day} |`
  return { calls: [write, { name: 'edit_file', input: { path: 'index.md', old: RULE, new: row } }] }
}

function rowsFor(question: string, index: string): string[] {
  const asked = new Set(words(question).filter((word) => word.length > 3))
  return index
    .split('\n')
    .filter((row) => words(row).some((word) => asked.has(word)))
    .flatMap((row) => /\[\[([^\]]+)\]\]/.exec(row)?.[1] ?? [])
    .slice(0, MOST_PAGES)
}

function read(path: string): { name: string; input: unknown } {
  return { name: 'read_file', input: { path } }
}
