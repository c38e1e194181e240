import { fold } from '../../../base/text.js'
import type { CriterionAsk } from '../../../model/index.js'
import { isByMonth } from '../days.js'
import { TASTES } from '../trace.js'
import { itemForms } from '../wording.js'
import { type Item, type Life, makeQuestion, phrasesFor, type QuestionCandidate } from './asking.js'
import { current, type LifeFact, outdated } from './history.js'

/** One item of taste with everything told of it. */
interface Tasted {
  subcategory: string
  item: string
  told: readonly LifeFact[]
}

/** Questions for suggestions: one for every domain, and one for every part of a domain in which something is liked. */
export function recommending(life: Life): (QuestionCandidate | null)[] {
  const isLong = isByMonth(life.trace)
  return TASTES.flatMap((domain) => {
    const tasted = life.history.things(`taste:${domain}:`).map((thing): Tasted => {
      const [, , subcategory, ...item] = thing.split(':')
      return { subcategory: subcategory!, item: item.join(':'), told: life.history.of(thing) }
    })
    const parts = [...new Set(tasted.map(({ subcategory }) => subcategory))].sort()
    return [
      suggest(life, 'general', domain, isLong ? 'general' : `general ${domain}`, tasted),
      ...parts.map((part) => {
        const within = tasted.filter(({ subcategory }) => subcategory === part)
        return suggest(life, 'subcategory', `${domain}.${part}`, isLong ? domain : 'subcategory', within)
      }),
    ]
  })
}

function suggest(life: Life, subtype: string, about: string, family: string, tasted: readonly Tasted[]) {
  const held = tasted.filter(({ told }) => current(told).holds)
  const names = new Set(held.map(({ item }) => fold(item)))
  const isLiked = ({ told }: Tasted) => current(told).value === 'like'
  const wasLiked = ({ told }: Tasted) => told.some(({ value }) => value === 'like')
  // An item of the same name that still counts elsewhere in the domain must not be forgotten.
  const gone = tasted.filter((one) => !current(one.told).holds && wasLiked(one) && !names.has(fold(one.item)))
  const phrases = phrasesFor(subtype, about)
  const forgetting = [...held.filter((one) => !isLiked(one)).map(disliked), ...gone.map(withdrawn)]
  const presence = held.filter(isLiked).map(liked)
  return makeQuestion(life, { task: 'recommending', subtype, family, about, phrases, presence, forgetting })
}

/** Decades take an article. */
const titled = (item: string): string => (/^\d{4}s$/.test(item) ? `the ${item}` : item)

function liked({ subcategory, item, told }: Tasted): Item {
  const liking = subcategory.startsWith('already_') ? ` having enjoyed ${item}` : `'s liking for ${titled(item)}`
  return tasteItem(`Does the answer draw on the user${liking}?`, 'recommend', item, told)
}

/** To be left out: that it is disliked has to be known, though an answer does not say it. */
function disliked({ item, told }: Tasted): Item {
  const text = `Does the answer keep from suggesting ${titled(item)}, which the user dislikes?`
  return tasteItem(text, 'avoid', item, told)
}

function withdrawn({ item, told }: Tasted): Item {
  const text = `Does the answer still go by a liking for ${titled(item)}, which the user has withdrawn?`
  const former = outdated(told).filter(({ value }) => value === 'like')
  return { ...tasteItem(text, 'recommend', item, told), needs: [], outdated: former }
}

function tasteItem(text: string, act: CriterionAsk['act'], item: string, told: readonly LifeFact[]): Item {
  return { text, asks: { act, forms: itemForms(item) }, told, needs: [current(told)], outdated: outdated(told) }
}
