import { z } from 'zod'
import { cleanText, field, item } from '../../base/fence.js'
import type { Memory, Query } from '../../model/index.js'
import { embedAll, fuseRanks, longDayOf, memoryOf, numbered } from '../parts/index.js'
import type { SimpleMemParts } from './store.js'
import { spanOf } from './when.js'

const Plan = z.object({
  question_type: z.string(),
  key_entities: z.array(z.string()),
  required_info: z.array(
    z.object({ info_type: z.string(), description: z.string(), priority: z.enum(['high', 'medium', 'low']) }),
  ),
  relationships: z.array(z.string()),
  minimal_queries_needed: z.number().int(),
})

const Queries = z.object({ reasoning: z.string(), queries: z.array(z.string()) })

const Analysis = z.object({
  keywords: z.array(z.string()),
  persons: z.array(z.string()),
  time_expression: z.string().nullable(),
  location: z.string().nullable(),
  entities: z.array(z.string()),
})

const Check = z.object({ assessment: z.enum(['complete', 'incomplete']), missing: z.array(z.string()) })

const More = z.object({ queries: z.array(z.string()) })

/** Searches by meaning for one question, and in one round of looking again. */
const MOST_QUERIES = 4

/** Rank constant when lists are fused. */
const FUSE = 60

/**
 * Plans queries, searches by meaning, words and fields, looks at what came, and searches again for what is missing. Every search gives k;
 * the lists are joined in a fixed order, and the first k are returned.
 */
export async function findEntries(query: Query, k: number, parts: SimpleMemParts): Promise<Memory[]> {
  const { entries, settings } = parts
  if (entries.rows.size === 0) return []
  const plan = settings.plan ? await planned(query, parts) : ''
  const queries = settings.plan ? await queriesFor(query, plan, parts) : [query.text]
  const lists = await meaningLists(queries, k, parts)
  if (settings.plan) lists.push(...(await fieldLists(query, k, parts)))
  for (let round = 0; round < settings.reflect; round++) {
    const missing = await missingAmong(union(lists), query, plan, parts)
    if (missing === null) break
    lists.push(...(await meaningLists(await moreQueries(union(lists), missing, query, parts), k, parts)))
  }
  if (settings.merge === 'append')
    return union(lists)
      .slice(0, k)
      .map((id) => memoryOf(entries.rows.get(id)!))
  return fuseRanks(lists, FUSE)
    .slice(0, k)
    .map(({ id, score }) => memoryOf(entries.rows.get(id)!, score))
}

/** What is found, each once, in the order of the searches. */
function union(lists: readonly (readonly string[])[]): string[] {
  return [...new Set(lists.flat())]
}

async function meaningLists(queries: readonly string[], k: number, { context, entries }: SimpleMemParts) {
  return (await embedAll(context, queries)).map((vector) => entries.byMeaning(vector, k))
}

async function planned({ text, time }: Query, { model, prompts }: SimpleMemParts): Promise<string> {
  const plan = await model.ask({
    step: 'plan',
    role: 'retrieve',
    system: prompts.text('plan', { day: longDayOf(time) }),
    data: { question: cleanText(text) },
    schema: Plan,
    temperature: 0.2,
  })
  return [
    field('kind', plan.question_type),
    field('about', plan.key_entities.join(', ')),
    ...plan.required_info.map(({ info_type, description, priority }) =>
      item('-', `${description} (${info_type}, ${priority})`),
    ),
    ...plan.relationships.map((relation) => item('-', relation)),
  ].join('\n')
}

/** The question itself comes first, whether or not the model repeats it. */
async function queriesFor({ text }: Query, plan: string, { model, prompts }: SimpleMemParts): Promise<string[]> {
  const { queries } = await model.ask({
    step: 'queries',
    role: 'retrieve',
    system: prompts.text('queries', { most: MOST_QUERIES }),
    data: { question: cleanText(text), plan },
    schema: Queries,
    temperature: 0.3,
  })
  return [...new Set(queries.includes(text) ? queries : [text, ...queries])].slice(0, MOST_QUERIES)
}

/** By words, then by fields. A time that cannot be read does not count. */
async function fieldLists({ text, time }: Query, k: number, { model, prompts, entries }: SimpleMemParts) {
  const { keywords, persons, entities, location, time_expression } = await model.ask({
    step: 'analyse',
    role: 'retrieve',
    system: prompts.text('analyse', { day: longDayOf(time) }),
    data: { question: cleanText(text) },
    schema: Analysis,
    temperature: 0.1,
  })
  const span = time_expression === null ? null : spanOf(time_expression, time)
  return [entries.byWords(keywords, k), entries.byFields({ persons, entities, location, span }, k)]
}

/** What is still missing; null when everything is there. */
async function missingAmong(
  found: readonly string[],
  { text }: Query,
  plan: string,
  { model, prompts, entries }: SimpleMemParts,
): Promise<string[] | null> {
  const { assessment, missing } = await model.ask({
    step: 'check',
    role: 'retrieve',
    system: prompts.text('check'),
    data: {
      question: cleanText(text),
      plan: plan || '(none)',
      entries: numbered(found.map((id) => entries.rows.get(id)!.text)),
    },
    schema: Check,
    temperature: 0.1,
  })
  return assessment === 'complete' ? null : missing
}

async function moreQueries(
  found: readonly string[],
  missing: readonly string[],
  { text }: Query,
  { model, prompts, entries }: SimpleMemParts,
): Promise<string[]> {
  const { queries } = await model.ask({
    step: 'more',
    role: 'retrieve',
    system: prompts.text('more'),
    data: {
      question: cleanText(text),
      entries: numbered(found.map((id) => entries.rows.get(id)!.text)),
      missing: missing.map((what) => item('-', what)).join('\n') || '(none)',
    },
    schema: More,
    temperature: 0.3,
  })
  return queries.slice(0, MOST_QUERIES)
}
