import type { PanelAgreement } from '../../model/index.js'
import type { ReportData } from '../data.js'
import { escapeHtml } from '../escape.js'
import { votedOn } from '../findings.js'
import { count, NONE, percent, plural, shortNames } from '../format.js'
import { block, more, section, share, table } from './parts.js'

/** Patterns that are seen at once; the others open. */
const MOST = 8

/** How the judges of a panel agreed. Nothing when one judge decided. */
export function panel(data: ReportData): string {
  if (!data.summary.panel) return ''
  const { facts, answers } = data.summary.panel
  return section(
    'panel',
    'How the judges agree',
    [
      'The majority decides.',
      'Kappa is Cohen’s: agreement of a pair beyond what chance gives, 1 at most; “–” when one of the two always said the same.',
      'Who said “unclear” or gave nothing usable has no vote.',
      'Patterns are what the judges said of one thing, most frequent first.',
    ],
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
    ...labels.map((label) => escapeHtml(label?.replaceAll('_', ' ') ?? 'no verdict')),
    count(times),
    share(times / n),
  ])
  const heads = [...judges.map((judge) => short.get(judge) ?? judge), what, '%']
  const draw = (rows: string[][], caption: string) => table(caption, heads, rows, { names: judges.length })
  const pairHeads = ['judge', 'and', what, 'agree %', 'kappa']
  const rest = patternRows.slice(MOST)
  return block(
    what,
    `${count(n)} judged, all judges alike on ${percent(unanimous / Math.max(1, n))} %`,
    [
      table(`Agreement of pairs of judges on ${what}`, pairHeads, pairRows, { names: 2 }),
      '<h4 class="after">Patterns</h4>',
      draw(patternRows.slice(0, MOST), `What the judges said of ${what}, together`),
      rest.length > 0 ? more(plural(rest.length, 'rarer pattern'), draw(rest, `Rarer patterns of ${what}`)) : '',
    ].join(''),
  )
}
