import { episodeCost } from '../../analysis/costs.js'
import { moneyChart } from '../charts/money.js'
import { costsOf, dollars } from '../costs.js'
import type { ReportData, ReportFigure } from '../data.js'
import { html } from '../escape.js'
import { depthWords, NONE } from '../format.js'
import { anchor, more, table } from './parts.js'

const ABOUT =
  'Storing, retrieving and answering over one scenario, as if nothing had been cached; judging is left out. Ours are in prices of the table that this run used, the paper’s in those of its own time, for its own models and conversations: compare how many times dearer one system is than another, not dollars.'

/** What an episode costs, ours where the price is known, beside what the paper tells. */
export function episodeCosts(data: ReportData, suite: string, published: readonly ReportFigure[]): string {
  const lines = costsOf(data).find((costs) => costs.suite === suite)?.shown ?? []
  const ours = lines.flatMap((line) => {
    const cost = episodeCost(line)
    return cost ? [{ name: line.label, depth: depthWords(line.depth), cost }] : []
  })
  const theirs = published.map(({ source, system, model, at = {}, value }) => ({
    name: `${system}${at.inside === undefined ? '' : ` · ${at.inside}`} (paper)`,
    setting: [model, ...Object.entries(at).map(([key, told]) => `${key} ${told}`), source].filter(Boolean).join(', '),
    value,
  }))
  const title = `${suite}: USD per episode`
  const amounts = [
    ...ours.map(({ name, cost }, look) => ({ name, look, usd: cost.total })),
    ...theirs.map(({ name, value }) => ({ name, look: 'reference' as const, usd: value })),
  ]
  const picture = moneyChart({
    id: anchor('figures', title),
    title,
    desc: `${amounts.map(({ name, usd }) => `${name} ${dollars(usd)}`).join(', ')}. All values are in the table below.`,
    amounts,
    words: dollars,
  })
  const rows = [
    ...ours.map(({ name, depth, cost }) => [
      `<b>${html(name)}</b> <span class="ci">${html(depth)}</span>`,
      ...[cost.ingest, cost.inference, cost.total].map(dollars),
    ]),
    ...theirs.map(({ name, setting, value }) => [
      `${html(name)} <span class="ci">${html(setting)}</span>`,
      NONE,
      NONE,
      dollars(value),
    ]),
  ]
  const heads = ['ingest', 'inference', 'together'].map((head) => ({ head, num: true }))
  return `<div class="charts"><figure><figcaption>${html(title)}</figcaption>${picture}<p class="note">${html(ABOUT)}</p>${more(
    'as a table',
    table(`${title}, ours and published`, [{ head: 'system' }, ...heads], rows),
  )}</figure></div>`
}
