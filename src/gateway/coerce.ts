import type { JsonSchema } from '../model/index.js'
import { isObject, parseJson } from './json.js'

/**
 * A value bent towards a JSON Schema where there is only one way to mean it: `"3"` for 3, `"ADD"` for `add`, one thing for a list of it, a name
 * written in another case. What is missing is not made up, and what fits already stays as it is.
 */
export function coercedToSchema(value: unknown, schema: JsonSchema): unknown {
  const options = optionsOf(schema)
  if (options) {
    const fitting = options.find(
      (option) => kindOf(value) === typeOf(option) && coercedToSchema(value, option) === value,
    )
    const meant = fitting ?? options.find((option) => typeOf(option) === kindOf(value)) ?? options.find(isNotNull)
    return meant ? coercedToSchema(value, meant) : value
  }
  if (Array.isArray(schema.enum)) return memberOf(schema.enum, value)
  switch (typeOf(schema)) {
    case 'string':
      return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
    case 'number':
    case 'integer':
      return typeof value === 'string' && /^\s*[-+]?\d+(?:\.\d+)?\s*$/.test(value) ? Number(value) : value
    case 'boolean':
      return typeof value === 'string' ? (TRUTHS.get(value.trim().toLowerCase()) ?? value) : value
    case 'array':
      return listFrom(value, schema)
    case 'object':
      return objectFrom(value, schema)
    default:
      return value
  }
}

const TRUTHS = new Map([
  ['true', true],
  ['false', false],
  ['yes', true],
  ['no', false],
])

/** Words for an empty list, which must not become what it holds. */
const NOTHING = /^(?:none|null|nil|nothing|empty|n\/?a|no\b.*|-*)$/i

function listFrom(value: unknown, { items }: JsonSchema): unknown {
  const inner = isObject(items) ? items : {}
  const read = typeof value === 'string' && value.trim().startsWith('[') ? parseJson(value) : value
  if (read === null || read === undefined) return []
  const list = Array.isArray(read) ? read : isOneOf(read, inner) ? [read] : null
  return list ? list.map((one) => coercedToSchema(one, inner)) : value
}

/** Whether a value is one of what a list holds, where the list around it was left out. */
function isOneOf(value: unknown, inner: JsonSchema): boolean {
  if (typeof value === 'string' && NOTHING.test(value.trim())) return false
  return kindOf(value) === typeOf(inner) || (typeof value === 'string' && oneText(inner) !== null)
}

function objectFrom(value: unknown, schema: JsonSchema): unknown {
  const properties = propertiesOf(schema)
  const read = typeof value === 'string' && value.trim().startsWith('{') ? (parseJson(value) ?? value) : value
  const only = oneText(schema)
  if (typeof read === 'string' && only !== null) return { [only]: read }
  if (!isObject(read)) return value
  const named = new Map(Object.keys(properties).map((name) => [plain(name), name]))
  const entries = Object.entries(read).map(([name, part]): [string, unknown] => {
    const meant = Object.hasOwn(properties, name) ? name : (named.get(plain(name)) ?? name)
    const inner = properties[meant]
    return [meant, inner ? coercedToSchema(part, inner) : part]
  })
  return Object.fromEntries(entries)
}

/** The only property of an object that is one text and nothing else. */
function oneText(schema: JsonSchema): string | null {
  const properties = Object.entries(propertiesOf(schema))
  const [name, inner] = properties[0] ?? []
  return properties.length === 1 && inner && typeOf(inner) === 'string' && !inner.enum ? name! : null
}

/** The member of an enum that a value means: written in another case, with other separators, or as a text of it. */
function memberOf(members: readonly unknown[], value: unknown): unknown {
  if (members.includes(value)) return value
  const meant = members.filter((member) => plain(String(member)) === plain(String(value)))
  return meant.length === 1 ? meant[0] : value
}

/** The list that an object holds, where that is all it must hold; null when there is more or none. */
export function onlyList(schema: JsonSchema): string | null {
  const required = Array.isArray(schema.required) ? schema.required : []
  const lists = Object.entries(propertiesOf(schema)).filter(([, inner]) => typeOf(inner) === 'array')
  const [name] = lists[0] ?? []
  return lists.length === 1 && required.every((other) => other === name) ? name! : null
}

function propertiesOf({ properties }: JsonSchema): Record<string, JsonSchema> {
  if (!isObject(properties)) return {}
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, inner]) => (isObject(inner) ? [[name, inner]] : [])),
  )
}

function optionsOf({ anyOf, oneOf, type }: JsonSchema): JsonSchema[] | null {
  const options = anyOf ?? oneOf
  if (Array.isArray(options)) return options.filter(isObject)
  return Array.isArray(type) ? type.map((one: unknown) => ({ type: one })) : null
}

function isNotNull(schema: JsonSchema): boolean {
  return typeOf(schema) !== 'null'
}

function typeOf({ type }: JsonSchema): string {
  return type === 'integer' ? 'number' : typeof type === 'string' ? type : ''
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[\s_-]+/g, '')
}
