import { escapeHtml } from '../escape.js'

/**
 * A memory's text with its quotes highlighted, as HTML. A long text is cut to what surrounds the first quote. A quote that does not
 * stand in the text word for word is left out rather than guessed at.
 *
 * @example excerpt('I run when it rains.', ['when it rains'], 400) // 'I run <mark>when it rains</mark>.'
 */
export function excerpt(text: string, quotes: readonly string[], most: number): string {
  const spans = merged(quotes.flatMap((quote) => find(text, quote)))
  const [from, to] = frame(text, spans[0], most)
  let out = from > 0 ? '…' : ''
  let at = from
  for (const [start, end] of spans) {
    if (end <= from || start >= to) continue
    out += `${escapeHtml(text.slice(at, Math.max(at, start)))}<mark>${escapeHtml(text.slice(Math.max(start, at), Math.min(end, to)))}</mark>`
    at = Math.min(end, to)
  }
  return out + escapeHtml(text.slice(at, to)) + (to < text.length ? '…' : '')
}

type Span = [start: number, end: number]

function find(text: string, quote: string): Span[] {
  if (quote === '') return []
  const at = text.indexOf(quote)
  if (at >= 0) return [[at, at + quote.length]]
  const folded = text.toLowerCase()
  // Lower-casing may change the length of some scripts; positions would then lie.
  const loose = folded.length === text.length ? folded.indexOf(quote.toLowerCase()) : -1
  return loose >= 0 ? [[loose, loose + quote.length]] : []
}

function merged(spans: Span[]): Span[] {
  const out: Span[] = []
  for (const [start, end] of spans.sort((a, b) => a[0] - b[0])) {
    const last = out.at(-1)
    if (last && start <= last[1]) last[1] = Math.max(last[1], end)
    else out.push([start, end])
  }
  return out
}

function frame(text: string, first: Span | undefined, most: number): Span {
  if (text.length <= most) return [0, text.length]
  const from = whole(text, Math.max(0, Math.min((first?.[0] ?? 0) - Math.floor(most / 4), text.length - most)))
  return [from, whole(text, from + most)]
}

// Never cuts a surrogate pair in two.
function whole(text: string, at: number): number {
  return at > 0 && at < text.length && /[\uDC00-\uDFFF]/.test(text[at]!) ? at - 1 : at
}
