import { existsSync } from 'node:fs'
import { delimiter, isAbsolute, join, resolve } from 'node:path'
import { UserError } from '../../base/errors.js'

/**
 * The interpreter: the one that was asked for, else that of the virtual environment that is active or lies in the working folder, else
 * `python3` or `python`.
 *
 * @param asked a path, or a name that is looked for on `PATH`
 */
export function findPython(asked: string | undefined, cwd: string, environment = process.env): string {
  const isWindows = process.platform === 'win32'
  const inside = (folder: string) => join(folder, ...(isWindows ? ['Scripts', 'python.exe'] : ['bin', 'python']))
  const onPath = (name: string) =>
    (environment.PATH ?? '')
      .split(delimiter)
      .filter((folder) => isAbsolute(folder))
      .map((folder) => join(folder, isWindows ? `${name}.exe` : name))
      .find((file) => existsSync(file))
  if (asked !== undefined) {
    const found = /[\\/]/.test(asked) ? [resolve(cwd, asked)].find((file) => existsSync(file)) : onPath(asked)
    if (found) return found
    throw new UserError(
      `There is no interpreter "${asked}".`,
      'Give a path relative to where you are, or a name on PATH.',
    )
  }
  const active = environment.VIRTUAL_ENV
  const found = [...(active ? [inside(active)] : []), inside(join(cwd, '.venv'))].find((file) => existsSync(file))
  const python = found ?? onPath('python3') ?? onPath('python')
  if (python) return python
  throw new UserError(
    'There is no Python: neither an active virtual environment, nor .venv here, nor python3 or python on PATH.',
    'Install Python 3.9 or newer, or name the interpreter: py:my_module:MyMemory:python=/path/to/python',
  )
}
