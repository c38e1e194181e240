import { ORDINALS } from '../../../language/number-words.js'
import type { CriterionAsk } from '../../../model/index.js'
import { fieldParts } from './parts.js'

/** Words by which an answer says that something is behind the user, or was taken out. */
const GONE = ['done', 'completed', 'finished', 'removed', 'deleted', 'dropped', 'cancelled', 'no longer']

type Reader = (found: RegExpExecArray) => CriterionAsk

/** The phrasings of published criteria, in the order in which they are tried. */
const PHRASINGS: readonly [RegExp, Reader][] = [
  [/preference for (.+?)\?*$/i, ([, item]) => ({ act: 'recommend', forms: [item!] })],
  [/avoid recommending (.+?)(?: \(which[^()]*\))?\?*$/i, ([, item]) => ({ act: 'avoid', forms: [item!] })],
  [/\bspending is (OVER|UNDER|WITHIN|ON) BUDGET\b/i, ([, side]) => standing(/over/i.test(side!) ? 'over' : 'within')],
  [/\bgoal (?:was|is) (NOT )?MET\b/i, ([, not]) => standing(not ? 'missed' : 'met')],
  [/\bmet (?:your|the) .*? in (\d+) (weeks?|months?|days?)\b/i, ([, n, unit]) => counted(n!, unit!)],
  [
    /\bthat (?:the )?(.+?) had the (?:most|highest|lowest|least)\b/i,
    ([, period]) => ({ act: 'mention', forms: periodForms(period!) }),
  ],
  [
    /\bamount \((.+?)\) compared to .*?\((.+?)\)/i,
    ([, one, two]) => ({ act: 'mention', forms: [], numbers: numbersIn(`${one} ; ${two}`) }),
  ],
  [
    /\bcount \((.+?)\) compared to .*?\((.+?)\)/i,
    ([, one, two]) => ({ act: 'mention', forms: [], numbers: numbersIn(`${one} ; ${two}`) }),
  ],
  [
    /\b(?:goal|amount|count|total|average) of (\$?[\d.,]*\d(?: steps)?)\?*$/i,
    ([, one]) => ({ act: 'mention', forms: [], numbers: numbersIn(one!) }),
  ],
  [
    /\b(?:include|mention) (?:the )?(?:calendar |upcoming )*(?:event )?([^':]+?) (?:on|for|scheduled for|scheduled on|dated) \d{4}-\d\d-\d\d/i,
    ([text, name]) => item(name!, /mention/i.test(text)),
  ],
  [
    /\b(?:calendar |upcoming |past |expired )*event '(.+)' (?:on|scheduled for|scheduled on) (\d{4}-\d\d-\d\d)(.*)$/i,
    ([, name, , rest]) => item(name!, /mention/i.test(rest!)),
  ],
  [/\b(?:task|event): (.+?)\?*$/i, ([, name]) => item(name!, true)],
  [
    /\binclude (.+?) (?:in the (?:current )?task list|\((?:past|upcoming) event\)|(?:as|among) (?:an?|the) (?:upcoming|past) events?)\?*$/i,
    ([, name]) => item(name!, false),
  ],
  [/\b(?:task|event) '(.+)' (?:mentioned|included)/i, ([text, name]) => item(name!, /mentioned$/.test(text))],
  [/\b(?:todo item |past event |event |task )'(.+)' (?:correctly |listed |shown )/i, ([, name]) => item(name!, false)],
  [/^Is '(.+)' (?:listed|shown|included|mentioned|correctly)/i, ([, name]) => item(name!, false)],
  [
    /\bbudget(?: details| information)?:? '?\$?(\d[\d.,]*?)'?(?:\?|$| (?:that|included|mentioned|correctly|appropriately))/i,
    ({ 1: amount, input }) => ({ act: 'mention', forms: [], numbers: numbersIn(`$${amount}`), ...gone(input) }),
  ],
  [
    /\b(?:include|mention) the (deleted |removed )?([^:']+): (.+?)\?*$/is,
    ([, deleted, field, value]) => fieldAsk(field!, value!, deleted !== undefined),
  ],
  [
    /\bmention the ([^']+) '(.+)' that was (?:deleted|removed)/is,
    ([, field, value]) => fieldAsk(field!, value!, false),
  ],
  [/\bIs the removed (.+?) information '(.+)' mentioned/is, ([, field, value]) => fieldAsk(field!, value!, false)],
  [
    /\bIs the (deleted )(?:meeting |project |email )?(.+?) '(.+)' included/is,
    ([, deleted, field, value]) => fieldAsk(field!, value!, deleted !== undefined),
  ],
  [
    /\bIs the (?:\w+'s )?(.+?)(?: information)? '(.+)' (?:correctly|appropriately|included|mentioned)/is,
    ([, field, value]) => fieldAsk(field!, value!, false),
  ],
]

const known = new Map<string, CriterionAsk>()

/** Whether a criterion is put in one of the phrasings of the published ones, so that its text says what it asks for. */
export function isPublishedPhrasing(text: string): boolean {
  return PHRASINGS.some(([phrasing]) => phrasing.test(text))
}

/**
 * What a published criterion asks for, read from its text. A phrasing that is not known asks for the words between its quotes, or for
 * all it says.
 *
 * @example asksOf('Does the response mention the task: Call the plumber?').forms // ['Call the plumber']
 */
export function asksOf(text: string): CriterionAsk {
  let asks = known.get(text)
  if (!asks) {
    asks = read(text)
    if (known.size >= 50_000) known.clear()
    known.set(text, asks)
  }
  return asks
}

function read(text: string): CriterionAsk {
  for (const [phrasing, reader] of PHRASINGS) {
    const found = phrasing.exec(text)
    if (found) return reader(found)
  }
  const quoted = /['"\u201c](.+)['"\u201d]/s.exec(text)?.[1]
  const bare = text.replace(/^(?:does|is|are|has|did) the (?:response|answer) (?:\w+ )?/i, '').replace(/\?+$/, '')
  return { act: /\bavoid|keep from\b/i.test(text) ? 'avoid' : 'mention', forms: [quoted ?? bare] }
}

function item(name: string, literal: boolean): CriterionAsk {
  return { act: 'mention', forms: [name], ...(literal ? {} : { status: { forms: [], contrary: GONE } }) }
}

function fieldAsk(field: string, value: string, deleted: boolean): CriterionAsk {
  const parts = fieldParts(field, value)
  return {
    act: 'mention',
    ...(parts.length === 1 ? { forms: parts } : { forms: [], parts }),
    ...(deleted ? { status: { forms: [], contrary: GONE } } : {}),
  }
}

function gone(text: string): Pick<CriterionAsk, 'status'> {
  return /\bdeleted\b/.test(text) && !/\bmention/.test(text) ? { status: { forms: [], contrary: GONE } } : {}
}

/** The side of a goal on which somebody is. */
export type Side = 'over' | 'within' | 'met' | 'missed'

const SIDES: Record<Side, string[]> = {
  over: ['over budget', 'overspent', 'exceeded', 'went over'],
  within: ['under budget', 'within budget', 'below budget'],
  met: ['met', 'reached', 'hit', 'achieved'],
  missed: ['not met', 'missed', 'fell short', 'short of'],
}
const OPPOSITE: Record<Side, Side> = { over: 'within', within: 'over', met: 'missed', missed: 'met' }

function standing(side: Side): CriterionAsk {
  const forms = SIDES[side]
  return { act: 'mention', forms, status: { forms, contrary: SIDES[OPPOSITE[side]] } }
}

/** The side that the forms of a standing stand for; undefined when they are about something else. */
export function sideOf({ forms }: NonNullable<CriterionAsk['status']>): Side | undefined {
  return (['over', 'missed', 'within', 'met'] as const).find((side) =>
    forms.some((form) => form === SIDES[side][0] || form === SIDES[side][1]),
  )
}

function counted(count: string, unit: string): CriterionAsk {
  return { act: 'mention', forms: [], numbers: [{ value: Number(count), unit: unit.replace(/s?$/, 's') }] }
}

function numbersIn(text: string): { value: number; unit?: string }[] {
  return [...text.matchAll(/(\$)?(\d[\d,]*(?:\.\d+)?)(?: (steps))?/g)].map(([, money, digits, unit]) => {
    const value = Number(digits!.replaceAll(',', ''))
    return money ? { value, unit: '$' } : unit ? { value, unit } : { value }
  })
}

function periodForms(period: string): string[] {
  const [, number, unit = ''] = /^(\d+)(?:st|nd|rd|th) (week|month)$/i.exec(period) ?? []
  if (number === undefined) return [period]
  const place = Number(number)
  return [period, `${unit} ${place}`, `${ORDINALS[place] ?? period} ${unit}`]
}
