import type { SuiteSection, TableCell } from '../model/index.js'
import { escapeMarkdown } from './escape.js'
import { tablesIn } from './part-tables.js'

/** The tables of a section. Pictures are for pages. */
export function sectionLines({ title, intro, parts }: SuiteSection): string[] {
  const text = (cell: TableCell) => {
    if (typeof cell === 'string') return escapeMarkdown(cell)
    const said = cell.strong ? `**${escapeMarkdown(cell.text)}**` : escapeMarkdown(cell.text)
    return cell.beside === undefined ? said : `${said} (${escapeMarkdown(cell.beside)})`
  }
  const tables = tablesIn(parts).flatMap(({ title: own, columns, names = 1, rows }) => [
    `${escapeMarkdown(own)}.`,
    '',
    ...markdownRow(columns.map(escapeMarkdown)),
    ...markdownRow(columns.map((_, at) => (at < names ? '---' : '---:'))),
    ...rows.flatMap((cells) => markdownRow(cells.map(text))),
    '',
  ])
  if (tables.length === 0 && parts.length > 0) return []
  return [`## ${escapeMarkdown(title)}`, '', ...(intro === undefined ? [] : [escapeMarkdown(intro), '']), ...tables]
}

/** A row of a table, of cells that are Markdown already. */
export function markdownRow(texts: readonly string[]): string[] {
  return [`| ${texts.join(' | ')} |`]
}
