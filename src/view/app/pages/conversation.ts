import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { plural } from '../../../report/format.js'
import type { ConversationDetail, StoreDiff } from '../../moments.js'
import { Loaded, Marked } from '../page-parts.js'
import { chooseInAddress, type Params } from '../route.js'
import { useAnswer } from '../source.js'

/** A transcript, with the sentences that say something marked, beside what storing it did to the memory. */
export function ConversationPane({
  place,
  id,
  conversations = [],
}: {
  place: Params
  id: string
  conversations?: readonly string[]
}): VNode {
  const answer = useAnswer<ConversationDetail>('conversation', { ...place, id })
  return html`<div class="pane">${
    conversations.length > 1 &&
    html`<p class="tabs" role="group" aria-label="Conversations">
    ${conversations.map((one) => html`<button type="button" aria-pressed=${one === id} onClick=${() => chooseInAddress({ conversation: one })}>${one}</button>`)}</p>`
  }
    <${Loaded} answer=${answer}>${({ id: name, time, turns, told, store }: ConversationDetail) =>
      html`<h3>${name} <span class="ci">${time.replace('T', ' ').slice(0, 16)}</span></h3>
      <div class="beside"><div class="turns" tabindex="0" role="region" aria-label="Transcript">
        ${turns.map(
          ({ role, speaker, text }) => html`<p class=${`turn ${role}`}><b>${speaker ?? role}
        </b> <${Marked} text=${text} quotes=${told.map((one) => one.text)} /></p>`,
        )}</div>
      ${store && html`<${Diff} store=${store} />`}</div>`}</${Loaded}></div>` as VNode
}

function Diff({ store: { before, after, added, removed, kept, left } }: { store: StoreDiff }): VNode {
  const line = (sign: string, look: string) => (memory: { id: string; text: string; status?: string }) =>
    html`<li class=${look}><b aria-label=${look === 'ok' ? 'added' : 'removed'}>${sign}</b> <code>${memory.id}</code>${
      memory.status &&
      html` <em>
      ${memory.status}</em>`
    } <span class="text">${memory.text}</span></li>`
  const when = before === null ? `until ${after}` : `${before} → ${after}`
  const rest = left > 0 ? `, ${left} more` : ''
  return html`<div class="diff" tabindex="0" role="region" aria-label="Store">
    <p class="ci">The store, ${when}: ${plural(added.length, 'memory', 'memories')} new, ${removed.length} gone, ${kept} as before${rest}</p>
    <ul>${added.map(line('+', 'ok'))}${removed.map(line('−', 'bad'))}</ul></div>` as VNode
}
