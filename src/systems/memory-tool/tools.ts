import { z } from 'zod'
import type { Conversation, Memory } from '../../model/index.js'
import { showData, type Tool, ToolError } from '../parts/index.js'
import { type MemoryFiles, ROOT } from './files.js'

const Path = z.string().describe(`A path that begins with ${ROOT}.`)
const Range = z.array(z.int()).length(2).optional().describe('First and last line to see; -1 is the end of the file.')

const View = z.object({ command: z.literal('view'), path: Path, view_range: Range })

/** All commands in one flat object, which every provider takes; what each of them needs is said where it is missing. */
const Command = z.object({
  command: z.enum(['view', 'create', 'str_replace', 'insert', 'delete', 'rename']),
  path: Path.optional().describe(`${ROOT}/…, for all commands but rename.`),
  view_range: Range,
  file_text: z.string().optional().describe('For create: what the new file says.'),
  old_str: z.string().optional().describe('For str_replace: text that is in the file once.'),
  new_str: z.string().optional().describe('For str_replace: what takes its place; nothing deletes it.'),
  insert_line: z.int().min(0).optional().describe('For insert: the line after which, 0 for the beginning.'),
  insert_text: z.string().optional().describe('For insert.'),
  old_path: z.string().optional().describe('For rename.'),
  new_path: z.string().optional().describe('For rename: where nothing is yet.'),
})

type Command = z.infer<typeof Command>

const NAME = 'memory'

/** The tool with all its commands, for one conversation. */
export function writingTool(files: MemoryFiles, conversation: Conversation): Tool {
  const tool: Tool<Command> = {
    name: NAME,
    description: `Looks at files and folders under ${ROOT} (view) and changes them (create, str_replace, insert, delete, rename).`,
    parameters: Command,
    run: (given) => shown(done(files, given, conversation)),
  }
  return tool
}

/** The tool with `view` alone. */
export function readingTool(files: MemoryFiles, seen: (line: Memory) => void): Tool {
  const tool: Tool<z.infer<typeof View>> = {
    name: NAME,
    description: `Looks at files and folders under ${ROOT}.`,
    parameters: View,
    run: ({ path, view_range: range }) => {
      const view = files.view(path, range && [range[0]!, range[1]!])
      for (const line of view.seen) seen(line)
      return shown(view.shown)
    },
  }
  return tool
}

function done(files: MemoryFiles, given: Command, conversation: Conversation): string {
  const need = <K extends keyof Command>(key: K): NonNullable<Command[K]> => {
    const value = given[key]
    if (value === undefined || value === null) throw new ToolError(`${given.command} needs ${key}.`)
    return value
  }
  switch (given.command) {
    case 'view':
      return files.view(need('path'), given.view_range && [given.view_range[0]!, given.view_range[1]!]).shown
    case 'create':
      return files.create(need('path'), need('file_text'), conversation)
    case 'str_replace':
      return files.replace(need('path'), need('old_str'), given.new_str ?? '', conversation)
    case 'insert':
      return files.insert(need('path'), need('insert_line'), need('insert_text'), conversation)
    case 'delete':
      return files.delete(need('path'))
    case 'rename':
      return files.rename(need('old_path'), need('new_path'))
  }
}

/** What files say is shown as data: a line of one gives no orders. */
function shown(text: string): string {
  return showData({ memory: text })
}
