import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import type { ReviewQueue } from '../../review-queue.js'
import type { PageProps } from '../app.js'
import { Loaded } from '../page-parts.js'
import { chooseInAddress } from '../route.js'
import { tellServer, useAnswer } from '../source.js'
import { useOneAtATime } from '../use-one-at-a-time.js'

const KINDS = ['facts', 'answers', 'criteria'] as const
const LABEL_WORDS: Record<string, string> = {
  not_stored: 'not stored: no memory has any version of it',
  summary_error: 'damaged: a version is there, but not exactly this',
  correct: 'faithful: it can be recovered exactly',
  right: 'right',
  wrong: 'wrong',
  yes: 'yes',
  no: 'no',
}

/** Cases of this run to be labelled blind: without the verdict, in an order that tells nothing. */
export function ReviewPage({ params }: PageProps): VNode {
  const { run } = params
  const first = useAnswer<ReviewQueue[]>('queues', { run })
  const [queues, setQueues] = useState<ReviewQueue[] | null>(null)
  const [problem, setProblem] = useState('')
  const shown = queues ?? first.data ?? []
  const put = (queue: ReviewQueue) => {
    setProblem('')
    setQueues((before) => [...(before ?? shown).filter(({ kind }) => kind !== queue.kind), queue])
  }
  const fail = (error: unknown) => setProblem(error instanceof Error ? error.message : String(error))
  const [drawing, setDrawing] = useState('')
  const draw = (kind: string) => {
    chooseInAddress({ kind, at: '' })
    if (shown.some((one) => one.kind === kind)) return
    setDrawing(kind)
    tellServer<ReviewQueue>('draw', { run, kind })
      .then(put, fail)
      .finally(() => setDrawing(''))
  }
  const queue = shown.find(({ kind }) => kind === params.kind)
  return html`<h1>Review</h1>
    <p class="intro">Label what the judge judged, without seeing its verdict. Labels go into a file that <code>memscope judge eval</code> reads.</p>
    <p class="tabs" role="group" aria-label="Kind">
      ${KINDS.map(
        (
          kind,
        ) => html`<button type="button" aria-pressed=${kind === params.kind} onClick=${() => draw(kind)}>${kind} <span class="ci">
      ${progressOf(shown.find((one) => one.kind === kind))}</span></button>`,
      )}</p>
    ${drawing && html`<p class="wait" role="status">Drawing ${drawing} …</p>`}
    ${problem && html`<p class="problem" role="alert">${problem}</p>`}
    <${Loaded} answer=${first}>${() => queue && html`<${Queue} queue=${queue} run=${run} at=${params.at} put=${put} fail=${fail} />`}</${Loaded}>` as VNode
}

function progressOf(queue: ReviewQueue | undefined): string {
  return queue ? `${queue.labelled} of ${queue.cases.length}` : 'not drawn'
}

/** What all kinds of cases are shown by. */
interface Shown {
  id: string
  question?: string
  answer?: string
  memories?: string[]
  source?: string[]
  facts?: { text: string; evidence?: string[]; label?: string; support?: number[]; role?: string }[]
  criteria?: { question: string; label: string }[]
  gold?: { text: string }
  choices?: { letter: string; text: string }[]
  label?: string
}

function labelOf(one: Shown): string {
  return (one.criteria?.[0]?.label ?? (one.memories ? one.facts?.[0]?.label : one.label)) || ''
}

function Queue({
  queue,
  run,
  at,
  put,
  fail,
}: {
  queue: ReviewQueue
  run?: string
  at?: string
  put(queue: ReviewQueue): void
  fail(error: unknown): void
}): VNode {
  const cases = queue.cases as Shown[]
  const open = cases.findIndex((one) => labelOf(one) === '')
  const place = Math.min(cases.length - 1, at ? Number(at) : Math.max(0, open))
  const one = cases[place]!
  const [support, setSupport] = useState<number[]>([])
  useEffect(() => setSupport(one.facts?.[0]?.support ?? []), [one.id, queue.kind])
  const alone = useOneAtATime()
  const label = (given: string) =>
    alone(() =>
      tellServer<ReviewQueue>('label', { run, kind: queue.kind, id: one.id, label: given, support }).then((next) => {
        put(next)
        const after = (next.cases as Shown[]).findIndex((each, i) => i > place && labelOf(each) === '')
        chooseInAddress({ at: String(after >= 0 ? after : Math.min(place + 1, cases.length - 1)) })
      }, fail),
    )
  // With what is drawn: a key that comes before the next frame is meant for the case that is seen.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      const given = queue.labels['asdf'.indexOf(event.key)]
      if (
        given === undefined ||
        // A key that is held down says nothing about the cases that come by.
        event.repeat ||
        event.ctrlKey ||
        event.metaKey ||
        /^(?:INPUT|SELECT)$/.test((event.target as HTMLElement).tagName)
      )
        return
      event.preventDefault()
      label(given)
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  })
  const step = (by: number) => chooseInAddress({ at: String(Math.max(0, Math.min(cases.length - 1, place + by))) })
  const toggle = (i: number) =>
    setSupport((before) =>
      before.includes(i) ? before.filter((other) => other !== i) : [...before, i].sort((a, b) => a - b),
    )
  return html`<section aria-label="Case" class="case"><p class="around">
    <button type="button" data-key="[" onClick=${() => step(-1)}>‹ before</button> <button type="button" data-key="]"
      onClick=${() => step(1)}>next ›</button> <span
      class="ci">${place + 1} of ${cases.length} · ${queue.labelled} labelled</span> <progress max=${cases.length} value=${queue.labelled}
      aria-label="Labelled" /></p>
    ${one.question && html`<p class="ask text">${one.question}</p>`}
    ${one.choices && html`<ul class="choices">${one.choices.map(({ letter, text }) => html`<li><b>${letter}</b> ${text}</li>`)}</ul>`}
    ${one.gold && html`<p class="gold"><b>right answer</b> <span class="text">${one.gold.text}</span></p>`}
    ${one.answer && html`<p class="answer text">${one.answer}</p>`}
    ${one.criteria && html`<p class="ask text">${one.criteria[0]?.question}</p>`}
    ${
      one.facts &&
      html`<h2>${one.memories ? 'Does the memory hold this?' : 'What it rests on'}</h2><ul class="plain">
      ${one.facts.map((fact) => html`<li class="text">${fact.role && html`<b>${fact.role}</b> `}${fact.evidence?.join(' … ') ?? fact.text}</li>`)}</ul>`
    }
    ${
      one.memories &&
      html`<div class="columns"><div><h3>Memories <span class="ci">tick those that carry it</span></h3><ul class="plain">
        ${one.memories.map(
          (memory, i) => html`<li><label class="tick">
        <input type="checkbox" checked=${support.includes(i)} onChange=${() => toggle(i)} /> <span class="text">${memory}</span></label></li>`,
        )}</ul>
        ${one.memories.length === 0 && html`<p>None.</p>`}</div>
      <div><h3>Where it was said</h3>${one.source?.map((text) => html`<p class="turn text">${text}</p>`)}</div></div>`
    }
    <p class="labels" role="group" aria-label="Label">
      ${queue.labels.map(
        (
          given,
          i,
        ) => html`<button type="button" aria-pressed=${labelOf(one) === given} onClick=${() => label(given)}><kbd>
      ${'asdf'[i]}</kbd> ${LABEL_WORDS[given] ?? given}</button>`,
      )}</p>
    ${queue.labelled > 0 && html`<p class="ci">Labelled so far: <code>memscope judge eval --gold ${queue.file}</code></p>`}</section>` as VNode
}
