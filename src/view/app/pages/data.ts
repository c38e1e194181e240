import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { AuditNote } from '../../../model/suite.js'
import type { Violation } from '../../../model/suite-data.js'
import { count, plural } from '../../../report/format.js'
import type { PageProps } from '../app.js'
import { type CheckedData, type LintPlaces, lintPlaces } from '../lint-places.js'
import { Loaded } from '../page-parts.js'
import { chooseInAddress, href, type Params } from '../route.js'
import { tellServer, useAnswer } from '../source.js'
import { ConversationPane } from './conversation.js'

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
  const [checked, setChecked] = useState<Readonly<Record<string, CheckedData>>>({})
  const list = useAnswer<SuiteListing[]>('scenarios', { run }, version)
  const one = useAnswer<ScenarioListing>(scenario ? 'scenario' : null, { run, id: scenario })
  const suiteOf = (id: string) => list.data?.find(({ scenarios }) => scenarios.some((other) => other.id === id))?.suite
  const listing = (suite: SuiteListing) =>
    html`<${Listing} key=${suite.suite} listing=${suite} run=${run} chosen=${scenario} checked=${checked[suite.suite]}
      onChecked=${(result: CheckedData) => setChecked((before) => ({ ...before, [suite.suite]: result }))} />`
  const shown = (detail: ScenarioListing) =>
    html`<${Scenario} detail=${detail} run=${run} conversation=${conversation} checked=${checked[suiteOf(detail.id) ?? '']} />`
  return html`<h1 class="hidden">Data</h1><div class="with-side wide">
    <div class="side"><${Loaded} answer=${list}>${(suites: SuiteListing[]) => suites.map(listing)}</${Loaded}></div>
    <div>${scenario ? html`<${Loaded} answer=${one}>${shown}</${Loaded}>` : html`<p>Choose a scenario.</p>`}</div></div>` as VNode
}

interface ListingProps {
  listing: SuiteListing
  run?: string
  chosen?: string
  checked?: CheckedData
  onChecked(result: CheckedData): void
}

function Listing({ listing, run, chosen, checked, onChecked }: ListingProps): VNode {
  const { suite, about, canLint, audit, scenarios } = listing
  const note = ({ task, row, action, why }: AuditNote) =>
    html`<li><b>${action}</b> ${task} ${row}: <span class="text">${why}</span></li>`
  const line = ({ id, conversations, facts, questions }: SuiteListing['scenarios'][number]) =>
    html`<li><a href=${href('data', { run, scenario: id })} aria-current=${id === chosen ? 'true' : undefined}>${id}</a>
      <span class="ci"> ${count(conversations)} conversations, ${count(facts)} facts, ${count(questions)} questions</span></li>`
  return html`<section><h2>${suite}</h2><p class="ci">${about}</p>
    ${canLint && html`<${Lint} suite=${suite} run=${run} result=${checked} onChecked=${onChecked} />`}
    ${
      audit.length > 0 &&
      html`<details><summary>${plural(audit.length, 'row')} repaired, flagged or dropped</summary><ul class="plain">
      ${audit.slice(0, MOST_LINES).map(note)}</ul></details>`
    }
    <ul class="plain scenarios">${scenarios.slice(0, MOST_LINES).map(line)}</ul>
    ${scenarios.length > MOST_LINES && html`<p>… and ${count(scenarios.length - MOST_LINES)} more.</p>`}</section>` as VNode
}

/** Checks a corpus where it is looked at. */
function Lint(props: {
  suite: string
  run?: string
  result?: CheckedData
  onChecked(result: CheckedData): void
}): VNode {
  const { suite, run, result, onChecked } = props
  const [{ error, isBusy }, setState] = useState<{ error?: string; isBusy: boolean }>({ isBusy: false })
  const check = () => {
    setState({ isBusy: true })
    tellServer<CheckedData>('lint', { run, suite }).then(
      (found) => {
        setState({ isBusy: false })
        onChecked(found)
      },
      (problem) => setState({ error: String(problem instanceof Error ? problem.message : problem), isBusy: false }),
    )
  }
  const told =
    result && `${plural(result.violations, 'violation')} in ${plural(result.corpora.length, 'corpus', 'corpora')}`
  const corpus = ({ name, rows, rules, violations }: CheckedData['corpora'][number]) =>
    html`<details><summary>${name}: ${count(rows)} rows, ${plural(rules.length, 'rule')}, ${plural(violations.length, 'violation')}</summary>
      <ul class="plain">${rules.map(
        (rule) => html`<li class=${rule.broken > 0 ? 'bad' : 'ok'}><b>
        ${rule.broken > 0 ? `${rule.broken} broken` : 'kept'}</b> ${rule.name} <span class="ci">${rule.about}</span></li>`,
      )}</ul>
      <ul class="plain">${violations.slice(0, MOST_LINES).map(
        ({ rule, row, message }) => html`<li><b>${rule}</b> ${row}: <span class="text">
        ${message}</span></li>`,
      )}</ul></details>`
  return html`<p><button type="button" onClick=${check} disabled=${isBusy}>${isBusy ? 'Checking …' : 'Check its rules'}</button> <span role="status">
    ${told}</span></p>
    ${error && html`<p class="problem" role="alert">${error}</p>`}
    ${result?.corpora.map(corpus)}` as VNode
}

/** What breaks a rule, where it stands. */
function Broken({ found }: { found?: readonly Violation[] }): VNode {
  const line = ({ rule, message }: Violation) =>
    html`<span class="broken"><b>${rule}</b> <span class="text">${message}</span></span>`
  return html`${found?.map(line)}` as VNode
}

interface ScenarioProps {
  detail: ScenarioListing
  run?: string
  conversation?: string
  checked?: CheckedData
}

function Scenario({ detail: { id, timeline, facts }, run, conversation, checked }: ScenarioProps): VNode {
  const ids = [...timeline.flatMap((event): { id: string }[] => event.questions ?? [event]), ...facts].map(
    (one) => one.id,
  )
  const { whole, at }: LintPlaces = checked ? lintPlaces(checked, id, ids) : { whole: [], at: new Map() }
  const rest = (list: readonly unknown[]) =>
    list.length > MOST_LINES && html`<p>… and ${count(list.length - MOST_LINES)} more.</p>`
  const event = (one: ScenarioListing['timeline'][number]) =>
    one.questions
      ? html`<${Probe} event=${one} run=${run} at=${at} />`
      : html`<${Said} event=${one} facts=${facts} at=${at} place=${{ run, scenario: id }} isOpen=${one.id === conversation} />`
  const fact = (one: ScenarioListing['facts'][number]) =>
    html`<li><code>${one.id}</code> <span class="text">${one.text}</span> <span class="ci">
      ${one.sources.length > 0 ? `said in ${one.sources.join(', ')}` : 'follows'}${one.replaces ? ` · replaces ${one.replaces}` : ''}</span>
      ${one.unsupported && html` <em>${one.unsupported}</em>`}<${Broken} found=${at.get(one.id)} /></li>`
  return html`<h2 class="text">${id}</h2><p><${Broken} found=${whole} /></p>
    <details open><summary>Timeline <span class="ci">${plural(timeline.length, 'event')}</span></summary>
      <ol class="events">${timeline.slice(0, MOST_LINES).map(event)}</ol>${rest(timeline)}</details>
    <details open=${facts.some((one) => at.has(one.id))}><summary>${plural(facts.length, 'fact')}</summary><ul class="plain">
      ${facts.slice(0, MOST_LINES).map(fact)}</ul>${rest(facts)}</details>` as VNode
}

interface EventProps {
  event: ScenarioListing['timeline'][number]
  at: LintPlaces['at']
}

function Probe({ event: { id, time, questions = [] }, run, at }: EventProps & { run?: string }): VNode {
  const line = (one: (typeof questions)[number]) =>
    html`<li><span class="ci">${one.task} · ${one.id}</span> <a class="text" href=${href('questions', { run, search: one.id })}>${one.text}</a>
      <b class="text"> ${one.gold}</b> <span class="ci">needs ${one.needs.map((set) => set.join(' + ')).join(' or ') || 'nothing'}</span>
      ${one.flags.map((flag) => html` <em>${flag}</em>`)}<${Broken} found=${at.get(one.id)} /></li>`
  const broken = questions.filter((one) => at.has(one.id)).length
  return html`<li class="asked"><span class="ci">${time.slice(0, 10)}</span> <b>probe ${id}</b> <details open=${broken > 0}><summary>
    ${plural(questions.length, 'question')}${broken > 0 && `, ${broken} against rules`}</summary>
      <ul class="plain">${questions.slice(0, MOST_LINES).map(line)}</ul></details></li>` as VNode
}

function Said(props: EventProps & { facts: ScenarioListing['facts']; place: Params; isOpen: boolean }): VNode {
  const { event, facts, at, place, isOpen } = props
  const told = facts.filter(({ sources }) => sources.includes(event.id)).length
  const open = () => chooseInAddress({ conversation: isOpen ? '' : event.id })
  return html`<li class=${told > 0 ? 'said' : ''}><span class="ci">${event.time.slice(0, 10)}
    </span> <button type="button" class="link" aria-expanded=${isOpen} onClick=${open}>${event.id}</button> <span class="ci">
    ${plural(event.turns ?? 0, 'turn')}${told > 0 ? `, ${plural(told, 'fact')}` : ''}</span> <span class="text">${event.text}</span>
    <${Broken} found=${at.get(event.id)} />${isOpen && html`<${ConversationPane} place=${place} id=${event.id} />`}</li>` as VNode
}
