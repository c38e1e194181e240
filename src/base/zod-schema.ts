import { z } from 'zod'
import { entryOf } from './group-by.js'

type JsonSchema = Record<string, unknown>

const converted = new WeakMap<z.ZodType, JsonSchema>()

/** Whether tool parameters are a zod schema, also one made by another copy of zod. */
export function isZodSchema(parameters: z.ZodType | JsonSchema): parameters is z.ZodType {
  return '_zod' in parameters
}

/** JSON Schema of the values that a zod schema gives. Remembered per schema, for one schema serves many calls. */
export function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  return entryOf(converted, schema, () => {
    const { $schema: _, ...rest } = z.toJSONSchema(schema, { target: 'draft-7', io: 'output' })
    return rest
  })
}
