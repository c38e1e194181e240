/** Variables of the environment that every process of a memory gets, where they are set. */
const PASSED =
  /^(?:PATH|HOME|USER|LANG|LC_\w+|TMPDIR|TMP|TEMP|TZ|VIRTUAL_ENV|PYTHONPATH|SystemRoot|COMSPEC|PATHEXT|APPDATA|LOCALAPPDATA)$/i

/**
 * The environment of a memory's process: what any program needs, what the user named, and what it is given. Keys and tokens of this program
 * do not reach it.
 *
 * @param names variables that the user passes on
 */
export function processEnvironment(
  names: readonly string[],
  given: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const passed = Object.entries(process.env).filter(([name]) => PASSED.test(name) || names.includes(name))
  return { ...(Object.fromEntries(passed) as Record<string, string>), ...given }
}
