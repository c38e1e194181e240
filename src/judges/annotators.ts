import { UserError } from '../base/errors.js'
import { cohen, kappaInterval, wilson } from '../base/intervals.js'
import type { Interval } from '../model/index.js'
import { GOLD_KINDS, type GoldKind, goldKind, LABELS, labelsIn, numbered, parseJson } from './gold.js'
import { confusionOf, groupedBy } from './label-agreement.js'

/** How two annotators agree. Shares are null when there is nothing to compare. */
export interface AnnotatorAgreement {
  /** Items that both labelled. */
  n: number
  agreement: number | null
  ci95: Interval | null
  /** Cohen's; null also when chance alone explains everything. */
  kappa: number | null
  kappaCi95: Interval | null
  /** `confusion[first][second]`. */
  confusion: Record<string, Record<string, number>>
  /** Items that only one of them labelled. */
  only: { first: number; second: number }
  /** Items that neither labelled. */
  unlabelled: number
}

export interface KindAgreement extends AnnotatorAgreement {
  byTask: Record<string, AnnotatorAgreement>
  /** By kind of fact, of gold, or of criterion. */
  byKind: Record<string, AnnotatorAgreement>
}

interface Item {
  kind: GoldKind
  /** What is labelled, so that two things of one name are not compared. */
  content: string
  task: string
  sort: string
  label: string | null
  where: string
}

interface Both {
  first: Item | undefined
  second: Item | undefined
}

/**
 * How two people agree who labelled the same cases alone: facts, answers or criteria, or all of them in one file. Labels may be missing;
 * they are counted, not guessed.
 *
 * @example compareAnnotators({ name: 'a.jsonl', text: a }, { name: 'b.jsonl', text: b }).criteria?.kappa
 */
export function compareAnnotators(
  first: { name: string; text: string },
  second: { name: string; text: string },
): Partial<Record<GoldKind, KindAgreement>> {
  const [one, other] = [itemsOf(first.text, first.name), itemsOf(second.text, second.name)]
  const pairs = [...new Set([...one.keys(), ...other.keys()])].map((key): Both => {
    const pair = { first: one.get(key), second: other.get(key) }
    if (pair.first && pair.second && pair.first.content !== pair.second.content)
      throw new UserError(
        `${pair.first.where} and ${pair.second.where} have one name and are not the same case.`,
        'Give both annotators copies of one file.',
      )
    return pair
  })
  if (!pairs.some((pair) => pair.first && pair.second))
    throw new UserError(
      `${first.name} and ${second.name} have no case in common.`,
      'Give both annotators copies of one file.',
    )
  const of = (kind: GoldKind) => (own: readonly Both[]) => agreementOf(LABELS[kind], own)
  return Object.fromEntries(
    GOLD_KINDS.flatMap((kind) => {
      const own = pairs.filter((pair) => anyOf(pair).kind === kind)
      if (own.length === 0) return []
      const byTask = groupedBy(own, (pair) => anyOf(pair).task, of(kind))
      return [[kind, { ...of(kind)(own), byTask, byKind: groupedBy(own, (pair) => anyOf(pair).sort, of(kind)) }]]
    }),
  )
}

function agreementOf(labels: readonly string[], pairs: readonly Both[]): AnnotatorAgreement {
  const both = pairs.flatMap(({ first, second }): [string, string][] =>
    first?.label && second?.label ? [[first.label, second.label]] : [],
  )
  const only = (side: 'first' | 'second', other: 'first' | 'second') =>
    pairs.filter((pair) => pair[side]?.label && !pair[other]?.label).length
  const { agreement, kappa } = cohen(both)
  const n = both.length
  return {
    n,
    agreement: n === 0 ? null : agreement,
    ci95: n === 0 ? null : wilson(Math.round(agreement * n), n),
    kappa,
    kappaCi95: kappaInterval(both),
    confusion: confusionOf(labels, both),
    only: { first: only('first', 'second'), second: only('second', 'first') },
    unlabelled: pairs.filter(({ first, second }) => !first?.label && !second?.label).length,
  }
}

function anyOf({ first, second }: Both): Item {
  return (first ?? second)!
}

/** Everything that is to be labelled in a file, by case and name. */
function itemsOf(text: string, file: string): Map<string, Item> {
  const items = new Map<string, Item>()
  for (const { line, where } of numbered(text, file)) {
    const json = parseJson(line, where)
    const labels = labelsIn(json)
    if (!labels)
      throw new UserError(`${where} is no case to be labelled.`, 'Expected lines as judge sample draws them.')
    const kind = goldKind(json)
    for (const { id, label, what } of labels) {
      if (label !== null && !LABELS[kind].includes(label))
        throw new UserError(
          `${where}: ${what} has the label "${label}".`,
          `Write ${LABELS[kind].map((option) => `"${option}"`).join(' or ')}, or leave it empty.`,
        )
      const key = `${kind} ${fieldOf(json, 'id')} ${id}`
      if (items.has(key)) throw new UserError(`${where}: ${what} is there twice.`, 'Remove one of the two lines.')
      items.set(key, { kind, label, where, ...aboutOf(kind, json, id) })
    }
  }
  return items
}

/** What a label is about: the parts of a case that people do not write into. */
function aboutOf(kind: GoldKind, json: unknown, id: string): Pick<Item, 'content' | 'task' | 'sort'> {
  const inner = [fieldOf(json, kind === 'criteria' ? 'criteria' : 'facts')]
    .flat()
    .find((one) => fieldOf(one, 'id') === id)
  const content = JSON.stringify(
    kind === 'facts'
      ? [fieldOf(inner, 'text'), fieldOf(json, 'memories')]
      : [fieldOf(json, 'question'), fieldOf(json, 'answer'), kind === 'criteria' && fieldOf(inner, 'question')],
  )
  const sorts = {
    facts: fieldOf(fieldOf(inner, 'cues'), 'kind'),
    answers: fieldOf(fieldOf(json, 'gold'), 'kind'),
    criteria: fieldOf(inner, 'type'),
  }
  const task = fieldOf(json, kind === 'facts' ? 'dataset' : 'task')
  return { content, task: String(task ?? 'other'), sort: String(sorts[kind] ?? 'other') }
}

function fieldOf(json: unknown, name: string): unknown {
  return typeof json === 'object' && json !== null ? Object.entries(json).find(([key]) => key === name)?.[1] : undefined
}
