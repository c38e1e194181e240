import { z } from 'zod'
import { readData } from '../../src/base/data-file.js'

const Texts = z.array(z.string().min(1)).min(1)

const Wordings = z.strictObject({
  retracted: Texts,
  dislike: Texts,
  of_another: Texts,
  anyway: Texts,
  inverted: Texts,
  rule_of_another: Texts,
  link_lost: Texts,
  not_linked: Texts,
  taken_back: Texts,
  not_mine: Texts,
  extra: Texts,
  given_away: z.strictObject({ yes: Texts, no: Texts }),
})

/** A set of texts that say the same wrong thing. */
export type Pool = Exclude<keyof z.infer<typeof Wordings>, 'given_away'> | 'given_away yes' | 'given_away no'

/** In which words semantic defects are planted. */
export type Wordings = Readonly<Record<Pool, readonly string[]>>

/** Reads a file of wordings: all semantic defects come from it, and from nothing else. */
export function readWordings(file: URL): Wordings {
  const { given_away, ...pools } = readData(file, Wordings)
  return { ...pools, 'given_away yes': given_away.yes, 'given_away no': given_away.no }
}

/** The project's own. */
export const ownWordings = (): Wordings => readWordings(new URL('./wordings.json', import.meta.url))
