import { isObject, parseJson } from '../json.js'

/** Where providers put what a call used: OpenAI and Anthropic, Google. */
const PLACES = ['usage', 'usageMetadata']

/** Stands in for usage where the provider's protocol does not go without; nothing of a prompt was counted, so it is counted here. */
const UNTOLD = { input_tokens: 0, output_tokens: 0 }

/** A `fetch` under which usage that cannot be read is as good as none: the reply may be paid for, so it is kept and its tokens counted here. */
export function withReadableUsage(request: typeof fetch, needed: boolean): typeof fetch {
  return async (input, init) => {
    const response = await request(input, init)
    if (!response.ok || response.body === null) return response
    const text = await response.text()
    const { status, statusText, headers } = response
    return new Response(readable(text, needed), { status, statusText, headers })
  }
}

function readable(text: string, needed: boolean): string {
  const body = parseJson(text)
  if (!isObject(body)) return text
  const garbled = PLACES.filter((place) => place in body && !isReadable(body[place]))
  if (garbled.length === 0) return text
  return JSON.stringify({ ...body, ...Object.fromEntries(garbled.map((place) => [place, needed ? UNTOLD : null])) })
}

/** Whether everything that is called tokens is a number, or holds such. */
function isReadable(usage: unknown): boolean {
  if (usage === null) return true
  if (Array.isArray(usage)) return usage.every(isReadable)
  if (!isObject(usage)) return false
  return Object.entries(usage).every(([name, value]) => {
    if (typeof value === 'object') return isReadable(value)
    // 1e400 is a number of JSON and none of ours.
    return typeof value === 'number' ? Number.isFinite(value) : !/token/i.test(name)
  })
}
