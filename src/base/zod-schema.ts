import { z } from 'zod'

type JsonSchema = Record<string, unknown>

const converted = new WeakMap<z.ZodType, JsonSchema>()

/** Whether tool parameters are a zod schema, also one made by another copy of zod. */
export function isZodSchema(parameters: z.ZodType | JsonSchema): parameters is z.ZodType {
  return '_zod' in parameters
}

/** JSON Schema of the values that a zod schema gives. Remembered per schema, for one schema serves many calls. */
export function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  let known = converted.get(schema)
  if (!known) {
    const { $schema: _, ...rest } = z.toJSONSchema(schema, { target: 'draft-7', io: 'output' })
    known = rest
    converted.set(schema, known)
  }
  return known
}
