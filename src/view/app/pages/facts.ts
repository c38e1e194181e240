import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { count, percent } from '../../../report/format.js'
import type { FactEnd } from '../../run-index.js'
import type { ListedFact } from '../../select-rows.js'
import type { PageProps } from '../app.js'
import { BOTTOM, flowBands } from '../flow.js'
import { Loaded } from '../page-parts.js'
import { chooseInAddress, href } from '../route.js'
import { useAnswer } from '../source.js'
import { useWidth } from '../use-width.js'
import { VirtualList } from '../virtual-list.js'
import { Filters, listFilter, questionAddress } from './questions.js'

const END_WORDS: Record<FactEnd, string> = {
  not_stored: 'not stored',
  damaged: 'damaged',
  not_retrieved: 'not retrieved',
  unseen: 'not found, store unseen',
  unused: 'retrieved, answer wrong',
  retrieved: 'retrieved',
  used: 'used',
}

/** The outcome whose look a band has. */
const LOOK: Record<FactEnd, string> = {
  not_stored: 'not_stored',
  damaged: 'summary_error',
  not_retrieved: 'not_retrieved',
  unseen: 'unavailable',
  unused: 'reasoning_error',
  retrieved: 'answerable',
  used: 'correct',
}

/** Where facts die: the flow from said to used, each band of which opens its facts. */
export function FactsPage({ run, params, version }: PageProps): VNode {
  const query = { ...listFilter(params), outcome: undefined }
  const answer = useAnswer<Record<FactEnd, number>>('ends', query, version)
  const line = (fact: ListedFact) =>
    html`<a class="row"
      href=${href('question', { ...listFilter(params), outcome: undefined, ...questionAddress(fact) })}>
      <span class=${`tag o-${LOOK[fact.end]}`}>${END_WORDS[fact.end]}</span><span class="words text">${fact.text}</span><span class="ci place">
        ${fact.task} · ${fact.id} · ${fact.system}</span></a>` as VNode
  return html`<h1 class="hidden">Facts</h1>
    <${Filters} run=${run} params=${params} version=${version} />
    <${Loaded} answer=${answer}>${(ends: Record<FactEnd, number>) => html`<${Flow} ends=${ends} chosen=${params.end ?? ''} />`}</${Loaded}>
    <${VirtualList} what="facts" asked=${{ ...query, end: params.end }} version=${version} label="Facts" line=${line} />` as VNode
}

function Flow({ ends, chosen }: { ends: Record<FactEnd, number>; chosen: string }): VNode {
  const [box, width] = useWidth(900)
  const { total, stages, losses, height } = flowBands(ends, width)
  const open = (end: string) => (event: Event) => {
    event.preventDefault()
    chooseInAddress({ end: chosen === end ? '' : end })
  }
  const share = (n: number) => `${count(n)} (${percent(n / Math.max(1, total))} %)`
  const listed = (Object.entries(ends) as [FactEnd, number][]).filter(([, n]) => n > 0)
  return html`<figure class="flow" ref=${box}><figcaption>${count(total)} needed facts, from said to used</figcaption>
    <svg width=${width} height=${height} viewBox=${`0 0 ${width} ${height}`} aria-hidden="true" focusable="false">
      ${stages.map(({ d }) => d && html`<path d=${d} class="band" />`)}
      ${losses.map(({ end, d }) => html`<path d=${d} class=${`loss fill-${LOOK[end]}${chosen === end ? ' chosen' : ''}`} onClick=${open(end)} />`)}
      ${
        width > 700 &&
        losses.map(
          ({ end, x }, at) =>
            losses[at - 1]?.x !== x &&
            html`<text x=${x} y=${BOTTOM + 14} text-anchor="end" class="tick">
        ${END_WORDS[end]} ${percent(ends[end] / Math.max(1, total))} %</text>`,
        )
      }
      ${stages.map(
        ({ x, y, h, name, n }) => html`<g><rect x=${x} y=${y} width="10" height=${Math.max(1, h)} class="stage" />
        <text x=${x + 5} y="14" text-anchor="middle">${name}</text><text x=${x + 5} y="28" text-anchor="middle" class="tick">
        ${percent(n / Math.max(1, total))} %</text></g>`,
      )}
    </svg>
    <p class="ends" role="group" aria-label="Where facts ended">
      ${listed.map(
        ([
          end,
          n,
        ]) => html`<button type="button" aria-pressed=${chosen === end} onClick=${open(end)}><span class=${`tag o-${LOOK[end]}`}>
      ${END_WORDS[end]}</span> ${share(n)}</button>`,
      )}</p></figure>` as VNode
}
