import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { UserError, unknownName } from '../../base/errors.js'
import { sha256 } from '../../base/hash.js'

/** What models are told, by the names of the files without their ending. */
export interface PromptFolder {
  text(name: string): string
  /** Version and hash of every prompt, for those who write down what made a file. */
  readonly used: Readonly<Record<string, { version: string; sha256: string }>>
}

/**
 * Reads the prompts of some folders of the package, `<name>.txt` each, with those of a user's folder in their place. The first line says the
 * version: `version: 1`. All else is told to the model as it stands; what it works on is sent beside it, as JSON.
 */
export function readPromptFolder(folders: readonly URL[], own?: string): PromptFolder {
  const ours = folders.flatMap((folder) => readdirSync(folder).map((name) => ({ name, path: new URL(name, folder) })))
  if (own !== undefined)
    requireKnown(
      own,
      ours.map(({ name }) => name),
    )
  const read = ({ name, path }: (typeof ours)[number]): [string, { version: string; text: string; sha256: string }] => {
    const mine = own === undefined ? undefined : join(own, name)
    const file = mine !== undefined && existsSync(mine) ? mine : fileURLToPath(path)
    const whole = readFileSync(file, 'utf8')
      .replace(/^\uFEFF/, '')
      .replaceAll('\r\n', '\n')
    const [, version, text] = /^version: *(\S+)\n([\s\S]+)$/.exec(whole) ?? []
    if (version === undefined || text === undefined || text.trim() === '')
      throw new UserError(
        `${file} is no prompt.`,
        'Its first line is its version, such as "version: 1"; then its text.',
      )
    return [name.slice(0, -'.txt'.length), { version, text: text.trim(), sha256: sha256(whole) }]
  }
  const prompts = new Map(ours.sort((a, b) => (a.name < b.name ? -1 : 1)).map(read))
  return {
    text(name) {
      const found = prompts.get(name)
      if (!found) throw new Error(`There is no prompt "${name}" among ${[...prompts.keys()].join(', ')}`)
      return found.text
    },
    used: Object.fromEntries(
      [...prompts].map(([name, { version, sha256: hash }]) => [name, { version, sha256: hash }]),
    ),
  }
}

function requireKnown(own: string, names: readonly string[]): void {
  if (!existsSync(own)) throw new UserError(`There is no folder of prompts ${own}.`, 'Check its path.')
  const given = readdirSync(own).filter((name) => name.endsWith('.txt'))
  if (given.length === 0)
    throw new UserError(`${own} has no prompts.`, `Those that can be replaced: ${names.join(', ')}.`)
  const other = given.find((name) => !names.includes(name))
  if (other !== undefined) throw unknownName('prompt', other, names)
}
