import { fileURLToPath } from 'node:url'
import { UserError } from '../../base/errors.js'
import { type OutsideSpec, settingsIn } from '../../base/outside-spec.js'
import type { SystemDefinition } from '../../model/index.js'
import { processPool } from './lines.js'
import { pythonFiles } from './python-files.js'
import { findPython } from './python-interpreter.js'
import { contentsOf, remoteDefinition } from './remote.js'

const EXAMPLE = 'For example: py:my_module:MyMemory, or py:my_module:MyMemory:python=.venv/bin/python:size=3'

/** What serves a class of Python over the protocol. */
const SHIM = fileURLToPath(new URL('./memscope_memory.py', import.meta.url))

/** A class or a function of Python, as a user names it. */
interface PythonTarget {
  module: string
  made: string
  options: Record<string, string>
}

/**
 * Loads a memory that is a class of Python: `py:my_module:MyMemory`, with `key=value` behind further colons or in brackets behind the scheme.
 * `python` says which interpreter, `env` which variables it gets; all else is the memory's.
 *
 * @param timeoutMs longest that it may take to open
 */
export async function loadPython(spec: OutsideSpec, cwd: string, timeoutMs: number): Promise<SystemDefinition> {
  const { module, made, options } = targetIn(spec.target)
  const { env, own } = settingsIn({ ...spec, options: { ...spec.options, ...options } })
  const { python, ...rest } = own
  const words = [findPython(python, cwd), SHIM, module, made]
  return remoteDefinition(
    {
      shown: `py:${module}:${made}`,
      name: made,
      given: spec.name,
      options: rest,
      content: [module.replace(/.*[\\/]/, ''), made, ...contentsOf(pythonFiles(module, cwd)).sort()],
      isProcess: true,
      connect: processPool({ words, cwd, env }),
    },
    timeoutMs,
  )
}

/** Values may hold colons: an option begins behind one where a name and an equals sign follow. */
function targetIn(target: string): PythonTarget {
  const [, module, made, rest] = /^([^:]+):([\w.]+)(?::(.*))?$/s.exec(target) ?? []
  const parts = rest?.split(/:(?=[A-Za-z_]\w*=)/) ?? []
  if (module === undefined || made === undefined || parts.some((part) => !/^[A-Za-z_]\w*=/.test(part)))
    throw new UserError(`Expected a module and a class behind "py:", got "${target}".`, EXAMPLE)
  const options = parts.map((part) => [part.slice(0, part.indexOf('=')), part.slice(part.indexOf('=') + 1)])
  return { module, made, options: Object.fromEntries(options) }
}
