import { html } from 'htm/preact'
import type { VNode } from 'preact'
import type { GraphDetail } from '../../moments.js'
import type { PageProps } from '../app.js'
import { layOut, NODE } from '../graph-layout.js'
import { Choice, Loaded } from '../page-parts.js'
import { chooseInAddress, href } from '../route.js'
import { useAnswer } from '../source.js'

const HELD: Record<string, [words: string, look: string]> = {
  correct: ['kept', 'ok'],
  summary_error: ['damaged', 'bad'],
  not_stored: ['not stored', 'bad'],
}

/** Graphs that suites give of their scenarios, with what a memory held in the end. */
export function GraphsPage({ params, version }: PageProps): VNode {
  const { run } = params
  const list = useAnswer<{ scenarios: string[]; systems: string[] }>('graphs', { run }, version)
  const scenario = params.scenario ?? list.data?.scenarios[0]
  const system = params.system ?? list.data?.systems[0]
  const graph = useAnswer<GraphDetail>(scenario && system ? 'graph' : null, { run, scenario, system }, version)
  return html`<h1 class="hidden">Graphs</h1><${Loaded} answer=${list}>${({
    scenarios,
    systems,
  }: {
    scenarios: string[]
    systems: string[]
  }) =>
    scenarios.length === 0
      ? html`<p>No suite of this run has graphs of its scenarios.</p>`
      : html`<div class="filters">
        <${Choice} name="Scenario" value=${scenario ?? ''} options=${scenarios.map((one) => [one, one])}
          onChoose=${(one: string) => chooseInAddress({ scenario: one })} />
        <${Choice} name="System" value=${system ?? ''} options=${systems.map((one) => [one, one])} onChoose=${(one: string) => chooseInAddress({ system: one })} />
        <a href=${href('questions', { run, system, search: scenario })}>its questions</a></div>
        <${Loaded} answer=${graph}>${(detail: GraphDetail) => html`<${Graph} graph=${detail} />`}</${Loaded}>`}</${Loaded}>` as VNode
}

function Graph({ graph }: { graph: GraphDetail }): VNode {
  const { places, width, height } = layOut(graph)
  const at = (id: string) => places.get(id)!
  const clip = (text: string, most: number) => (text.length > most ? `${text.slice(0, most - 1)}…` : text)
  return html`<ul class="legend"><li><i class="node changed" /> what changes</li><li><i class="node reached" /> what the change should reach</li><li>
    <i class="node" /> the rest</li></ul>
    <div class="scroll" role="region" aria-label="Graph" tabindex="0">
      <svg class="graph" width=${width} height=${height} viewBox=${`0 0 ${width} ${height}`} aria-hidden="true" focusable="false">
      ${graph.edges.map(({ from, to }) => {
        const [a, b] = [at(from), at(to)]
        const [x1, y1, x2, y2] = [a.x + NODE.width, a.y + NODE.height / 2, b.x, b.y + NODE.height / 2]
        const mid = (x1 + x2) / 2
        return html`<path
          class="edge" d=${`M${x1} ${y1}C${mid} ${y1} ${mid} ${y2} ${x2 - 5} ${y2}M${x2 - 10} ${y2 - 4}L${x2 - 3} ${y2}L${x2 - 10} ${y2 + 4}`} />`
      })}
      ${graph.nodes.map(
        ({ id, label, note = '', state = '', facts }) => html`<g transform=${`translate(${at(id).x} ${at(id).y})`}>
        <rect width=${NODE.width} height=${NODE.height} rx="5" class=${`node ${state}`} /><text x="9" y="17" class="strong">${clip(label, 24)}</text>
        <text x="9" y="33" class="tick">${clip(note, 27)}</text><text x="9" y="48" class="tick">${heldWords(facts, graph)}</text></g>`,
      )}
    </svg></div>
    <div class="scroll" role="region" aria-label="Graph as a table" tabindex="0"><table><thead><tr><th scope="col">thing</th>
      <th scope="col">value</th><th scope="col">depends on</th><th scope="col">what the memory holds</th></tr></thead><tbody>${graph.nodes.map(
        ({
          id,
          label,
          note,
          state,
          facts,
        }) => html`<tr><th scope="row">${label}${state && html` <span class="ci">${state}</span>`}</th><td class="text">${note}</td><td>
        ${graph.edges
          .filter(({ to }) => to === id)
          .map(
            ({ from, words }) => html`<span title=${words}>
        ${graph.nodes.find((one) => one.id === from)?.label} </span>`,
          )}</td>
      <td><ul class="plain">${facts.map(
        (fact) => html`<li class=${HELD[graph.held[fact] ?? '']?.[1] ?? 'off'}><b>
        ${HELD[graph.held[fact] ?? '']?.[0] ?? 'not looked for'}</b> <span class="text">${graph.texts[fact]}</span></li>`,
      )}</ul></td></tr>`,
      )}</tbody></table></div>` as VNode
}

function heldWords(facts: readonly string[], { held }: GraphDetail): string {
  const known = facts.filter((fact) => held[fact])
  return known.length === 0
    ? ''
    : `${known.filter((fact) => held[fact] === 'correct').length} of ${known.length} facts kept`
}
