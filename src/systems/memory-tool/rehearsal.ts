import { sentences } from '../../base/text.js'
import type { Rehearsal } from '../../model/index.js'
import { dataIn, itemsIn } from '../parts/index.js'
import { ROOT } from './files.js'

/** Facts that a model finds in one conversation, and files it opens for one question, at most. */
const MOST = 12
const MOST_FILES = 8
const NOTES = `${ROOT}/notes.md`

/** Looks at the folder, adds every sentence of the user to one file of notes, and later views the files it sees. */
export const memoryToolRehearsal: Rehearsal = ({ step, prompt, request }) => {
  const call = (input: object) => ({ name: 'memory', input })
  const results = request.messages.filter(({ role }) => role === 'tool').length
  if (results === 0) return { calls: [call({ command: 'view', path: ROOT })] }
  const { conversation, memory = '' } = dataIn(prompt)
  const files = [...memory.matchAll(/\t(\/memories\/\S+\.md)$/gm)].map(([, path]) => path!)
  if (results > 1) return { text: 'Done.' }
  if (step === 'retrieve') {
    const opened = files.slice(0, MOST_FILES).map((path) => call({ command: 'view', path }))
    return opened.length > 0 ? { calls: opened } : { text: 'Done.' }
  }
  const said = itemsIn(conversation).filter(({ mark }) => mark === 'user:')
  const facts = said.flatMap(({ text }) => sentences(text)).slice(0, MOST)
  const text = facts.map((fact) => `- ${fact}`).join('\n')
  if (text === '') return { text: 'Done.' }
  const added = { command: 'insert', path: NOTES, insert_line: 0, insert_text: text }
  return { calls: [call(files.includes(NOTES) ? added : { command: 'create', path: NOTES, file_text: text })] }
}
