import { withoutCommands } from '../base/text.js'

const HTML: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

// Control characters, lone surrogates and non-characters: no document format can carry them.
const UNFIT =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is being looked for
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\uFFFE\uFFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g

/** Text made harmless as HTML content or as a quoted attribute. Characters no page may hold become U+FFFD. */
export function escapeHtml(text: string): string {
  return text.replace(UNFIT, '\uFFFD').replace(/[&<>"']/g, (sign) => HTML[sign]!)
}

/** Text made fit for XML 1.0, as content or as a quoted attribute. Characters XML forbids are left out. */
export function escapeXml(text: string): string {
  return text.replace(UNFIT, '').replace(/[&<>"']/g, (sign) => HTML[sign]!)
}

/** Text made fit for one cell of a Markdown table: no markup of its own, no line breaks. */
export function escapeMarkdown(text: string): string {
  return text
    .replace(UNFIT, '')
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_[\]|~]/g, '\\$&')
    .replace(/[&<>]/g, (sign) => HTML[sign]!)
}

// They turn the direction of what follows, far beyond the text they stand in.
const TURNING = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g

/** Text made harmless for a terminal and the log of a CI: no escape sequences, no control characters, nothing that turns its direction, one line. */
export function escapeForTerminal(text: string): string {
  return withoutCommands(text.replace(UNFIT, '').replace(TURNING, '').replace(/\s+/g, ' '))
}
