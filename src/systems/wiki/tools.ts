import { z } from 'zod'
import { cleanText } from '../../base/fence.js'
import { showData, type Tool, ToolError } from '../parts/index.js'
import { INDEX, isArticle, keptPath, type Origin, type WikiFiles } from './files.js'

const Path = z.object({ path: z.string().describe('The path of a file, such as concepts/tea.md.') })
const Pattern = z.object({ pattern: z.string().describe('* stands for a part of a name, ** for any path.') })
const Words = z.object({ text: z.string().describe('Text to look for; case does not matter.') })
const Content = Path.extend({ content: z.string().describe('All of its new content.') })
const Change = Path.extend({
  old: z.string().describe('Text of the file that is to be replaced; it must occur once.'),
  new: z.string().describe('What is to stand in its place.'),
})

/** Tools to look around. What a file says is shown as data; looking for text only names files, so that what was seen was opened. */
export function readingTools(files: WikiFiles): Tool[] {
  const read: Tool<z.infer<typeof Path>> = {
    name: 'read_file',
    description: 'Shows a file.',
    parameters: Path,
    run: ({ path }) => showData({ page: cleanText(files.open(path).text) }),
  }
  const glob: Tool<z.infer<typeof Pattern>> = {
    name: 'glob',
    description: 'Names the files whose paths match a pattern.',
    parameters: Pattern,
    run: ({ pattern }) => named(files.all().filter(({ path }) => matcher(pattern).test(path))),
  }
  const grep: Tool<z.infer<typeof Words>> = {
    name: 'grep',
    description: 'Names the files that hold a text.',
    parameters: Words,
    run: ({ text }) => named(files.all().filter((file) => file.text.toLowerCase().includes(text.toLowerCase()))),
  }
  return [read, glob, grep]
}

/** Tools of the editor: articles and the index can be written, logs cannot. */
export function writingTools(files: WikiFiles, origin: Origin): Tool[] {
  const write: Tool<z.infer<typeof Content>> = {
    name: 'write_file',
    description: 'Writes a file, a new one or all of an old one.',
    parameters: Content,
    run: ({ path, content }) => {
      mayWrite(path)
      files.put(path, content, origin)
      return `Wrote ${keptPath(path)}.`
    },
  }
  const edit: Tool<z.infer<typeof Change>> = {
    name: 'edit_file',
    description: 'Replaces one piece of a file.',
    parameters: Change,
    run: ({ path, old, new: text }) => {
      mayWrite(path)
      const before = files.open(path).text
      const pieces = old === '' ? 0 : before.split(old).length - 1
      if (pieces !== 1) throw new ToolError(`That text occurs ${pieces} times in ${path}, not once.`)
      files.put(
        path,
        before.replace(old, () => text),
        origin,
      )
      return `Wrote ${keptPath(path)}.`
    },
  }
  return [...readingTools(files), write, edit]
}

function mayWrite(path: string): void {
  if (keptPath(path) !== INDEX && !isArticle(path)) {
    throw new ToolError(`Only concepts/<name>.md, connections/<name>.md and ${INDEX} can be written, not ${path}.`)
  }
}

function named(files: readonly { path: string }[]): string {
  return files.length === 0 ? 'No file.' : files.map(({ path }) => path).join('\n')
}

function matcher(pattern: string): RegExp {
  const source = pattern
    .replace(/^(?:\.?\/)+/, '')
    .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replace(/\*\*\/|\*\*|\*/g, (stars) => (stars === '*' ? '[^/]*' : '.*'))
  return new RegExp(`^${source}$`)
}
