import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { UserError } from '../../base/errors.js'
import { findPackage } from '../../base/packages.js'
import { defineSystem, type Memory } from '../../model/index.js'
import { numberOption, optionTable, readOptions } from '../options.js'
import { isSilent, promptsOf } from '../parts/index.js'
import { INSTALL, PACKAGES, PackageProcess } from './process.js'
import { mem0Rehearsal } from './rehearsal.js'

const OPTIONS = z.object({
  threshold: numberOption('0.1', 'least likeness in meaning of what is retrieved', { min: 0, max: 1 }),
})

/** The package has its own prompt; it takes instructions besides. */
const PROMPTS = { instructions: '' } as const

/** Releases whose interface this is written for. */
const MAJOR = '3'

/** What the model must say. The package itself would take anything else for "nothing to remember". */
const Extracted = z.object({ memory: z.array(z.object({ text: z.string() })) })

const Entries = z.array(
  z.object({
    id: z.string(),
    text: z.string(),
    score: z.number().optional(),
    time: z.string(),
    sources: z.array(z.string()),
  }),
)

/** Mem0 as its makers publish it for Node: the package itself, in a process of its own, over this program's models. */
export const mem0 = defineSystem({
  name: 'mem0',
  get version() {
    return `1, mem0ai ${installed()?.version ?? 'absent'}`
  },
  class: 'processed',
  about: 'Mem0 itself: the official package mem0ai 3, in a process of its own.',
  atomic: true,
  needs: { embed: true, llm: true, endpoint: true, packages: PACKAGES },
  cost: { store: '1 a conversation, with a prompt of 33,000 characters', retrieve: '0' },
  papers: ['Chhikara et al. 2025, Mem0, arXiv:2504.19413', 'mem0ai 3 (npm)'],
  paperK: { meme: 20 },
  prompts: PROMPTS,
  rehearsal: mem0Rehearsal,
  options: optionTable(OPTIONS),
  create: async (context, given) => {
    const { threshold } = readOptions(OPTIONS, given)
    const found = installed()
    if (!found) throw new UserError('The system "mem0" needs the package mem0ai.', INSTALL)
    if (found.version.split('.')[0] !== MAJOR)
      throw new UserError(`The system "mem0" is for mem0ai ${MAJOR}, found ${found.version}.`, INSTALL)
    if (!context.endpoint) throw new Error('Expected `endpoint` in the context of mem0, which declares needs.endpoint')
    const endpoint = await context.endpoint({ replies: Extracted })
    const child = new PackageProcess(context)
    const close = async () => {
      await child.close()
      await endpoint.close()
    }
    try {
      await child.call('open', context.now(), {
        folder: found.folder,
        url: endpoint.url,
        token: endpoint.token,
        dimension: context.embed.dimensions,
        namespace: context.namespace,
        instructions: promptsOf(PROMPTS, context).text('instructions'),
        threshold,
      })
    } catch (error) {
      await close()
      throw error
    }
    return {
      store: async (conversation) => {
        if (isSilent(conversation)) return
        const messages = conversation.turns.map(({ role, text }) => ({ role, content: text }))
        let begun = false
        const add = () => {
          begun = true
          return child.call('store', conversation.time, { messages, sources: [conversation.id], infer: true })
        }
        try {
          await endpoint.during('ingest', add)
        } catch (error) {
          if (begun) await child.call('undo', conversation.time)
          throw error
        }
      },
      retrieve: async (query, k) =>
        memoriesIn(
          await endpoint.during('retrieve', () => child.call('retrieve', query.time, { text: query.text, k })),
        ),
      dump: async () => memoriesIn(await child.call('dump', context.now())),
      insert: async (memories) => {
        for (const { text, time = context.now(), sources = [] } of memories) {
          const messages = [{ role: 'user', content: text }]
          await endpoint.during('ingest', () => child.call('store', time, { messages, sources, infer: false }))
        }
      },
      close,
    }
  },
})

function memoriesIn(reply: unknown): Memory[] {
  return Entries.parse(reply).map(({ score, ...entry }) => ({ ...entry, ...(score !== undefined && { score }) }))
}

/** The package, where the user has it. */
function installed(): { folder: string; version: string } | null {
  const folder = findPackage(PACKAGES[0], process.cwd())
  if (folder === undefined) return null
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
  return { folder, version }
}
