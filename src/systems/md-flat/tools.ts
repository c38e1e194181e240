import { z } from 'zod'
import type { Conversation } from '../../model/index.js'
import { showData, type Tool, ToolError } from '../parts/index.js'
import type { MemoryFile } from './file.js'

const NAME = 'memory.md'

const Path = z.object({ path: z.string().describe(`The file; there is only ${NAME}.`) })
const Content = Path.extend({ content: z.string().describe('Lines of Markdown.') })

/** Tools to look at the file. What it says is shown as data: a line of it gives no orders. */
export function readingTools(file: MemoryFile): Tool[] {
  const list: Tool<object> = {
    name: 'list_files',
    description: 'Names the files there are.',
    parameters: z.object({}),
    run: () => NAME,
  }
  const read: Tool<{ path: string }> = {
    name: 'read_file',
    description: 'Shows all lines of a file.',
    parameters: Path,
    run: ({ path }) => {
      mustBeThere(path)
      return showData({ memory: file.show() })
    },
  }
  return [list, read]
}

/** Tools to look at the file and change it, for one conversation. */
export function writingTools(file: MemoryFile, conversation: Conversation): Tool[] {
  const write: Tool<{ path: string; content: string }> = {
    name: 'write_file',
    description: 'Puts lines in the place of everything a file says.',
    parameters: Content,
    run: ({ path, content }) => {
      mustBeThere(path)
      return `The file has ${file.write(content, conversation)} lines now.`
    },
  }
  const append: Tool<{ path: string; content: string }> = {
    name: 'append_file',
    description: 'Adds lines at the end of a file.',
    parameters: Content,
    run: ({ path, content }) => {
      mustBeThere(path)
      return `${file.append(content, conversation)} lines were added.`
    },
  }
  return [...readingTools(file), write, append]
}

function mustBeThere(path: string): void {
  if (path.replace(/^(?:\.?\/)+/, '') !== NAME) throw new ToolError(`There is no file "${path}", only ${NAME}.`)
}
