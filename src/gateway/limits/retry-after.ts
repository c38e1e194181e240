/** Milliseconds a provider asks to wait: `retry-after-ms`, or `Retry-After` as seconds or HTTP date; null when it does not say. */
export function retryAfterMs(headers: Readonly<Record<string, string>> | undefined, now: number): number | null {
  if (!headers) return null
  const named = (name: string) =>
    Object.entries(headers)
      .find(([key]) => key.toLowerCase() === name)?.[1]
      ?.trim()
  const exact = named('retry-after-ms')
  if (exact && isNumber(exact)) return Math.max(0, Number(exact))
  const said = named('retry-after')
  if (!said) return null
  if (isNumber(said)) return Math.max(0, Number(said) * 1000)
  const date = Date.parse(said)
  return Number.isNaN(date) ? null : Math.max(0, date - now)
}

/** The same where it stands in the body of an error, as Gemini has it: `"retryDelay": "34.5s"`. */
export function retryDelayMs(body: string): number | null {
  const seconds = /"retryDelay"\s*:\s*"(\d+(?:\.\d+)?)s"/.exec(body)?.[1]
  return seconds === undefined ? null : Number(seconds) * 1000
}

const isNumber = (text: string) => /^\d+(?:\.\d+)?$/.test(text)
