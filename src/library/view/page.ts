import { readFileSync } from 'node:fs'
import { chartDefinitions } from '../../report/charts/patterns.js'
import { viewerStyles } from '../../report/theme.js'

/** A file of the viewer's page. */
export interface PageFile {
  text: string
  type: string
}

const TYPES = { html: 'text/html; charset=utf-8', js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8' }

/** A file of the page by its path; there are no others, whatever is asked for. */
export function pageFile(path: string): PageFile | null {
  if (path === '/' || path === '/index.html') return { text: pageHtml(), type: TYPES.html }
  if (path === '/app.js') return { text: appScript(), type: TYPES.js }
  if (path === '/app.css') return { text: appStyles(), type: TYPES.css }
  return null
}

/** @param scripts files that stand before the app, for a page that has its data beside it */
export function pageHtml(scripts: readonly string[] = [], policy = ''): string {
  const meta = policy === '' ? '' : `\n<meta http-equiv="Content-Security-Policy" content="${policy}">`
  const loaded = [...scripts, 'app.js'].map((src) => `<script src="${src}" defer></script>`).join('\n')
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">${meta}
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>Memscope</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="app.css">
${loaded}
</head>
<body>
${chartDefinitions()}
<div id="app"><p class="wait">Reading …</p></div>
<noscript>The viewer needs scripts. The report does not: memscope report last --html report.html</noscript>
</body>
</html>
`
}

/** The script of the viewer’s page, as it was built. */
export function appScript(): string {
  return readFileSync(new URL('../../view/app.js', import.meta.url), 'utf8')
}

/** The style sheet of the viewer’s page. */
export function appStyles(): string {
  return viewerStyles(readFileSync(new URL('../../view/app/app.css', import.meta.url), 'utf8'))
}
