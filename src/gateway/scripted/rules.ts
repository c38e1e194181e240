import type { JsonSchema, LlmFinish, LlmUsage } from '../../model/index.js'
import type { WireMessage, WireRequest } from '../wire.js'

/** What a rule looks for. All that is given must hold. */
export interface RuleCondition {
  /** A text that some message contains, or an expression that one matches. */
  text?: string | RegExp
  /** Only messages of this role count for `text`; alone: the last message has this role. */
  role?: WireMessage['role']
  /** A schema is asked for: any, or one with this property. */
  schema?: true | string
  /** A tool is offered: any, or the one of this name. */
  tool?: true | string
}

/** A request as a rule sees it. */
export interface ScriptedCall {
  /** From 1, over all calls the model got. Depends on order when calls run at the same time. */
  number: number
  request: WireRequest
  /** Text of the last message. */
  last: string
  schema: JsonSchema | null
  /** Groups of the expression that matched. */
  groups: string[]
}

/** What a scripted model says. A string is text; `json` is written as JSON. */
export type ScriptedReply =
  | string
  | {
      text?: string
      json?: unknown
      /** `arguments` is what the model wrote, to the letter, in place of `input`. */
      toolCalls?: readonly { name: string; input?: unknown; arguments?: string; id?: string }[]
      finish?: LlmFinish
      /** Takes the place of what is counted. */
      usage?: Partial<LlmUsage>
    }

export interface Rule {
  when?: RuleCondition
  /** In a text, `$1` stands for the first group that matched. */
  reply: ScriptedReply | ((call: ScriptedCall) => ScriptedReply | Promise<ScriptedReply>)
}

/** The first rule that fits a request, with what its expression captured. */
export function matchRule(rules: readonly Rule[], request: WireRequest): { rule: Rule; groups: string[] } | null {
  for (const rule of rules) {
    const groups = matches(rule.when ?? {}, request)
    if (groups) return { rule, groups }
  }
  return null
}

/** Puts captured groups into a text. */
export function fillGroups(text: string, groups: readonly string[]): string {
  return text.replace(/\$(\d)/g, (whole, digit: string) => groups[Number(digit)] ?? whole)
}

function matches({ text, role, schema, tool }: RuleCondition, request: WireRequest): string[] | null {
  const { messages, tools = [], format } = request
  if (schema !== undefined && !hasProperty(format?.schema, schema)) return null
  if (tool !== undefined && !(tool === true ? tools.length > 0 : tools.some(({ name }) => name === tool))) return null
  if (text === undefined) return role === undefined || messages.at(-1)?.role === role ? [] : null
  for (const message of messages) {
    if (role !== undefined && message.role !== role) continue
    if (typeof text === 'string') {
      if (message.content.includes(text)) return [text]
      continue
    }
    const found = new RegExp(text.source, text.flags.replace(/[gy]/g, '')).exec(message.content)
    if (found) return [...found].map((group) => group ?? '')
  }
  return null
}

function hasProperty(schema: JsonSchema | undefined, wanted: true | string): boolean {
  if (!schema) return false
  if (wanted === true) return true
  const { properties } = schema
  return typeof properties === 'object' && properties !== null && Object.hasOwn(properties, wanted)
}
