import { UserError, unknownName } from '../../base/errors.js'
import type { SharedVectors } from '../shared.js'
import { onnxRuntime } from './bert-runtime.js'
import { type Engine, MODELS, type ModelName } from './embedding-models.js'
import { fastEmbedder } from './fast-embedder.js'
import type { LocalEmbedder } from './local.js'
import { localEmbedder } from './local-embedder.js'
import { createOnnxEngine, onnxInstalled } from './onnx-engine.js'
import { onnxTwin } from './onnx-twin.js'
import { VectorCache } from './vector-cache.js'
import { readPack } from './vector-pack.js'
import { createWasmEngine } from './wasm-engine.js'
import { workersHere } from './wasm-pool.js'

export type { ModelName } from './embedding-models.js'
export { type LocalEmbedder, packsIn } from './local.js'

/** Names of the models that can be embedded with. */
export const embeddingModels = Object.keys(MODELS) as ModelName[]

export interface EmbedderOptions {
  model: ModelName
  /** `auto`: onnxruntime when it and its weights are installed beside this package, else WebAssembly. */
  engine?: 'auto' | 'wasm' | 'onnx'
  /** Folder of vectors computed before. */
  cacheDir: string
  /** Vector packs that ship with the package; those of other embedders are passed over. */
  bundled?: readonly string[]
  /** Where packages of a model that was asked for are looked for first. */
  cwd?: string
  /** Vectors that other processes share. */
  shared?: SharedVectors | undefined
  /** Threads for WebAssembly. */
  workers?: number
}

/**
 * An embedder on this machine, without network. It loads no model until there is something to compute; its `id` names model, engine, weights.
 * In WebAssembly it also embeds faster where onnxruntime is installed, for those who do not need the last digits.
 */
export async function createEmbedder(options: EmbedderOptions): Promise<LocalEmbedder> {
  const { bundled = [], cacheDir, shared } = options
  const engine = engineFor(options)
  const packs = bundled.map(readPack).filter((pack) => pack.embedder === engine.id)
  const embedder = localEmbedder(engine, packs, new VectorCache(cacheDir, engine.id, engine.dimensions), shared)
  const runtime = onnxRuntime()
  if (!runtime || engine.weights === undefined) return embedder
  const fast = fastEmbedder(embedder, onnxTwin(engine, engine.weights, runtime, cacheDir), cacheDir)
  return {
    ...embedder,
    embedFast: fast.embed,
    close: async () => {
      await Promise.all([embedder.close(), fast.close()])
    },
  }
}

function engineFor({ model, engine = 'auto', cwd = process.cwd(), workers = workersHere() }: EmbedderOptions): Engine {
  if (!Object.hasOwn(MODELS, model)) throw unknownName('embedding model', model, embeddingModels)
  if (engine === 'wasm' && model !== 'minilm') {
    throw new UserError(
      `The embedding model "${model}" does not run in WebAssembly.`,
      'Use the engine onnx, or the model minilm.',
    )
  }
  const onnx = engine === 'onnx' || model !== 'minilm' || (engine === 'auto' && onnxInstalled())
  return onnx ? createOnnxEngine(model, cwd) : createWasmEngine(workers)
}
