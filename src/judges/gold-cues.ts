import { z } from 'zod'

/** Written cues, for labelled cases made from a corpus of ours. */
export const cues = z.object({
  kind: z.enum(['rule', 'preference', 'link', 'profile', 'state', 'statement']),
  stance: z
    .enum(['held', 'dependent', 'conditional', 'changed', 'considered', 'revoked', 'doubted', 'removed'])
    .optional(),
  parts: z.array(
    z.object({
      role: z.enum(['who', 'what', 'condition', 'number', 'relation', 'value', 'detail']),
      forms: z.array(z.string()),
    }),
  ),
  core: z.enum(['who', 'what', 'condition', 'number', 'relation', 'value', 'detail']).optional(),
  explicit: z.boolean(),
  exclusive: z.boolean().optional(),
  negated: z.boolean().optional(),
  threshold: z
    .object({
      comparison: z.enum(['below', 'at-most', 'above', 'at-least', 'exactly', 'before', 'after', 'between']),
      value: z.number(),
      to: z.number().optional(),
      unit: z.string().optional(),
    })
    .optional(),
})

/** What a criterion looks for, for labelled cases made from a corpus of ours. */
export const asks = z.object({
  act: z.enum(['recommend', 'avoid', 'mention']),
  forms: z.array(z.string()),
  parts: z.array(z.string()).optional(),
  numbers: z.array(z.object({ value: z.number(), unit: z.string().optional() })).optional(),
  status: z.object({ forms: z.array(z.string()), contrary: z.array(z.string()) }).optional(),
})
