import { html } from 'htm/preact'
import type { VNode } from 'preact'
import type { Flip } from '../../../analysis/compare-runs.js'
import { outcomeWords, percent, plural } from '../../../report/format.js'
import type { ComparedTask, ShownComparison } from '../../compared.js'
import type { PageProps } from '../app.js'
import { Choice, Loaded } from '../page-parts.js'
import { chooseInAddress, href } from '../route.js'
import { isBundle, useAnswer } from '../source.js'

const SIGNS = { gained: '+', lost: '−', moved: '~' }
const LOOKS = { gained: 'ok', lost: 'bad', moved: 'off' }

/** Two systems of this run, or this run and another, question by question. */
export function ComparePage({ run, params }: PageProps): VNode {
  const runs = useAnswer<{ run: string }[]>(isBundle() ? null : 'runs', {})
  const labels = run.systems.map(({ label }) => label)
  const other = params.other ?? ''
  const a = params.a ?? (other === '' ? labels[0] : '')
  const b = params.b ?? (other === '' ? labels[1] : '')
  const systems = other === '' ? [a, b] : a && b ? [a, b] : []
  const asked = {
    runs: other === '' ? run.run : `${other}\n${run.run}`,
    systems: systems.join('\n'),
    despite: params.despite?.split(',').join('\n'),
  }
  const ready = other !== '' || (a && b && a !== b)
  const answer = useAnswer<{ comparisons: ShownComparison[]; alone: string[] }>(ready ? 'compare' : null, asked)
  const names = labels.map((label) => [label, label] as const)
  return html`<h1 class="hidden">Compare</h1><div class="filters">
      ${
        !isBundle() &&
        html`<${Choice} name="Before" value=${other}
        options=${[['', 'within this run'], ...(runs.data ?? []).filter((one) => one.run !== run.run).map((one) => [one.run, one.run])]}
        onChoose=${(value: string) => chooseInAddress({ other: value, a: '', b: '' })} />`
      }
      <${Choice} name="System" value=${a ?? ''} options=${other === '' ? names : [['', 'all in common'], ...names]}
        onChoose=${(value: string) => chooseInAddress({ a: value })} />
      <${Choice} name="with" value=${b ?? ''} options=${other === '' ? names : [['', 'all in common'], ...names]}
        onChoose=${(value: string) => chooseInAddress({ b: value })} />
      ${
        other !== '' &&
        html`<label class="choice"><span>Despite</span>
        <input value=${params.despite ?? ''} placeholder="harness,judge"
          onChange=${(event: Event) => chooseInAddress({ despite: (event.target as HTMLInputElement).value })} /></label>`
      }
    </div>
    ${
      ready
        ? html`<${Loaded} answer=${answer}>
          ${({ comparisons, alone }: { comparisons: ShownComparison[]; alone: string[] }) =>
            html`${comparisons.map((one) => html`<${Compared} comparison=${one} open=${params.open} />`)}
              ${alone.map((words) => html`<p>${words}</p>`)}`}</${Loaded}>`
        : html`<p>Choose two systems that differ.</p>`
    }` as VNode
}

function Compared({
  comparison: { a, b, tasks, leftOut },
  open,
}: {
  comparison: ShownComparison
  open?: string
}): VNode {
  return html`<section><h2>${a.label} → ${b.label} <span class="ci">${a.run === b.run ? `in ${a.run}` : `${a.run} → ${b.run}`}</span></h2>
    <div class="scroll" role="region" aria-label="Tasks" tabindex="0"><table class="compare"><thead><tr><th scope="col">task</th>
      <th scope="col" class="num">before</th><th scope="col" class="num">after</th><th scope="col" class="num">points</th><th scope="col">95 %</th>
      <th scope="col">verdict</th></tr></thead>
    <tbody>${tasks.map(
      (
        task,
      ) => html`<tr><th scope="row">${task.id}</th><td class="num">${percent(task.a)}</td><td class="num">${percent(task.b)}
      </td><td class=${`num ${task.verdict}`}>${task.difference}</td><td>${task.range}</td><td class=${task.verdict}>
      ${task.words} <span class="ci under">${[task.grounds, task.spent].filter(Boolean).join(' · ')}</span></td></tr>`,
    )}</tbody></table></div>
    <h3>Questions that changed</h3>
    ${tasks.filter(({ flips }) => flips.length > 0).map((task) => html`<${Flips} task=${task} a=${a} b=${b} isOpen=${open === task.id || tasks.length < 4} />`)}
    ${tasks.every(({ flips }) => flips.length === 0) && html`<p>None.</p>`}
    ${leftOut.map((words) => html`<p>${words}</p>`)}</section>` as VNode
}

const MOST_FLIPS = 200

function Flips({
  task,
  a,
  b,
  isOpen,
}: {
  task: ComparedTask
  a: ShownComparison['a']
  b: ShownComparison['b']
  isOpen: boolean
}): VNode {
  const stage = (outcome: Flip['from']) => (outcome === null ? 'not told' : outcomeWords(outcome))
  const to = (side: ShownComparison['a'], { scenario, question }: Flip, depth: string) =>
    href('question', { run: side.run, scenario, id: question, by: side.label, look: depth })
  return html`<details class="flips" open=${isOpen}><summary>${task.id} <span class="ci">${plural(task.flips.length, 'question')}</span></summary>
    <ul class="ways">${task.ways.map(({ change, way, n }) => html`<li class=${LOOKS[change]}><b>${SIGNS[change]} ${n}</b> ${way}</li>`)}</ul>
    <ul class="plain">${task.flips.slice(0, MOST_FLIPS).map(
      (flip) => html`<li class=${LOOKS[flip.change]}><b aria-label=${flip.change}>
      ${SIGNS[flip.change]}</b> <span class="text">${flip.text}</span> <a href=${to(a, flip, task.depths[0])}>${stage(flip.from)}
      </a> → <a href=${to(b, flip, task.depths[1])}>${stage(flip.to)}</a> <span class="ci">${flip.question}</span></li>`,
    )}</ul>
    ${task.flips.length > MOST_FLIPS && html`<p>… and ${task.flips.length - MOST_FLIPS} more: <code>memscope compare --json -</code> has all.</p>`}
      </details>` as VNode
}
