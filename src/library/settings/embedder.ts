import { UserError } from '../../base/errors.js'
import { readOptionsOf } from '../../base/spec-options.js'
import { wholeNumber } from '../../base/whole-number.js'
import type { RunRequest } from '../../engine/plan.js'

/** A provider's model for vectors, and how it is asked for them. */
export interface EmbedderSpec {
  /** `minilm`, `gte-small` or `provider:model`. */
  model: string
  /** Length of the vectors that are asked for. */
  dimensions?: number
  /** What stands before texts that are looked for, as `search_query: `. */
  query?: string
  /** What stands before texts that are looked through. */
  document?: string
}

/** The model as it is named in a request, with how its vectors are asked for; what comes with the package takes none of it. */
export function embedderFrom(given: string | EmbedderSpec): Pick<RunRequest, 'embedder' | 'vectors'> {
  const { model, dimensions, query, document } = typeof given === 'string' ? optionsIn(given) : given
  const asked = {
    ...(dimensions !== undefined && { dimensions: wholeNumber('embedder …:dimensions', dimensions, 1, 100_000) }),
    ...(query !== undefined && { query }),
    ...(document !== undefined && { document }),
  }
  const [idle] = Object.keys(asked)
  if (idle === undefined) return { embedder: model }
  if (!model.includes(':'))
    throw new UserError(
      `"${idle}" is for embedders of providers, and ${model} is none.`,
      'Name one with --embedder provider:model.',
    )
  return { embedder: model, vectors: asked }
}

function optionsIn(typed: string): { model: string; dimensions?: number | string; query?: string; document?: string } {
  const { name, options } = readOptionsOf('an embedder', typed, ['dimensions', 'query', 'document'])
  return { model: name, ...options }
}
