import type { Random } from '../../../base/random.js'
import type { Archetype } from '../seed.js'
import type { Liking, OperationOf, Taste } from '../trace.js'
import type { Act, Drift } from './knobs.js'

interface Held {
  subcategory: string
  item: string
  liking: Liking
}

type Change = OperationOf<'taste'>

/** What somebody likes and dislikes in one domain, drawn from what people of their kind may come to like. */
export function tastesIn(
  random: Random,
  domain: Taste,
  { subcategories }: Archetype,
  drift: Drift,
): (act: Act) => Change | null {
  const unused = new Map(Object.entries(subcategories).map(([name, items]) => [name, [...items]]))
  const held: Held[] = []
  /** Items that were turned, or that lost their place to another, latest last. */
  let turned: string[] = []
  const ousted: { subcategory: string; item: string; by: string }[] = []

  const hold = (taste: Held) => {
    const waiting = unused.get(taste.subcategory)!
    waiting.splice(waiting.indexOf(taste.item), 1)
    held.push(taste)
  }
  const release = (taste: Held) => {
    held.splice(held.indexOf(taste), 1)
    unused.get(taste.subcategory)!.push(taste.item)
    turned = turned.filter((item) => item !== taste.item)
  }
  const liked = (list: readonly Held[]) => list.filter(({ liking }) => liking === 'like')
  /** What has been watched, read, heard or visited stays so. */
  const changeable = () => held.filter(({ subcategory }) => !subcategory.startsWith('already_'))
  /**
   * Likes that may go. Nobody loses all they like, and a part of the domain loses its last only when every part is down to one: there must
   * be something left to suggest from.
   */
  const spare = (): Held[] => {
    const all = liked(held)
    if (all.length < 2) return []
    const likes = liked(changeable())
    const rich = likes.filter(({ subcategory }) => all.filter((one) => one.subcategory === subcategory).length > 1)
    return rich.length > 0 ? rich : likes
  }

  const add = (): Change | null => {
    const open = [...unused.keys()].filter((name) => unused.get(name)!.length > 0)
    if (open.length === 0) return null
    const drawn = random.pick([...unused.keys()])
    const subcategory = open.includes(drawn) ? drawn : random.pick(open)
    const item = random.pick(unused.get(subcategory)!)
    const liking: Liking = random.random() < 0.7 ? 'like' : 'dislike'
    hold({ subcategory, item, liking })
    return { of: 'taste', act: 'add', domain, subcategory, item, liking }
  }
  const withdraw = (): Change | null => {
    const likes = spare()
    if (likes.length === 0) return null
    const taste = random.pick(likes)
    release(taste)
    return { of: 'taste', act: 'delete', domain, ...taste }
  }
  const flip = (): Change | null => {
    const open = [...changeable().filter(({ liking }) => liking === 'dislike'), ...spare()]
    if (open.length === 0) return null
    const again = open.filter(({ item }) => turned.includes(item))
    const back = random.random() < drift.reversals && again.length > 0
    const taste = random.pick(back ? again : open)
    const { subcategory, item, liking: from } = taste
    taste.liking = from === 'like' ? 'dislike' : 'like'
    turned.push(item)
    return { of: 'taste', act: 'flip', domain, subcategory, item, from, to: taste.liking }
  }
  const replace = (): Change | null => {
    const likes = liked(changeable()).filter(({ subcategory }) => unused.get(subcategory)!.length > 0)
    if (likes.length === 0) return null
    const { old, item } = reversal(likes) ?? next(likes)
    const { subcategory, liking } = old
    hold({ subcategory, item, liking })
    release(old)
    ousted.push({ subcategory, item: old.item, by: item })
    return { of: 'taste', act: 'replace', domain, subcategory, item, old: old.item, liking }
  }
  /** An item that was put in another's place, and that other, to change places again. */
  const reversal = (likes: Held[]): { old: Held; item: string } | undefined => {
    if (random.random() >= drift.reversals) return undefined
    const choices = ousted.flatMap(({ subcategory, item, by }) => {
      const old = likes.find((taste) => taste.subcategory === subcategory && taste.item === by)
      return old && unused.get(subcategory)!.includes(item) ? [{ old, item }] : []
    })
    return choices.length > 0 ? random.pick(choices) : undefined
  }
  const next = (likes: Held[]): { old: Held; item: string } => {
    const follows = random.random() < drift.follows
    const latest = ousted.at(-1)?.by
    const old = (follows && likes.find(({ item }) => item === latest)) || random.pick(likes)
    return { old, item: random.pick(unused.get(old.subcategory)!) }
  }
  const update = () => (random.random() < drift.flips ? flip() : (replace() ?? flip()))

  // What cannot be done gives way to what can, a first item at the latest.
  return (act) => {
    if (act === 'add') return add() ?? withdraw()
    return (act === 'delete' ? withdraw() : update()) ?? add()
  }
}
