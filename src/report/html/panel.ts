import type { PanelAgreement } from '../../model/index.js'
import type { ReportData } from '../data.js'
import { escapeHtml } from '../escape.js'
import { votedOn } from '../findings.js'
import { count, NONE, plural, shortNames } from '../format.js'
import { more, section, share, table } from './parts.js'

/** Patterns that are seen at once; the others open. */
const MOST = 8

/** How the judges of a panel agreed. Nothing when one judge decided. */
export function panel(data: ReportData): string {
  if (!data.summary.panel) return ''
  const { facts, answers } = data.summary.panel
  return section(
    'panel',
    'How the judges agree',
    'The majority decides. Kappa is Cohen’s: agreement of a pair beyond what chance gives, 1 at most; “–” when one of the two always said the same. Who said “unclear” or gave nothing usable has no vote. Patterns are what the judges said of one thing, most frequent first.',
    (facts ? part('facts', facts) : '') + (answers ? part(votedOn(answers), answers) : ''),
  )
}

function part(what: string, { judges, n, unanimous, pairs, patterns }: PanelAgreement): string {
  const short = shortNames(judges)
  const pairRows = pairs.map(({ judges: [a, b], n: both, agreement, kappa }) => [
    escapeHtml(short.get(a) ?? a),
    escapeHtml(short.get(b) ?? b),
    count(both),
    both === 0 ? NONE : share(agreement),
    kappa === null ? NONE : kappa.toFixed(2),
  ])
  const patternRows = patterns.map(({ labels, n: times }) => [
    escapeHtml(labels[0]?.replaceAll('_', ' ') ?? 'no verdict'),
    ...labels.slice(1).map((label) => escapeHtml(label?.replaceAll('_', ' ') ?? 'no verdict')),
    count(times),
    share(times / n),
  ])
  const heads = [...judges.map((judge) => ({ head: short.get(judge) ?? judge })), ...numbers(what, '%')]
  const draw = (rows: string[][], caption: string) => table(caption, heads, rows)
  const rest = patternRows.slice(MOST)
  return `<div class="task"><h3>${what} <span class="ci">${count(n)} judged, all judges alike on ${share(unanimous / Math.max(1, n))} %</span></h3>${table(
    `Agreement of pairs of judges on ${what}`,
    [{ head: 'judge' }, { head: 'and' }, ...numbers(what, 'agree %', 'kappa')],
    pairRows,
  )}<h4 class="after">Patterns</h4>${draw(patternRows.slice(0, MOST), `What the judges said of ${what}, together`)}${
    rest.length > 0 ? more(plural(rest.length, 'rarer pattern'), draw(rest, `Rarer patterns of ${what}`)) : ''
  }</div>`
}

function numbers(...heads: string[]) {
  return heads.map((head) => ({ head, num: true }))
}
