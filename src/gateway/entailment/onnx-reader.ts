import { closeSync, existsSync, openSync, renameSync, writeFileSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { findPackage } from '../../base/packages.js'
import { type OnnxRuntime, type OnnxSession, openRuntime } from '../embed/onnx-engine.js'
import { unitVector } from '../embed/windows.js'
import { onnxGraph } from './onnx-graph.js'
import { halfFloats, type PackedModel } from './weights.js'

/** Without a store of its own that never shrinks. */
const LEAN = { enableCpuMemArena: false, enableMemPattern: false }
/** Texts of a pass, which all have as many tokens. */
const BATCH = 16

interface Job {
  ids: readonly number[]
  resolve(mean: Float32Array): void
  reject(error: unknown): void
}

/** A model of the BERT family in onnxruntime. */
export interface OnnxReader {
  /** The mean of the last layer over the tokens of a text, at unit length. */
  run(ids: readonly number[]): Promise<Float32Array>
  close(): Promise<void>
}

/** Folder of onnxruntime, where it is installed. Only the one with native code: in WebAssembly we are ourselves. */
export function onnxRuntime(cwd: string): string | undefined {
  return findPackage('onnxruntime-node', cwd)
}

/**
 * Opens a model; its file is made once and kept. Texts that wait are read by length, as many at once as have the same.
 *
 * @param file where the model is kept
 */
export async function openOnnxReader(
  runtime: string,
  packed: PackedModel,
  file: string,
  { heads, epsilon }: { heads: number; epsilon: number },
): Promise<OnnxReader> {
  if (!existsSync(file)) {
    const part = `${file}.${process.pid}.part`
    const tensors = packed.tensors.map((one) => ({ ...one, bytes: halfFloats(one, packed.data) }))
    const to = openSync(part, 'w')
    for (const piece of onnxGraph(tensors, heads, epsilon)) writeFileSync(to, piece)
    closeSync(to)
    renameSync(part, file)
  }
  const onnx = await openRuntime(runtime)
  const session = await onnx.InferenceSession.create(file, LEAN)
  let waiting: Job[] = []
  let busy = false

  const drain = async (): Promise<void> => {
    if (busy) return
    busy = true
    // All that is asked for in one go is waiting by then.
    await setImmediate()
    while (waiting.length > 0) {
      const { length } = waiting[0]!.ids
      const same = waiting.filter(({ ids }) => ids.length === length).slice(0, BATCH)
      waiting = waiting.filter((job) => !same.includes(job))
      await pass(onnx, session, same)
      // onnxruntime-node works on the calling thread; between passes everything else gets its turn.
      await setImmediate()
    }
    busy = false
  }

  return {
    run: (ids) =>
      new Promise((resolve, reject) => {
        waiting.push({ ids, resolve, reject })
        void drain()
      }),
    close: async () => session.release?.(),
  }
}

async function pass({ Tensor }: OnnxRuntime, session: OnnxSession, jobs: readonly Job[]): Promise<void> {
  const length = jobs[0]!.ids.length
  try {
    const ids = Int32Array.from(jobs.flatMap((job) => job.ids))
    const { mean } = await session.run({ ids: new Tensor('int32', ids, [jobs.length, length]) })
    const width = mean!.dims[1]!
    const all = Float32Array.from(mean!.data)
    for (const [i, { resolve }] of jobs.entries()) resolve(unitVector(all.slice(i * width, (i + 1) * width)))
  } catch (error) {
    for (const { reject } of jobs) reject(error)
  }
}
