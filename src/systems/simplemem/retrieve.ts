import { z } from 'zod'
import { cleanText, field, item } from '../../base/fence.js'
import type { Memory, Query } from '../../model/index.js'
import { bulleted, embedAll, fuseRanks, longDayOf, memoryOf, numbered } from '../parts/index.js'
import { FIXED } from './fixed.js'
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

/** Plans queries, searches by meaning, words and fields, and again for what is missing. Lists of k are joined in a fixed order and cut to k. */
export async function findEntries(query: Query, k: number, parts: SimpleMemParts): Promise<Memory[]> {
  const { context, entries, settings } = parts
  if (entries.size === 0) return []
  const plan = settings.plan ? await planned(query, parts) : ''
  const queries = settings.plan ? await queriesFor(query, plan, parts) : [query.text]
  const byMeaning = async (texts: readonly string[]) => {
    const found = (await embedAll(context, texts)).map((vector) => entries.nearest(vector, k))
    return found.map((list) => list.map(({ row }) => row.id))
  }
  const lists = await byMeaning(queries)
  if (settings.plan) lists.push(...(await fieldLists(query, k, parts)))
  for (let round = 0; round < settings.reflect; round++) {
    const found = numbered(union(lists).map((id) => entries.get(id)!))
    const more = await furtherQueries(found, query, plan, parts)
    if (more === null) break
    lists.push(...(await byMeaning(more)))
  }
  const ranked: { id: string; score?: number }[] =
    settings.merge === 'append' ? union(lists).map((id) => ({ id })) : fuseRanks(lists, FIXED.rankConstant)
  return ranked.slice(0, k).map(({ id, score }) => memoryOf(entries.get(id)!, score))
}

/** What is found, each once, in the order of the searches. */
function union(lists: readonly (readonly string[])[]): string[] {
  return [...new Set(lists.flat())]
}

async function planned({ text, time }: Query, { model }: SimpleMemParts): Promise<string> {
  const plan = await model.ask('plan', Plan, {
    role: 'retrieve',
    values: { day: longDayOf(time) },
    data: { question: cleanText(text) },
  })
  const required = plan.required_info.map((info) => `${info.description} (${info.info_type}, ${info.priority})`)
  return [
    field('kind', plan.question_type),
    field('about', plan.key_entities.join(', ')),
    ...[...required, ...plan.relationships].map((what) => item('-', what)),
  ].join('\n')
}

/** The question itself comes first, whether or not the model repeats it. */
async function queriesFor({ text }: Query, plan: string, { model }: SimpleMemParts): Promise<string[]> {
  const { queries } = await model.ask('queries', Queries, {
    role: 'retrieve',
    values: { most: FIXED.mostQueries },
    data: { question: cleanText(text), plan },
  })
  return [...new Set(queries.includes(text) ? queries : [text, ...queries])].slice(0, FIXED.mostQueries)
}

/** By words, then by fields. A time that cannot be read does not count. */
async function fieldLists({ text, time }: Query, k: number, { model, entries }: SimpleMemParts): Promise<string[][]> {
  const { keywords, time_expression, ...fields } = await model.ask('analyse', Analysis, {
    role: 'retrieve',
    values: { day: longDayOf(time) },
    data: { question: cleanText(text) },
  })
  const span = time_expression === null ? null : spanOf(time_expression, time)
  const byWords = entries.words.search(keywords.join(' '), k).map(({ id }) => id)
  return [byWords, entries.byFields({ ...fields, span }, k)]
}

/** Queries for what is still missing among the entries found; null when everything is there. */
async function furtherQueries(
  entries: string,
  { text }: Query,
  plan: string,
  { model }: SimpleMemParts,
): Promise<string[] | null> {
  const question = cleanText(text)
  const { assessment, missing } = await model.ask('check', Check, {
    role: 'retrieve',
    data: { question, plan: plan || '(none)', entries },
  })
  if (assessment === 'complete') return null
  const { queries } = await model.ask('more', More, {
    role: 'retrieve',
    data: { question, entries, missing: bulleted(missing) },
  })
  return queries.slice(0, FIXED.mostQueries)
}
