import { existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import { UserError } from '../../base/errors.js'
import { MESSY_WAYS } from './messy.js'
import { ScriptedModel } from './model.js'
import type { Rule, RuleCondition } from './rules.js'
import { FAULTS } from './scripted-faults.js'

const Reply = z.union([
  z.string(),
  z.strictObject({
    text: z.string().optional(),
    json: z.json().optional(),
    toolCalls: z.array(z.object({ name: z.string(), input: z.json(), id: z.string().optional() })).optional(),
    finish: z.enum(['stop', 'length', 'tool-calls', 'content-filter', 'other']).optional(),
  }),
])

const When = z.strictObject({
  text: z.string(),
  /** An expression, in place of `text`. */
  regex: z.string(),
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  schema: z.union([z.literal(true), z.string()]),
  tool: z.union([z.literal(true), z.string()]),
})

const Faults = z.strictObject({
  rate: z.number().min(0).max(1),
  kinds: z.array(z.enum(FAULTS)).min(1),
  seed: z.union([z.number(), z.string()]),
  at: z.record(z.string().regex(/^[1-9]\d*$/), z.enum(FAULTS)),
  retryAfter: z.string(),
  slowMs: z.number().nonnegative(),
})

const Messy = z.strictObject({
  rate: z.number().min(0).max(1),
  ways: z.array(z.enum(MESSY_WAYS.map(({ name }) => name) as [string, ...string[]])).min(1),
  seed: z.union([z.number(), z.string()]),
  mends: z.boolean(),
})

const Script = z.strictObject({
  rules: z.array(z.strictObject({ when: When.partial().optional(), reply: Reply })),
  otherwise: Reply.optional(),
  latencyMs: z.number().nonnegative().optional(),
  dimensions: z.number().int().positive().optional(),
  faults: Faults.partial().optional(),
  messy: Messy.partial().optional(),
})

type FileCondition = NonNullable<z.infer<typeof Script>['rules'][number]['when']>

/** A scripted model from a JSON file: `{ "rules": [{ "when": { "regex": "capital of (\\w+)" }, "reply": "I know $1." }] }`. */
export function readScript(file: string): ScriptedModel {
  if (!existsSync(file)) throw new UserError(`There is no script ${file}.`, 'Check its path.')
  let json: unknown
  try {
    json = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new UserError(`The script ${file} is not JSON: ${error instanceof Error ? error.message : error}.`, EXAMPLE)
  }
  const read = Script.safeParse(json)
  if (!read.success) {
    throw new UserError(`The script ${file}: ${z.prettifyError(read.error).replace(/\s*\n\s*/g, ' ')}`, EXAMPLE)
  }
  const { rules, ...rest } = read.data
  return new ScriptedModel({
    rules: rules.map(({ when, reply }): Rule => ({ ...(when && { when: condition(when, file) }), reply })),
    ...rest,
  })
}

const EXAMPLE = 'Write it like { "rules": [{ "when": { "text": "Is it" }, "reply": "yes" }], "otherwise": "no" }.'

function condition({ regex, ...when }: FileCondition, file: string): RuleCondition {
  if (regex === undefined) return when
  try {
    return { ...when, text: new RegExp(regex, 'u') }
  } catch (error) {
    throw new UserError(
      `The script ${file}: ${error instanceof Error ? error.message : error}.`,
      'Mend the expression.',
    )
  }
}
