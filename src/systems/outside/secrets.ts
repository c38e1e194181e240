import { UserError } from '../../base/errors.js'

/** A shorter part of a value is a word. */
const SHORTEST = 8

/** Takes values that the user passed on out of texts, and the token in "Bearer token", also as they stand in JSON. */
export function secretRemover(values: readonly string[]): (text: string) => string {
  const parts = values.flatMap((value) => [value, ...value.split(/\s+/)]).filter(({ length }) => length >= SHORTEST)
  const secrets = parts.flatMap((part) => [part, JSON.stringify(part).slice(1, -1)])
  return (text) => secrets.reduce((clean, secret) => clean.replaceAll(secret, '[redacted]'), text)
}

/** Headers with their values, which are read from the environment when they are sent and written nowhere. */
export function headerValues(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([header, variable]) => {
      const value = process.env[variable]
      if (value === undefined) throw new UserError(`The variable ${variable}, for the header ${header}, is not set.`)
      return [header, value]
    }),
  )
}
