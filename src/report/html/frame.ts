import { chartDefinitions } from '../charts/patterns.js'
import { escapeHtml } from '../escape.js'
import { theme } from '../theme.js'

const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"

/** The beginning of any page: what it may do, how it looks, and its title. */
export function pageHead(title: string, above: readonly string[]): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="memscope">
<title>${escapeHtml(title)} · Memscope</title>
<style>${theme()}</style>
</head>
<body>
${chartDefinitions()}
<header>
${above.join('')}<h1>${escapeHtml(title)}</h1>
</header>
`
}

export const PAGE_END = '</main>\n</body>\n</html>\n'
