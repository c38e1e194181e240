import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { count, plural, quantity } from '../../../report/format.js'
import type { AskDetail, FactDetail, QuestionDetail } from '../../question-detail.js'
import type { ListedRow, ListPage } from '../../select-rows.js'
import type { PageProps } from '../app.js'
import { Loaded, Marked, Tag } from '../page-parts.js'
import { chooseInAddress, href, type Params } from '../route.js'
import { useAnswer } from '../source.js'
import { ConversationPane } from './conversation.js'
import { listFilter, questionAddress } from './questions.js'

const LABEL_WORDS: Record<string, string> = {
  not_stored: 'not in the store',
  summary_error: 'in the store, damaged',
  correct: 'in the store, faithful',
}

/** One question under one system: its facts from said to used, what was found, what was answered, and how that was judged. */
export function QuestionPage({ params, version }: PageProps): VNode {
  const { run, scenario, id, by, trial, time } = params
  const place = { run, scenario, system: by, trial, time }
  const answer = useAnswer<QuestionDetail>('question', { ...place, id }, version)
  return html`<${Around} params=${params} version=${version} /><${Loaded} answer=${answer}>
    ${(detail: QuestionDetail) => html`<${Detail} key=${`${scenario} ${id} ${by}`} detail=${detail} params=${params} place=${place} />`}</${Loaded}>` as VNode
}

/** The question before and after this one in the list it was opened from. */
function Around({ params, version }: { params: Params; version: string }): VNode {
  const query = listFilter(params)
  const at = params.at === undefined ? null : Number(params.at)
  const from = Math.max(0, (at ?? 0) - 1)
  const { data } = useAnswer<ListPage<ListedRow>>(
    at === null ? null : 'rows',
    { ...query, from: String(from), most: '3' },
    version,
  )
  const to = (place: number, key: string, words: string) => {
    const row = at === null || place < 0 ? undefined : data?.items[place - data.from]
    if (!row) return html`<span class="off">${words}</span>`
    return html`<a href=${href('question', { ...query, ...questionAddress(row), at: String(place) })} data-key=${key}>${words}</a>`
  }
  const beside =
    at !== null &&
    data &&
    html`${to(at - 1, '[', '‹ before')} ${to(at + 1, ']', 'next ›')} <span class="ci">${count(at + 1)} of ${count(data.total)}</span>`
  return html`<p class="around">
    <a href=${href('questions', query)} data-key="u">↑ list</a> ${beside}</p>` as VNode
}

function Detail({ detail, params, place }: { detail: QuestionDetail; params: Params; place: Params }): VNode {
  const { trace, asks, facts } = detail
  const wanted = asks.findIndex(({ depth }) => depth === (params.look ?? params.depth))
  const shownAt = wanted >= 0 ? wanted : asks.findIndex(({ depth }) => depth === detail.shown)
  const ask = asks[shownAt] ?? asks[0]!
  const lost = facts.filter(({ ways }) => ways[shownAt]?.some(([, mark]) => mark === 'bad'))
  const opened = facts.length <= MOST_OPEN ? facts : (lost.length > 0 ? lost : facts).slice(0, MOST_OPEN)
  const others = facts.filter((fact) => !opened.includes(fact))
  const open = params.conversation ?? [...opened, ...others].find(({ said }) => said.length > 0)?.said[0]?.conversation
  const card = (fact: FactDetail, isOpen: boolean) =>
    html`<${FactCard} key=${fact.id} fact=${fact} at=${shownAt} detail=${detail} isOpen=${isOpen} />`
  const told = new Set(
    facts.flatMap(({ said, events }) => [...said, ...events].flatMap((one) => one.conversation ?? [])),
  )
  return html`<article class="question">
    <h1 class="ask text">${trace.text}</h1>
    <p class="ci">${detail.task} · ${detail.scenario} · ${trace.id} · ${params.by} · asked ${detail.time.replace('T', ' ').slice(0, 16)}</p>
    ${
      trace.choices &&
      trace.choices.length > 0 &&
      html`<ul class="choices">${trace.choices.map(
        ({ letter, text }) => html`<li><b>${letter}
      </b> <span class="text">${text}</span></li>`,
      )}</ul>`
    }
    <p class="gold"><b>right answer</b> <span class="text">${trace.gold}</span></p>
    ${trace.flags.map((flag) => html`<p class="gold"><b>flagged</b> ${flag}</p>`)}
    <div class="depths" role="group" aria-label="Depth">
      ${asks.map(
        (
          one,
        ) => html`<button type="button" aria-pressed=${one === ask} onClick=${() => chooseInAddress({ look: one.depth })}>
      ${one.words} <${Tag} outcome=${one.outcome} /></button>`,
      )}</div>
    <div class="columns"><div>
      <h2>${plural(facts.length, 'fact')}</h2>
      ${
        trace.needs &&
        trace.needs.length > 1 &&
        html`<p
        class="ci">Any one of these suffices: ${trace.needs.map((set) => set.join(' + ')).join(' · or · ')}</p>`
      }
      ${opened.map((fact) => card(fact, true))}
      ${others.length > 0 && html`<details><summary>${plural(others.length, 'other fact')}</summary>${others.map((fact) => card(fact, false))}</details>`}
      ${facts.length === 0 && html`<p>${ask.error ?? 'It needs no fact.'}</p>`}
    </div><div>
      <h2>Said, and what the memory made of it</h2>
      ${
        open === undefined
          ? html`<p>Nobody said anything that it needs.</p>`
          : html`<${ConversationPane} place=${place} id=${open}
        conversations=${[...told]} />`
      }
    </div></div>
    <${Asked} ask=${ask} detail=${detail} />
    <${Counterfactuals} detail=${detail} />
  </article>` as VNode
}

const SIGNS = { ok: '✓', bad: '✗', off: '·' }

/** Facts that stand open: of many, those that were lost. */
const MOST_OPEN = 3

function FactCard(props: { fact: FactDetail; at: number; detail: QuestionDetail; isOpen: boolean }): VNode {
  const { fact, at, detail, isOpen } = props
  const { id, role, verdict, said, events, ranks } = fact
  const text = detail.trace.facts.find((one) => one.id === id)?.text ?? ''
  const way = (fact.ways[at] ?? []).map(
    ([words, mark]) => html`<span class=${mark}>${words} <i aria-hidden="true">${SIGNS[mark]}</i></span> `,
  )
  return html`<details class="fact" open=${isOpen}><summary><span class="said"><b>${role}</b> <span class="text">${text}</span></span>
    <span class="way">${way}</span></summary>
    ${said.map(
      ({ conversation, time, sentences }) => html`<p class="source">said in <button type="button" class="link"
      onClick=${() => chooseInAddress({ conversation })}>${conversation}</button> <span class="ci">${time.slice(0, 10)}</span>${sentences.map(
        (sentence) => html`<q
      class="text">${sentence}</q>`,
      )}</p>`,
    )}
    <p class="why"><b>${LABEL_WORDS[verdict.label]}</b><${Certainty} of=${verdict} /> · <span class="text">${verdict.reason}</span>
      ${verdict.votes && html` <span class="ci">${verdict.votes.map((vote) => `${vote.judge}: ${vote.label}`).join(', ')}</span>`}</p>
    ${
      verdict.support.flat().length > 0 &&
      html`<ul class="memories">${[...new Set(verdict.support.flat())].slice(0, 4).map(
        (id) => html`<li><code>
      ${id}
      </code> <${Marked} text=${detail.memories[id]?.text ?? ''} quotes=${verdict.quotes.filter((quote) => quote.memory === id).map((quote) => quote.text)}
        most=${600} /></li>`,
      )}</ul>`
    }
    <details open><summary>Its story</summary><ol class="events">${events.map(
      (event) => html`<li class=${event.kind}><span class="ci">
      ${event.time.slice(0, 10)}
      </span> ${
        event.conversation
          ? html`<button type="button" class="link" onClick=${() => chooseInAddress({ conversation: event.conversation })}>
      ${event.words}</button>`
          : html`<span class="text">${event.words}</span>`
      }</li>`,
    )}</ol></details>
    <details><summary>${role === 'outdated' ? 'Where it stood' : 'Rank at every depth, and what outranked it'}</summary><table class="ranks"><thead>
      <tr><th scope="col">depth</th><th scope="col" class="num">rank</th><th scope="col">before it</th></tr></thead><tbody>
      ${ranks.map(
        ({
          words,
          rank,
          before,
        }) => html`<tr><th scope="row">${words}</th><td class="num">${rank ?? 'not found'}</td><td>
      ${
        before.length === 0
          ? '–'
          : html`<details><summary>${plural(before.length, 'memory', 'memories')}</summary><ol>
      ${before.slice(0, 20).map((id) => html`<li class="text"><code>${id}</code> ${(detail.memories[id]?.text ?? '').slice(0, 240)}</li>`)}</ol>
      </details>`
      }</td></tr>`,
      )}</tbody></table></details>
  </details>` as VNode
}

/** How sure a judge is, where it says so. */
function Certainty({ of }: { of: { uncertain?: boolean } }): VNode | null {
  if (of.uncertain === undefined) return null
  return (of.uncertain ? html` <em>uncertain</em>` : html` <span class="ci">certain</span>`) as VNode
}

/** What was retrieved, asked, answered and judged at one depth. */
function Asked({ ask, detail }: { ask: AskDetail; detail: QuestionDetail }): VNode {
  const { retrieved, prompt, answer, verdict, criteria, error } = ask
  const [isAll, setAll] = useState(false)
  useEffect(() => setAll(false), [ask])
  const shown = isAll ? retrieved : retrieved.slice(0, 12)
  return html`<div class="columns"><section><h2>Retrieved at ${ask.words} <span class="ci">
    ${plural(retrieved.length, 'memory', 'memories')} · ${quantity(ask.contextTokens)} tokens${ask.ms === null ? '' : ` · ${quantity(ask.ms)} ms`}</span></h2>
      ${error && html`<p class="problem">${error}</p>`}
      <ol class="memories ranked">${shown.map(
        ({ id, score, carries }) => html`<li class=${carries.length > 0 ? 'hit' : ''}><code>${id}</code>
        ${
          score !== null &&
          html` <span class="ci">${score.toFixed(3)}
        </span>`
        }${carries.length > 0 && html` <b class="carries">carries ${carries.join(', ')}</b>`}<span class="memory text">
        ${detail.memories[id]?.text ?? ''}</span></li>`,
      )}</ol>
      ${retrieved.length > shown.length && html`<button type="button" onClick=${() => setAll(true)}>Show all ${retrieved.length}</button>`}
      ${retrieved.length === 0 && !error && html`<p>Nothing was retrieved.</p>`}</section>
    <section><h2>Answer</h2>
      ${
        answer === null && prompt === null
          ? html`<p>No reader answered. With one: <code>memscope redo ${'<run>'} --reader provider:model</code>
      </p>`
          : html`<p class="answer text">${answer ?? 'no answer'}</p>`
      }
      ${
        verdict &&
        html`<p class="why"><b>${verdict.grade}</b><${Certainty} of=${verdict} /> · <span class="text">${verdict.reason}</span>
        ${verdict.votes && html` <span class="ci">${verdict.votes.map((vote) => `${vote.judge}: ${vote.grade}`).join(', ')}</span>`}</p>`
      }
      ${criteria.length > 0 && html`<h3>Criteria</h3><ul class="criteria">${criteria.map((one) => html`<${Judged} criterion=${one} />`)}</ul>`}
      ${prompt !== null && html`<details><summary>Prompt</summary><pre class="text" tabindex="0">${prompt}</pre></details>`}</section></div>` as VNode
}

/** A criterion of an answer: met or missed, why, and how that was judged. */
function Judged({ criterion }: { criterion: AskDetail['criteria'][number] }): VNode {
  const { text, type, met, cause, words, reason, votes } = criterion
  const missed = `missed: ${words ?? cause?.replaceAll('_', ' ') ?? 'cause not known'}`
  const told = votes?.map(({ judge, answer }) => `${judge} ${answer ?? 'no verdict'}`).join(', ')
  const beside = [type === 'forgetting' ? 'must not be' : '', reason, told].filter(Boolean).join(' · ')
  return html`<li class=${met === null ? 'off' : met ? 'ok' : 'bad'}><b>${met === null ? 'not judged' : met ? 'met' : missed}</b>
    <${Certainty} of=${criterion} /> <span class="text">${text}</span> <span class="ci">${beside}</span></li>` as VNode
}

const PARTS: [
  keyof Pick<QuestionDetail['counterfactuals'][number], 'needed' | 'store' | 'stored' | 'faithful' | 'both'>,
  string,
][] = [
  ['needed', 'the needed facts handed over'],
  ['store', 'its whole store handed over'],
  ['stored', 'missing facts put into the store'],
  ['faithful', 'faithful versions put beside damaged ones'],
  ['both', 'both of these'],
]

/** What would have happened, had one part been perfect. */
function Counterfactuals({ detail: { counterfactuals } }: { detail: QuestionDetail }): VNode {
  if (counterfactuals.length === 0)
    return html`<p class="ci">Which part, made perfect, repairs it was not asked. <code>memscope explain</code> does.</p>` as VNode
  const words = (value: boolean | null) => (value === null ? 'not measured' : value ? 'succeeds' : 'fails')
  return html`<section><h2>Had one part been perfect</h2>${counterfactuals.map(
    (one) => html`<table><caption>
    ${one.words}: proven ${one.proven.replaceAll('_', ' ')}</caption><tbody>${PARTS.map(
      ([part, about]) => html`<tr><th scope="row">${about}</th>
    <td class=${one[part] === null ? 'off' : one[part] ? 'ok' : 'bad'}>${words(one[part])}</td></tr>`,
    )}</tbody></table>`,
  )}</section>` as VNode
}
