import { sha256 } from '../../base/hash.js'
import type { Memory } from '../../model/index.js'
import type { Memories } from './mapping.js'
import type { ToolResult } from './server.js'

/** An item of a result with the objects that it is in, the nearest last. */
interface Item {
  value: unknown
  inside: readonly object[]
}

/**
 * The memories of a result, in its order, or best first where it has scores. A memory without an id is known by its text, wherever it is
 * found or listed.
 *
 * @param known ids of conversations that were stored: nothing else is a source
 * @throws when the result is not of the shape that the mapping says
 */
export function memoriesIn(
  { tool, data, texts }: ToolResult,
  shapes: readonly Memories[],
  known: ReadonlySet<string>,
): Memory[] {
  const memories =
    shapes.length === 0
      ? texts.filter((text) => text.trim() !== '').map((text): Memory => ({ id: '', text }))
      : shapes.flatMap((shape) => itemsAt(tool, data, shape.at).flatMap((item) => memoriesOf(item, shape, known)))
  if (shapes.some(({ score }) => score)) memories.sort((a, b) => (b.score ?? 0) - (a.score ?? 0))
  const times = new Map<string, number>()
  return memories.map(({ id, ...memory }) => {
    if (id !== '') return { id, ...memory }
    const own = `t-${sha256(memory.text).slice(0, 16)}`
    const time = (times.get(own) ?? 0) + 1
    times.set(own, time)
    return { id: time === 1 ? own : `${own}-${time}`, ...memory }
  })
}

function memoriesOf(item: Item, shape: Memories, known: ReadonlySet<string>): Memory[] {
  const usual = typeof item.value === 'object' ? '{text}' : '{}'
  const text = filled(shape.text ?? usual, item)
  const part = (template: string | undefined) => (template === undefined ? '' : filled(template, item))
  const [time, source, score] = [part(shape.time), part(shape.source), part(shape.score)]
  const rest = {
    id: part(shape.id),
    ...(score !== '' && Number.isFinite(Number(score)) && { score: Number(score) }),
    ...(!Number.isNaN(Date.parse(time)) && { time }),
    ...(known.has(source) && { sources: [source] }),
  }
  const texts = shape.split === undefined ? [text] : text.split(shape.split)
  return texts.filter((one) => one.trim() !== '').map((one) => ({ ...rest, text: one }))
}

function itemsAt(tool: string, data: unknown, at: string): Item[] {
  let items: Item[] = [{ value: data, inside: [] }]
  for (const name of at === '' ? [] : at.split('.')) {
    items = items.flatMap(({ value, inside }) => {
      if (name === '*') {
        if (!Array.isArray(value)) throw new Error(`${tool} gave no list where "${at}" says: ${shapeOf(value)}`)
        return value.map((entry: unknown) => ({ value: entry, inside }))
      }
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name))
        throw new Error(`${tool} gave no "${name}" where "${at}" says: ${shapeOf(value)}`)
      return [{ value: Reflect.get(value, name), inside: [...inside, value] }]
    })
  }
  return items
}

/** `{}` is the item, `{a.b}` a field of it, `{^name}` a field of what it is in. A field that is not there is nothing. */
function filled(template: string, { value, inside }: Item): string {
  return template.replace(/\{(\^?)([\w.-]*)\}/g, (_, up: string, path: string) => {
    let found: unknown = up === '' ? value : inside.at(-1)
    for (const name of path === '' ? [] : path.split('.'))
      found =
        typeof found === 'object' && found !== null && Object.hasOwn(found, name) ? Reflect.get(found, name) : undefined
    return found === undefined || found === null ? '' : typeof found === 'string' ? found : JSON.stringify(found)
  })
}

function shapeOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value
  return Array.isArray(value) ? 'a list' : `an object with ${Object.keys(value).slice(0, 8).join(', ') || 'nothing'}`
}
