/** JSON found in a reply, or why there is none. */
export type FoundJson = { ok: true; value: unknown } | { ok: false; why: string }

/** The one JSON value in a reply. More than one candidate is refused rather than chosen from: what a model quotes must not become its verdict. */
export function findJson(text: string): FoundJson {
  const trimmed = text.trim()
  if (trimmed === '') return { ok: false, why: 'The reply is empty.' }
  const whole = parse(trimmed)
  if (whole.ok) return whole
  const fenced = [...trimmed.matchAll(/```(?:json)?[ \t]*\r?\n([\s\S]*?)```/gi)].map((match) => match[1]!)
  const candidates = fenced.length > 0 ? fenced : jsonSpans(trimmed).map(({ from, to }) => trimmed.slice(from, to))
  if (candidates.length === 0) return { ok: false, why: `The reply is not JSON (${whole.why}).` }
  if (candidates.length > 1)
    return { ok: false, why: 'The reply holds more than one JSON value. Expected exactly one.' }
  const found = parse(candidates[0]!)
  return found.ok ? found : { ok: false, why: `The reply is not valid JSON (${found.why}).` }
}

function parse(text: string): FoundJson {
  try {
    return { ok: true, value: JSON.parse(text) }
  } catch (error) {
    return { ok: false, why: error instanceof Error ? error.message : String(error) }
  }
}

/** Stretches of text from an outermost opening bracket to its closing one, quotes respected. An unclosed one reaches to the end. */
export function jsonSpans(text: string): { from: number; to: number }[] {
  const found: { from: number; to: number }[] = []
  let depth = 0
  let from = 0
  let quoted = false
  for (let i = 0; i < text.length; i++) {
    const char = text[i]
    if (depth > 0 && quoted) {
      if (char === '\\') i++
      else if (char === '"') quoted = false
    } else if (depth > 0 && char === '"') quoted = true
    else if (char === '{' || char === '[') {
      if (depth++ === 0) from = i
    } else if ((char === '}' || char === ']') && depth > 0 && --depth === 0) found.push({ from, to: i + 1 })
  }
  if (depth > 0) found.push({ from, to: text.length })
  return found
}

/** What a text is as JSON; undefined when it is none. */
export function parseJson(text: string): unknown {
  const found = parse(text)
  return found.ok ? found.value : undefined
}

/** Whether a value is an object with names, no list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
