import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { WorkerPool } from './worker-pool.js'

/** Files of a model that runs in WebAssembly. */
export interface WasmModel {
  weights: string
  tokenizer: string
  config: string
}

/** A worker takes some 200 MB: a further one is started only where this many texts wait for each. */
const PATIENCE = 32

/**
 * What runs in a worker, as source, since it runs unbuilt in tests. It takes the engine without its wrapper: that one starts workers of its own
 * with every call, and holds the weights twice. What was read of them is given back once the engine has copied it, which is when it asks for the
 * length of the next file, and before it takes twice as much to unpack them.
 */
const WORKER = `
const { openSync, readFileSync, readSync, closeSync, fstatSync } = require('node:fs')
const { parentPort, workerData: { engine, model, tokens } } = require('node:worker_threads')
const { Embedder } = require(engine)
const from = openSync(model.weights)
const { size } = fstatSync(from)
const bytes = new ArrayBuffer(size, { maxByteLength: size })
const weights = new Uint8Array(bytes, 0, size)
for (let at = 0, read = 1; read > 0; at += read) read = readSync(from, weights, at, size - at, at)
closeSync(from)
const tokenizer = readFileSync(model.tokenizer)
const { length } = tokenizer
Object.defineProperty(tokenizer, 'length', { get: () => (bytes.resize(0), length) })
const embedder = new Embedder(weights, tokenizer, readFileSync(model.config), tokens)
bytes.resize(0)
parentPort.on('message', ({ text }) => {
  try {
    const result = Float32Array.from(embedder.embed([text])[0])
    parentPort.postMessage({ result }, [result.buffer])
  } catch (error) {
    parentPort.postMessage({ error: String(error && error.message || error) })
  }
})
`

/**
 * Workers that run a model in WebAssembly.
 *
 * @param engine folder of the package `@lat.md/embed`
 * @param tokens most tokens of a text
 */
export function wasmPool(engine: string, model: WasmModel, tokens: number, workers: number): WorkerPool {
  return new WorkerPool(WORKER, { engine: join(engine, 'dist', 'engine.cjs'), model, tokens }, workers, PATIENCE)
}

/** Workers that are worth having on this machine: as many as it has processors, up to four, since each holds the weights. */
export function workersHere(): number {
  return Math.min(availableParallelism(), 4)
}
