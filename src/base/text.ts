/** Unicode-normalised, lower-cased, white space collapsed, typographic quotes and dashes made plain. */
export function fold(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\u2018\u2019\u02bc]/g, "'")
    .replace(/[\u201c\u201d]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim()
}

/** Words of a text, folded; numbers and inner apostrophes and hyphens kept. */
export function words(text: string): string[] {
  return fold(text).match(/[\p{L}\p{N}]+(?:['\-.:][\p{L}\p{N}]+)*/gu) ?? []
}

const ABBREVIATION = /(?:^|[\s("'])(?:mr|mrs|ms|dr|prof|st|jr|sr|vs|etc|no|vol|fig|approx|e\.g|i\.e|a\.m|p\.m|u\.s)\.$/i

/** Sentences of a text, in order, trimmed. Abbreviations, initials and decimal numbers do not end one. */
export function sentences(text: string): string[] {
  const found: string[] = []
  for (const line of text.split(/\n+/)) {
    let start = 0
    for (const match of line.matchAll(/[.!?]+["'\u201d\u2019)\]]*(?=\s+|$)/g)) {
      const end = match.index + match[0].length
      const head = line.slice(start, end)
      const next = line.slice(end).trimStart()
      const ends = next === '' || /^["'\u201c\u2018([]*[\p{Lu}\p{N}]/u.test(next)
      if (!ends || (match[0].startsWith('.') && ABBREVIATION.test(head)) || /(?:^|\s)\p{Lu}\.$/u.test(head)) continue
      if (head.trim()) found.push(head.trim())
      start = end
    }
    const rest = line.slice(start).trim()
    if (rest) found.push(rest)
  }
  return found
}
