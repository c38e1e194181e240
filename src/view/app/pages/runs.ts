import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Loaded } from '../page-parts.js'
import { chooseInAddress, href, useRoute } from '../route.js'
import { useAnswer } from '../source.js'

interface KnownRun {
  run: string
  status: string
  created: string
  suites: string[]
  systems: string[]
}

const LOOK_MS = 3000

/** All runs that are kept, newest first. */
export function RunsPage(): VNode {
  const [turn, setTurn] = useState(0)
  const { params } = useRoute()
  useEffect(() => {
    const timer = setInterval(() => setTurn((before) => before + 1), LOOK_MS)
    return () => clearInterval(timer)
  }, [])
  const answer = useAnswer<KnownRun[]>('runs', {}, String(turn))
  const search = params.search ?? ''
  const fits = (one: KnownRun) => JSON.stringify(one).toLowerCase().includes(search.toLowerCase())
  return html`<h1>Runs</h1>
    <p class="filters"><label class="choice"><span>Search</span>
      <input type="search" value=${search} onInput=${(event: Event) => chooseInAddress({ search: (event.target as HTMLInputElement).value })} /></label></p>
    <${Loaded} answer=${answer}>${(runs: KnownRun[]) =>
      runs.length === 0
        ? html`<p>There are no runs here yet. Start one with <code>memscope run</code>; it is shown while it goes on.</p>`
        : html`<div class="scroll" role="region" aria-label="Runs" tabindex="0"><table class="runs"><thead><tr><th scope="col">run</th>
          <th scope="col">status</th><th scope="col">suites</th><th scope="col">systems</th></tr></thead>
          <tbody>${runs.filter(fits).map(
            (one) =>
              html`<tr><th scope="row"><a href=${href('run', { run: one.run })}>${one.run}</a> <span class="ci">
                  ${one.created.replace('T', ' ').slice(0, 16)}</span></th><td><span class=${`status ${one.status}`}>
                  ${one.status === 'partial' ? 'not complete' : one.status}</span></td><td class="text">${one.suites.join(', ')}</td><td class="text">
                  ${one.systems.join(', ')}</td></tr>`,
          )}</tbody></table></div>`}</${Loaded}>` as VNode
}
