import { commandWords, type OutsideSpec, settingsIn } from '../../base/outside-spec.js'
import { findOwnFile } from '../../base/own-file.js'
import { SYSTEM_TIMEOUT_MS, type SystemDefinition } from '../../model/index.js'
import { serverAt } from './http.js'
import { processPool } from './lines.js'
import { loadPython } from './python.js'
import { contentsOf, filesNamed, nameFor, remoteDefinition } from './remote.js'

/**
 * Loads a memory that lives outside of this program.
 *
 * @param timeoutMs longest that it may take to open
 */
export async function loadOutside(
  spec: OutsideSpec,
  cwd: string,
  timeoutMs = SYSTEM_TIMEOUT_MS,
): Promise<SystemDefinition> {
  if (spec.scheme === 'mcp') return (await import('../mcp/index.js')).loadMcp(spec, cwd, timeoutMs)
  if (spec.scheme === 'py') return loadPython(spec, cwd, timeoutMs)
  const { env, headers, own } = settingsIn(spec)
  if (spec.scheme === 'http') {
    const { hostname, port } = new URL(spec.target)
    const server = { url: spec.target, headers }
    const about = { shown: spec.target, name: nameFor(`${hostname}-${port}.`), given: spec.name, content: spec.target }
    return remoteDefinition({ ...about, options: own, isProcess: false, connect: serverAt(server) }, timeoutMs)
  }
  const words = commandWords(spec.target)
  if (/^\.{0,2}\//.test(words[0]!)) words[0] = findOwnFile(words[0]!, cwd)
  const files = filesNamed(words, cwd)
  const about = { shown: `cmd:${spec.target}`, name: nameFor(files[0] ?? words[0]!), given: spec.name }
  const content = [spec.target, ...contentsOf(files)]
  const connect = processPool({ words, cwd, env })
  return remoteDefinition({ ...about, options: own, content, isProcess: true, connect }, timeoutMs)
}
