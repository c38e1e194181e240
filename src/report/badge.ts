import { escapeXml } from './escape.js'
import { clipText, percent } from './format.js'
import { matrixOf, measureWords } from './matrix.js'
import type { ReportData } from './report-data.js'

/** What a badge says: the best system over all questions, or that the run cannot be trusted. */
interface Badge {
  label: string
  message: string
  color: string
}

const COLORS = { good: '#2c7a5b', fair: '#8a6100', poor: '#a3372b', unknown: '#5c6670' }

/** A badge as SVG, or where it is to be drawn elsewhere as JSON for the endpoint of shields.io. */
export function renderBadge(data: ReportData, as: 'svg' | 'json'): string {
  const { label, message, color } = badgeOf(data)
  if (as === 'json') return `${JSON.stringify({ schemaVersion: 1, label, message, color: color.slice(1) })}\n`
  const [left, right] = [label, message].map((text) => Math.round(10 + 6.6 * text.length))
  const text = (x: number, words: string) =>
    `<text x="${x}" y="14" text-anchor="middle" fill="#fff">${escapeXml(words)}</text>`
  const title = escapeXml(`${label}: ${message}`)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${left! + right!}" height="20" role="img" aria-label="${title}"><title>${title}</title>`,
    `<clipPath id="r"><rect width="${left! + right!}" height="20" rx="3"/></clipPath><g clip-path="url(#r)">`,
    `<rect width="${left}" height="20" fill="#3b4148"/><rect x="${left}" width="${right}" height="20" fill="${color}"/></g>`,
    `<g font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">${text(left! / 2, label)}${text(left! + right! / 2, message)}</g></svg>\n`,
  ].join('')
}

function badgeOf(data: ReportData): Badge {
  const { status } = data.summary
  const matrix = matrixOf(data)
  const own = matrix.systems.filter(({ kind }) => kind === 'system')
  const [best] = own.filter(({ rate }) => rate !== null).sort((a, b) => b.rate! - a.rate!)
  if (status !== 'valid' || !best)
    return { label: 'memory', message: best ? `${status} run` : 'not measured', color: COLORS.unknown }
  const rate = best.rate!
  const name = own.length > 1 ? `${clipText(best.label, 30)} ` : ''
  const message = `${name}${percent(rate)} % ${clipText(measureWords(matrix), 40)}`
  return { label: 'memory', message, color: rate >= 0.8 ? COLORS.good : rate >= 0.5 ? COLORS.fair : COLORS.poor }
}
