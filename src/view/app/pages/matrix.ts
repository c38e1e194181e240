import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { OUTCOMES } from '../../../model/score.js'
import { count, percent, percentRange, quantity } from '../../../report/format.js'
import type { ShownCell, ShownMatrix, ShownTask } from '../../overview.js'
import type { PageProps } from '../app.js'
import { Choice, Legend, MixBar, Rate } from '../page-parts.js'
import { chooseInAddress, href, type Params } from '../route.js'

/** The run at a glance: what was found, tasks down and systems across, at any depth. */
export function MatrixPage({ run, params }: PageProps): VNode {
  const depth = params.depth ?? ''
  const matrix = run.matrices[depth === '' ? 'own' : depth] ?? run.matrices.own!
  const words = params.search?.toLowerCase() ?? ''
  const suites = matrix.suites
    .filter(({ name }) => !params.suite || name === params.suite)
    .map((suite) => ({
      ...suite,
      tasks: suite.tasks.filter(({ id, about }) => `${id} ${about}`.toLowerCase().includes(words)),
    }))
    .filter(({ tasks }) => tasks.length > 0)
  const shown = matrix.systems.map(({ label }) => !params.system || label === params.system)
  const used = new Set(
    matrix.suites.flatMap(({ tasks }) =>
      tasks.flatMap(({ cells }) => cells.flatMap((cell) => cell?.mix.map(({ outcome }) => outcome) ?? [])),
    ),
  )
  const isPublished = params.published !== 'off'
  return html`<h1 class="hidden">Matrix</h1>
    <ul class="story">${run.sentences.map((sentence) => html`<li class="text">${sentence}</li>`)}</ul>
    <div class="filters">
      <${DepthSlider} depths=${run.depths} depth=${depth} />
      <${Choice} name="Suite" value=${params.suite ?? ''} options=${[['', 'all'], ...matrix.suites.map(({ name }) => [name, name])]}
        onChoose=${(suite: string) => chooseInAddress({ suite })} />
      <${Choice} name="System" value=${params.system ?? ''} options=${[['', 'all'], ...matrix.systems.map(({ label }) => [label, label])]}
        onChoose=${(system: string) => chooseInAddress({ system })} />
      <label class="choice"><span>Search</span>
        <input type="search" value=${params.search ?? ''} onInput=${(event: Event) => chooseInAddress({ search: (event.target as HTMLInputElement).value })} /></label>
      <label class="tick">
        <input type="checkbox" checked=${isPublished} onChange=${() => chooseInAddress({ published: isPublished ? 'off' : '' })} /> published figures</label>
    </div>
    <${Legend} outcomes=${OUTCOMES.filter((outcome) => used.has(outcome))} />
    <p class="intro">${matrix.measure} in per cent, with its 95 % interval; the letter is the stage at which most is lost. Each field opens its failures.</p>
    <div class="scroll" role="region" aria-label="Tasks and systems" tabindex="0"><table class="matrix"><thead><tr><th scope="col">task</th>
      <th scope="col" class="num">n</th><th scope="col" class="num">ceiling</th><th scope="col" class="num">guesser</th>
      ${matrix.systems.map(
        ({ label, kind }, at) =>
          shown[at] &&
          html`<th scope="col" title=${run.systems.find((one) => one.label === label)?.about}>
        ${label}${kind === 'yardstick' && html` <span class="ci">yardstick</span>`}</th>`,
      )}</tr></thead>
      <tbody>
        ${suites.map(({ name, depth: at, tasks }) =>
          tasks.map(
            (task) => html`<${Line} key=${task.id} task=${task} suite=${name} at=${at}
          shown=${shown} systems=${matrix.systems} params=${params} isPublished=${isPublished} />`,
          ),
        )}</tbody>
      <tfoot><${Foot} matrix=${matrix} shown=${shown} /></tfoot></table></div>
    ${
      run.example &&
      html`<section><h2>One failure <span class="ci">${run.example.task}, ${run.example.system}</span></h2><dl class="example"><dt>asked</dt>
        <dd class="text">${run.example.question}</dd><dt>needed</dt><dd class="text">${run.example.fact}</dd><dt>lost</dt><dd>${run.example.way}</dd>
        ${run.example.instead && html`<dt>found instead</dt><dd class="text">${run.example.instead.slice(0, 300)}</dd>`}</dl>
      <p>
        <a href=${href('questions', { run: run.run, task: run.example.task, system: run.example.system, outcome: 'failed' })}>
          All failures of ${run.example.system} on ${run.example.task}</a></p></section>`
    }
    <section><h2>The systems</h2><dl class="settings">${run.systems.map(
      ({ label, about }) =>
        about &&
        html`<dt>${label}</dt><dd class="text">${about}
      </dd>`,
    )}</dl></section>
    <details><summary>Settings</summary><dl class="settings">${run.settings.map(
      ({ label, value }) => html`<dt>${label}</dt><dd><code>${value}</code>
      </dd>`,
    )}</dl></details>` as VNode
}

/** From each suite's own depth to the deepest that was asked, in memories and then in tokens. */
export function DepthSlider({
  depths,
  depth,
}: {
  depths: readonly { key: string; words: string }[]
  depth: string
}): VNode {
  const at = depths.findIndex(({ key }) => key === depth) + 1
  const words = at === 0 ? 'each suite’s own' : depths[at - 1]!.words
  const slide = (event: Event) =>
    chooseInAddress({ depth: depths[Number((event.target as HTMLInputElement).value) - 1]?.key ?? '' })
  return html`<label class="choice slider"><span>Depth <b>${words}</b></span>
    <input type="range" min="0" max=${depths.length} step="1" value=${at} aria-valuetext=${words} onInput=${slide} /></label>` as VNode
}

function Line(props: {
  task: ShownTask
  suite: string
  at: string
  shown: boolean[]
  systems: ShownMatrix['systems']
  params: Params
  isPublished: boolean
}): VNode {
  const { task, suite, at, shown, systems, params, isPublished } = props
  const { run, depth } = params
  const open = (system: string) => href('questions', { run, task: task.id, system, outcome: 'failed', depth })
  return html`<tr><th scope="row"><span class="ci">${suite}/</span>
    <a href=${href('questions', { run, task: task.id, outcome: 'failed', depth })} title=${task.about}>${task.name}</a> <span class="ci under">
    ${[task.measure, at].filter(Boolean).join(', ')}</span>
      ${
        isPublished &&
        task.published.length > 0 &&
        html`<details class="published"><summary>${task.published.length} published</summary><ul>
        ${task.published.map(
          ({
            name,
            source,
            rate,
            n,
          }) => html`<li title=${source}>${name} <b>${percent(rate)}</b> <span class="ci">n ${count(n)}
        </span></li>`,
        )}</ul></details>`
      }</th>
    <td class="num">${count(Math.round(task.n))}</td><td class="num">${percent(task.ceiling)}</td><td class="num">
      ${task.guesser ? html`<span title=${task.guesser.label}>${percent(task.guesser.rate)}</span>` : '–'}</td>
    ${task.cells.map(
      (cell, i) =>
        shown[i] &&
        html`<td>
      ${cell ? html`<${Field} cell=${cell} to=${open(systems[i]!.label)} words=${`${task.name}, ${systems[i]!.label}`} />` : '–'}</td>`,
    )}</tr>` as VNode
}

function Field({ cell, to, words }: { cell: ShownCell; to: string; words: string }): VNode {
  const { rate, ci95, loss, mark, markWords, mix } = cell
  return html`<a class="cell" href=${to}><span class="hidden">${words}: </span><span class="score"><${Rate} rate=${rate} ci95=${ci95} />
    ${
      mark &&
      html`<abbr title=${markWords}>${mark}
    </abbr>`
    }${loss && html` <span class=${`tag${loss.outcome ? ` o-${loss.outcome}` : ''}`} title=${loss.words}>${loss.letter}</span>`}</span>
    <${MixBar} mix=${mix} /></a>` as VNode
}

function Foot({ matrix, shown }: { matrix: ShownMatrix; shown: boolean[] }): VNode {
  const line = (name: string, text: (system: ShownMatrix['systems'][number]) => string) =>
    html`<tr><th scope="row">${name}</th><td /><td /><td />${matrix.systems.map((system, at) => shown[at] && html`<td>${text(system)}</td>`)}</tr>`
  return html`${line('all questions', ({ rate, ci95 }) => `${percent(rate)} ${percentRange(ci95)}`)}${line(
    'tokens a question reads',
    ({ tokens }) => quantity(tokens),
  )}${line('cost', ({ cost }) => cost)}` as VNode
}
