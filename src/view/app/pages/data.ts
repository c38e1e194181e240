import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { AuditNote } from '../../../model/suite.js'
import type { LintedCorpus } from '../../../model/suite-data.js'
import { count, plural } from '../../../report/format.js'
import type { PageProps } from '../app.js'
import { Loaded } from '../parts.js'
import { choose, href } from '../route.js'
import { act, useAnswer } from '../source.js'
import { ConversationPane } from './conversation.js'

/** What checking the corpora of a suite found. */
interface CheckedData {
  violations: number
  corpora: LintedCorpus['report'][]
}

interface SuiteListing {
  suite: string
  about: string
  canLint: boolean
  audit: AuditNote[]
  scenarios: { id: string; conversations: number; facts: number; questions: number }[]
}

interface ScenarioListing {
  id: string
  timeline: {
    id: string
    time: string
    text?: string
    turns?: number
    questions?: { id: string; task: string; text: string; gold: string; needs: string[][]; flags: string[] }[]
  }[]
  facts: { id: string; text: string; sources: string[]; replaces?: string; unsupported?: string }[]
}

const MOST_LINES = 400

/** The data of a run: scenarios with their conversations, facts and questions, and whether they keep the rules of their suite. */
export function DataPage({ params, version }: PageProps): VNode {
  const { run, scenario, conversation } = params
  const list = useAnswer<SuiteListing[]>('scenarios', { run }, version)
  const one = useAnswer<ScenarioListing>(scenario ? 'scenario' : null, { run, id: scenario })
  return html`<h1 class="hidden">Data</h1><div class="with-side wide"><div class="side"><${Loaded} answer=${list}>${(suites: SuiteListing[]) => suites.map((suite) => html`<${Listing} key=${suite.suite} listing=${suite} run=${run} chosen=${scenario} />`)}</${Loaded}></div>
    <div>${scenario ? html`<${Loaded} answer=${one}>${(detail: ScenarioListing) => html`<${Scenario} detail=${detail} run=${run} conversation=${conversation} />`}</${Loaded}>` : html`<p>Choose a scenario.</p>`}</div></div>` as VNode
}

function Listing({ listing, run, chosen }: { listing: SuiteListing; run?: string; chosen?: string }): VNode {
  const { suite, about, canLint, audit, scenarios } = listing
  return html`<section><h2>${suite}</h2><p class="ci">${about}</p>${canLint && html`<${Lint} suite=${suite} run=${run} />`}
    ${audit.length > 0 && html`<details><summary>${plural(audit.length, 'row')} repaired, flagged or dropped</summary><ul class="plain">${audit.slice(0, MOST_LINES).map(({ task, row, action, why }) => html`<li><b>${action}</b> ${task} ${row}: <span class="text">${why}</span></li>`)}</ul></details>`}
    <ul class="plain scenarios">${scenarios.slice(0, MOST_LINES).map(({ id, conversations, facts, questions }) => html`<li><a href=${href('data', { run, scenario: id })} aria-current=${id === chosen ? 'true' : undefined}>${id}</a> <span class="ci">${count(conversations)} conversations, ${count(facts)} facts, ${count(questions)} questions</span></li>`)}</ul></section>` as VNode
}

/** Checks a corpus where it is looked at. */
function Lint({ suite, run }: { suite: string; run?: string }): VNode {
  const [state, setState] = useState<{ result?: CheckedData; error?: string; isBusy: boolean }>({ isBusy: false })
  const check = () => {
    setState({ isBusy: true })
    act<CheckedData>('lint', { run, suite }).then(
      (result) => setState({ result, isBusy: false }),
      (error) => setState({ error: String(error instanceof Error ? error.message : error), isBusy: false }),
    )
  }
  const { result, error, isBusy } = state
  return html`<p><button type="button" onClick=${check} disabled=${isBusy}>${isBusy ? 'Checking …' : 'Check its rules'}</button> <span role="status">${result && `${plural(result.violations, 'violation')} in ${plural(result.corpora.length, 'corpus', 'corpora')}`}</span></p>
    ${error && html`<p class="problem" role="alert">${error}</p>`}
    ${result?.corpora.map(
      ({
        rows,
        rules,
        violations,
      }) => html`<details><summary>${count(rows)} rows, ${plural(rules.length, 'rule')}, ${plural(violations.length, 'violation')}</summary>
      <ul class="plain">${rules.map(({ name, about, broken }) => html`<li class=${broken > 0 ? 'bad' : 'ok'}><b>${broken > 0 ? `${broken} broken` : 'kept'}</b> ${name} <span class="ci">${about}</span></li>`)}</ul>
      <ul class="plain">${violations.slice(0, MOST_LINES).map(({ rule, row, message }) => html`<li><b>${rule}</b> ${row}: <span class="text">${message}</span></li>`)}</ul></details>`,
    )}` as VNode
}

function Scenario({
  detail: { id, timeline, facts },
  run,
  conversation,
}: {
  detail: ScenarioListing
  run?: string
  conversation?: string
}): VNode {
  const saidIn = (name: string) => facts.filter(({ sources }) => sources.includes(name)).length
  return html`<h2 class="text">${id}</h2>
    <details open><summary>Timeline <span class="ci">${plural(timeline.length, 'event')}</span></summary><ol class="events">${timeline
      .slice(0, MOST_LINES)
      .map((event) =>
        event.questions
          ? html`<li class="asked"><span class="ci">${event.time.slice(0, 10)}</span> <b>probe ${event.id}</b> <details><summary>${plural(event.questions.length, 'question')}</summary><ul class="plain">${event.questions.slice(0, MOST_LINES).map((question) => html`<li><span class="ci">${question.task} · ${question.id}</span> <a class="text" href=${href('questions', { run, search: question.id })}>${question.text}</a> <b class="text">${question.gold}</b> <span class="ci">needs ${question.needs.map((set) => set.join(' + ')).join(' or ') || 'nothing'}</span> ${question.flags.map((flag) => html`<em>${flag}</em>`)}</li>`)}</ul></details></li>`
          : html`<li class=${saidIn(event.id) > 0 ? 'said' : ''}><span class="ci">${event.time.slice(0, 10)}</span> <button type="button" class="link" aria-expanded=${event.id === conversation} onClick=${() => choose({ conversation: event.id === conversation ? '' : event.id })}>${event.id}</button> <span class="ci">${plural(event.turns ?? 0, 'turn')}${saidIn(event.id) > 0 ? `, ${plural(saidIn(event.id), 'fact')}` : ''}</span> <span class="text">${event.text}</span>${event.id === conversation && html`<${ConversationPane} place=${{ run, scenario: id }} id=${event.id} />`}</li>`,
      )}</ol>${timeline.length > MOST_LINES && html`<p>… and ${count(timeline.length - MOST_LINES)} more.</p>`}</details>
    <details><summary>${plural(facts.length, 'fact')}</summary><ul class="plain">${facts.slice(0, MOST_LINES).map((fact) => html`<li><code>${fact.id}</code> <span class="text">${fact.text}</span> <span class="ci">${fact.sources.length > 0 ? `said in ${fact.sources.join(', ')}` : 'follows'}${fact.replaces ? ` · replaces ${fact.replaces}` : ''}</span>${fact.unsupported && html` <em>${fact.unsupported}</em>`}</li>`)}</ul></details>` as VNode
}
