import { fold } from '../../../base/text.js'
import { TASTES, type Taste } from '../trace.js'
import { type Item, type Life, makeQuestion, phrasesFor, type QuestionCandidate } from './asking.js'
import { current, type LifeFact, outdated } from './history.js'
import { isByMonth } from './periods.js'
import { itemForms } from './wording.js'

/** One item of taste with everything told of it. */
interface Tasted {
  domain: Taste
  subcategory: string
  item: string
  told: readonly LifeFact[]
}

/** Questions for suggestions: one for every domain, and one for every part of a domain in which something is liked. */
export function recommending(life: Life): QuestionCandidate[] {
  const tasted = allTasted(life)
  const isLong = isByMonth(life.trace)
  return TASTES.flatMap((domain) => {
    const inDomain = tasted.filter((one) => one.domain === domain)
    const parts = [...new Set(inDomain.map(({ subcategory }) => subcategory))].sort()
    return [
      suggest(life, 'general', domain, inDomain, isLong ? 'general' : `general ${domain}`, domain),
      ...parts.map((part) => {
        const within = inDomain.filter(({ subcategory }) => subcategory === part)
        return suggest(
          life,
          'subcategory',
          `${domain}.${part}`,
          within,
          isLong ? domain : 'subcategory',
          `${domain}.${part}`,
        )
      }),
    ].flatMap((candidate) => candidate ?? [])
  })
}

function suggest(
  life: Life,
  subtype: 'general' | 'subcategory',
  about: string,
  tasted: readonly Tasted[],
  family: string,
  kind: string,
): QuestionCandidate | null {
  const held = tasted.filter(({ told }) => current(told).holds)
  const names = new Set(held.map(({ item }) => fold(item)))
  // An item of the same name that still counts elsewhere in the domain must not be forgotten.
  const gone = tasted.filter(({ told, item }) => !current(told).holds && wasLiked(told) && !names.has(fold(item)))
  return makeQuestion(life, {
    task: 'recommending',
    subtype,
    family,
    about,
    phrases: phrasesFor(subtype, kind),
    presence: held.filter(isLiked).map(liked),
    forgetting: [...held.filter((one) => !isLiked(one)).map(disliked), ...gone.map(withdrawn)],
  })
}

function allTasted({ history }: Life): Tasted[] {
  return history.things('taste:').map((thing) => {
    const [, domain, subcategory, ...item] = thing.split(':') as [string, Taste, string, ...string[]]
    return { domain, subcategory, item: item.join(':'), told: history.of(thing) }
  })
}

/** Decades take an article. */
const titled = (item: string): string => (/^\d{4}s$/.test(item) ? `the ${item}` : item)

const isLiked = ({ told }: Tasted): boolean => current(told).value === 'like'
const wasLiked = (told: readonly LifeFact[]): boolean => told.some(({ value }) => value === 'like')

function liked({ subcategory, item, told }: Tasted): Item {
  const text = subcategory.startsWith('already_')
    ? `Does the answer draw on the user having enjoyed ${item}?`
    : `Does the answer draw on the user's liking for ${titled(item)}?`
  return {
    text,
    asks: { act: 'recommend', forms: itemForms(item) },
    told,
    needs: [current(told)],
    outdated: outdated(told),
  }
}

/** To be left out: that it is disliked has to be known, though an answer does not say it. */
function disliked({ item, told }: Tasted): Item {
  return {
    text: `Does the answer keep from suggesting ${titled(item)}, which the user dislikes?`,
    asks: { act: 'avoid', forms: itemForms(item) },
    told,
    needs: [current(told)],
    outdated: outdated(told),
  }
}

function withdrawn({ item, told }: Tasted): Item {
  return {
    text: `Does the answer still go by a liking for ${titled(item)}, which the user has withdrawn?`,
    asks: { act: 'recommend', forms: itemForms(item) },
    told,
    needs: [],
    outdated: outdated(told).filter(({ value }) => value === 'like'),
  }
}
