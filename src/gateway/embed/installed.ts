import { MODELS, type ModelName } from './embedding-models.js'
import { ONNX_HINT, onnxInstalled } from './onnx-engine.js'

/** An embedding model that runs on this machine, for people. */
export interface InstalledEmbedder {
  name: ModelName
  dimensions: number
  /** Tokens it sees at a time. */
  window: number
  /** What it would run in here; null when it cannot. */
  engine: 'wasm' | 'onnx' | null
  /** What to do when it cannot run. */
  missing: string | null
}

/** Embedding models known by name, and whether they can run here. */
export function installedEmbedders(cwd: string): InstalledEmbedder[] {
  return Object.entries(MODELS).map(([name, { dimensions, window, ...model }]) => {
    const inWasm = 'wasm' in model
    const engine = onnxInstalled(inWasm ? undefined : cwd) ? 'onnx' : inWasm ? 'wasm' : null
    return { name: name as ModelName, dimensions, window, engine, missing: engine === null ? ONNX_HINT : null }
  })
}
