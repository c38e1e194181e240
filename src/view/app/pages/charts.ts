import { html } from 'htm/preact'
import type { VNode } from 'preact'
import type { PageProps } from '../app.js'
import { Section } from '../page-parts.js'
import { chooseInAddress, href } from '../route.js'

/** What is told of a run behind its first look, one section at a time: success against depth, outcomes, costs, and what suites have drawn. */
export function ChartsPage({ run: { run, sections }, params }: PageProps): VNode {
  const shown = sections.find(({ id }) => id === params.section) ?? sections[0]
  return html`<h1 class="hidden">Charts</h1><div class="with-side"><nav aria-label="Sections" class="side"><ul>${sections.map(
    ({ id, title }) =>
      html`<li><a href=${href('charts', { run, section: id })} aria-current=${id === shown?.id ? 'true' : undefined} onClick=${(
        event: Event,
      ) => {
        event.preventDefault()
        chooseInAddress({ section: id })
      }}>${title}</a></li>`,
  )}</ul></nav><div>${shown ? html`<${Section} key=${shown.id} section=${shown} />` : html`<p>There is nothing to draw yet.</p>`}</div></div>` as VNode
}
