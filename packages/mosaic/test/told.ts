import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hashEmbedder } from 'memscope/retrieval'
import { Mosaic, type MosaicOptions } from '../src/mosaic.js'

export const said = (id: string, text: string, role: 'user' | 'assistant' = 'user') => ({
  id,
  time: '2026-03-04T09:00:00Z',
  turns: [{ role, text }],
})

/** A memory that was told things, a conversation and a day each. */
export async function told(texts: readonly string[], options: Partial<MosaicOptions> = {}): Promise<Mosaic> {
  const memory = new Mosaic({ embed: hashEmbedder(512), ...options })
  for (const [i, text] of texts.entries())
    await memory.store({ id: `c${i}`, time: `2026-03-0${i + 1}T09:00:00Z`, turns: [{ role: 'user', text }] })
  return memory
}

/** Texts that a memory finds. */
export async function found(memory: Mosaic, text: string, k: number): Promise<string[]> {
  return (await memory.retrieve({ text }, k)).map((one) => one.text)
}

export const newFolder = () => mkdtempSync(join(tmpdir(), 'mosaic-'))
