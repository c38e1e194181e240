import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { OUTCOMES, type Outcome } from '../../../model/score.js'
import { count, outcomeWords } from '../../../report/format.js'
import type { ListedRow } from '../../select-rows.js'
import type { PageProps } from '../app.js'
import { Choice, Strip, Tag } from '../page-parts.js'
import { chooseInAddress, href, type Params } from '../route.js'
import { isBundle, useAnswer } from '../source.js'
import { VirtualList } from '../virtual-list.js'
import { DepthSlider } from './matrix.js'

/** What narrows a list, as it stands in the address. */
export function listFilter({ run, task, system, outcome, depth, search }: Params): Params {
  return { run, task, system, outcome, depth, search }
}

/** Where a question is that stands in a list. */
export function questionAddress(row: Pick<ListedRow, 'scenario' | 'id' | 'system' | 'trial' | 'time'>): Params {
  const { scenario, id, system: by, trial, time } = row
  return { scenario, id, by, trial: trial ? String(trial) : '', time: time ? String(time) : '' }
}

/** Filters that lists of questions and facts share. */
export function Filters({ run, params, children }: PageProps & { children?: VNode }): VNode {
  const { suites, systems } = run.matrices.own!
  const tasks = suites.flatMap(({ name, tasks }) => [[name, `${name} (all)`], ...tasks.map(({ id }) => [id, id])])
  return html`<div class="filters">
    <${Choice} name="Task" value=${params.task ?? ''} options=${[['', 'all'], ...tasks]} onChoose=${(task: string) => chooseInAddress({ task, at: '' })} />
    <${Choice} name="System" value=${params.system ?? ''} options=${[['', 'all'], ...systems.map(({ label }) => [label, label])]}
      onChoose=${(system: string) => chooseInAddress({ system, at: '' })} />
    ${children}
    <${DepthSlider} depths=${run.depths} depth=${params.depth ?? ''} />
    <label class="choice"><span>Search</span>
      <input type="search" value=${params.search ?? ''}
        onInput=${(event: Event) => chooseInAddress({ search: (event.target as HTMLInputElement).value, at: '' })} /></label>
  </div>` as VNode
}

/** All questions that fit, however many. */
export function QuestionsPage({ run, params, version }: PageProps): VNode {
  const query = listFilter(params)
  const { data: counts = {} } = useAnswer<Partial<Record<Outcome | 'uncertain', number>>>(
    'counts',
    { ...query, outcome: undefined },
    version,
  )
  const all = OUTCOMES.reduce((sum, outcome) => sum + (counts[outcome] ?? 0), 0)
  const passed = (counts.correct ?? 0) + (counts.answerable ?? 0) + (counts.error ?? 0)
  const options = [
    ['', `all (${count(all)})`],
    ['failed', `failed (${count(all - passed)})`],
    ...OUTCOMES.filter((outcome) => counts[outcome]).map((outcome) => [
      outcome,
      `${outcomeWords(outcome)} (${count(counts[outcome]!)})`,
    ]),
    ['uncertain', `uncertain (${count(counts.uncertain ?? 0)})`],
  ]
  const line = (row: ListedRow, at: number) =>
    html`<a class="row"
      href=${href('question', { ...query, ...questionAddress(row), at: String(at) })}>
      <${Tag} outcome=${row.outcome} /><${Strip} along=${row.along} /><span class="words text">${row.text}</span><span class="ci place">
        ${row.task} · ${row.system}${row.uncertain ? ' · uncertain' : ''}</span></a>` as VNode
  return html`<h1 class="hidden">Questions</h1>
    <${Filters} run=${run} params=${params} version=${version}>
      <${Choice} name="Outcome" value=${params.outcome ?? ''} options=${options} onChoose=${(outcome: string) => chooseInAddress({ outcome, at: '' })} /></${Filters}>
    ${isBundle() && html`<p class="ci">${window.memscopeBundle!.holds}</p>`}
    <${VirtualList} what="rows" asked=${query} version=${version} label="Questions" line=${line} />` as VNode
}
