import type { Choice, Depth, FactLabel } from '../../model/index.js'
import { escapeHtml } from '../escape.js'
import { courseSteps, outcomeAt, roleWords, shownAt, wayOf } from '../fact-way.js'
import { clipText, depthWords, outcomeWords, plural } from '../format.js'
import { LETTERS } from '../letters.js'
import type { CriterionTrace, FactTrace, Moment, QuestionTrace } from '../report-data.js'
import { excerpt } from './excerpt.js'

/** Characters and pieces of a question that a page has room for; the viewer and memscope show have more. */
const MOST_TEXT = 1200
const MEMORY = 240
const INSTEAD = 160
const CRITERION = 300
const MOST_FACTS = 6
const MOST_EVIDENCE = 2
const MOST_RETRIEVED = 5
const MOST_CRITERIA = 12

/** Characters of a question in its line; a shorter one is not told again below it. */
const MOST_TITLE = 160

/** One question to open: what was asked, and the way of every fact through the memory. */
export function traceHtml(trace: QuestionTrace, shown: Depth | null, trials: boolean): string {
  const at = shownAt(trace, shown)
  const outcome = outcomeAt(trace, at)
  const { choices, criteria, answer, needs = [] } = trace
  const line = (name: string, text: string, beside = '') =>
    `<p class="gold"><b>${name}</b> ${escapeHtml(clipText(text, MOST_TEXT))}${beside}</p>`
  const choice = ({ letter, text }: Choice) =>
    `<li><b>${escapeHtml(letter)}</b> ${escapeHtml(clipText(text, CRITERION))}</li>`
  const reason = trace.answerReason
    ? ` <span class="ci">${escapeHtml(clipText(trace.answerReason, CRITERION))}</span>`
    : ''
  const isWhole = trace.text.length <= MOST_TITLE
  const parts = [
    isWhole ? '' : `<p class="ask">${escapeHtml(clipText(trace.text, MOST_TEXT))}</p>`,
    choices?.length ? `<ul class="choices">${choices.map(choice).join('')}</ul>` : '',
    criteria ? '' : line('right answer', trace.gold),
    answer === undefined ? '' : line('answer', answer, reason),
    criteria ? criteriaHtml(criteria, answer !== undefined) : '',
    trace.error ? line('not measured', trace.error) : '',
    ...trace.flags.map((flag) => line('flagged', flag)),
    needs.length > 1 ? line('needs', needs.map((set) => set.join(' + ')).join('  or  ')) : '',
    ...lostFirst(trace, at)
      .slice(0, MOST_FACTS)
      .map((fact) => factHtml(fact, trace, at)),
    trace.facts.length > MOST_FACTS
      ? `<p class="why">… and ${plural(trace.facts.length - MOST_FACTS, 'fact')} more.</p>`
      : '',
    retrievedHtml(trace),
  ]
  const id = [trace.scenario, trace.id, trials ? `trial ${trace.trial}` : ''].filter(Boolean).join(' · ')
  const tag = `<span class="tag o-${outcome}">${outcomeWords(outcome)}</span>${strip(trace)}`
  const title = `<span class="qid">${escapeHtml(id)}</span> <span class="qt${isWhole ? ' whole' : ''}">${escapeHtml(clipText(trace.text, MOST_TITLE))}</span>`
  return `<details class="q o-${outcome}"><summary>${tag}${title}</summary>${parts.join('')}</details>\n`
}

/** Facts that went wrong before the others. */
function lostFirst(trace: QuestionTrace, at: number): FactTrace[] {
  if (trace.facts.length <= MOST_FACTS) return trace.facts
  const isLost = (fact: FactTrace) => wayOf(fact, trace, at).some(([, mark]) => mark === 'bad')
  return [...trace.facts.filter(isLost), ...trace.facts.filter((fact) => !isLost(fact))]
}

function strip(trace: QuestionTrace): string {
  if (trace.byDepth.length < 2) return ''
  const words = trace.byDepth.map(({ depth, outcome }) => `${depthWords(depth)}: ${outcomeWords(outcome)}`).join(', ')
  const letters = trace.byDepth.map(({ outcome }) => `<i class="o-${outcome}">${LETTERS[outcome]}</i>`)
  return `<span class="ks" role="img" title="${words}">${letters.join('')}</span>`
}

/** Every criterion with what became of it, where it was lost, and what a panel said. */
function criteriaHtml(criteria: readonly CriterionTrace[], read: boolean): string {
  const items = criteria.slice(0, MOST_CRITERIA).map(({ text, type, met, cause, words, reason, votes, told }) => {
    const lost = words ?? cause?.replaceAll('_', ' ') ?? 'cause not known'
    const fine = read ? 'met' : type === 'forgetting' ? 'not left standing' : 'evidence there'
    const state = met === null ? 'not judged' : met ? fine : `missed: ${lost}`
    const said = votes?.map(({ judge, answer }) => `${judge} ${answer ?? 'no verdict'}`).join(', ')
    const where = told.length > 0 ? `told in ${told.join(', ')}` : ''
    const more = [type === 'forgetting' ? 'must not be' : '', said, reason, where].filter(Boolean)
    const look = met === null ? 'off' : met ? 'ok' : 'bad'
    const beside = `<span class="ci">${escapeHtml(clipText(more.join(' · '), CRITERION))}</span>`
    return `<li class="${look}"><span class="rank">${escapeHtml(state)}</span> <span>${escapeHtml(clipText(text, CRITERION))} ${beside}</span></li>`
  })
  const more = criteria.length - MOST_CRITERIA
  const rest = more > 0 ? `<p class="why">… and ${plural(more, 'criterion', 'criteria')} more.</p>` : ''
  return `<div class="fact"><p class="said"><b>criteria</b></p><ul class="criteria">${items.join('')}</ul>${rest}</div>`
}

function factHtml(fact: FactTrace, trace: QuestionTrace, at: number): string {
  const way = wayOf(fact, trace, at)
    .map(([words, mark]) => `<li class="${mark}">${words}</li>`)
    .join('')
  const evidence = fact.evidence.slice(0, MOST_EVIDENCE).map((memory) => {
    const quotes = fact.quotes.filter((quote) => quote.memory === memory.id).map((quote) => quote.text)
    const rank = `<span class="rank">${memory.rank === null ? 'not retrieved' : `rank ${memory.rank}`}</span>`
    return `<li>${rank} <code>${escapeHtml(memory.id)}</code> ${excerpt(memory.text, quotes, MEMORY)}</li>`
  })
  const uncertain = fact.uncertain ? ' <em>The judge is uncertain.</em>' : ''
  const unsupported = fact.unsupported ? ` <em>Unsupported: ${escapeHtml(fact.unsupported)}</em>` : ''
  return [
    `<div class="fact"><p class="said"><b>${roleWords(fact)}</b> ${escapeHtml(clipText(fact.text, 600))}</p><ol class="way">${way}</ol>`,
    `${courseHtml(fact, trace.moments)}<p class="why">${escapeHtml(clipText(fact.reason, CRITERION))}${uncertain}${unsupported}</p>`,
    `${evidence.length > 0 ? `<ul class="memories">${evidence.join('')}</ul>` : ''}</div>`,
  ].join('')
}

function retrievedHtml(trace: QuestionTrace): string {
  if (trace.retrieved.length === 0) return trace.error ? '' : '<p class="why">Nothing was retrieved.</p>'
  const deepest = trace.byDepth.at(-1)?.depth ?? 'all'
  const total = trace.retrievedTotal ?? trace.retrieved.length
  const shown = trace.retrieved.slice(0, MOST_RETRIEVED)
  const cut = total > shown.length ? `: first ${shown.length} of ${total}` : ''
  const head = `What was retrieved${deepest === 'all' ? '' : ` at ${depthWords(deepest)}`}${cut}`
  const items = shown.map(({ id, text, score, rank, carries }, at) => {
    const scored = score === undefined ? '' : `<span class="rank">${score.toFixed(2)}</span> `
    const hit = carries.length > 0 ? ` <span class="rank">carries ${escapeHtml(carries.join(', '))}</span>` : ''
    const what = `${scored}<code>${escapeHtml(id)}</code>${hit} ${escapeHtml(clipText(text, INSTEAD))}`
    const value = rank === at + 1 ? '' : ` value="${rank}"`
    return `<li${value}${hit && ' class="hit"'}>${what}</li>`
  })
  return `<div class="fact"><p class="said"><b>${head}</b></p><ol class="memories ranked">${items.join('')}</ol></div>`
}

/** A fact along the timeline: one field a moment, and in words when it entered, was altered and was lost. */
function courseHtml({ course }: FactTrace, moments: readonly Moment[] | undefined): string {
  if (!course || !moments) return ''
  const told = courseWords(course, moments)
  const fields = moments.map(({ kind }, i) => `<i class="c-${course[i] ?? 'unsaid'} m-${kind}"></i>`)
  return `<p class="course"><span class="strip" aria-hidden="true">${fields.join('')}</span> ${escapeHtml(told)}</p>`
}

/** Its story in a sentence. */
function courseWords(course: readonly (FactLabel | null)[], moments: readonly Moment[]): string {
  const steps = courseSteps(course).map(({ verb, at }) => `${verb} ${moments[at]!.name}`)
  return steps.length === 0 ? 'never entered the store' : steps.join(', ')
}
