import { closeSync, existsSync, openSync, renameSync, writeFileSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { PRIVATE_FILE } from '../../base/folders.js'
import { findNearPackage } from '../../base/packages.js'
import { bertGraph, type HalfTensor } from './bert-graph.js'
import { type OnnxRuntime, type OnnxSession, openRuntime } from './onnx-engine.js'
import { unitVector } from './windows.js'

/** Without a store of its own that never shrinks. */
const LEAN = { enableCpuMemArena: false, enableMemPattern: false }
/** Texts of a pass, which all have as many tokens. */
const BATCH = 16
/** Both models of this package are of one shape but for their layers. */
const HEADS = 12
const EPSILON = 1e-12

interface Job {
  ids: readonly number[]
  resolve(mean: Float32Array): void
  reject(error: unknown): void
}

/** A model of the BERT family in onnxruntime. */
export interface BertRuntime {
  /** The mean of the last layer over the tokens of a text, at unit length. */
  run(ids: readonly number[]): Promise<Float32Array>
  close(): Promise<void>
}

/**
 * Folder of onnxruntime, where it is installed beside this package: it is used without being asked for, so that the user's folder is not looked
 * in. Only the one with native code: in WebAssembly we are ourselves.
 */
export function onnxRuntime(): string | undefined {
  return findNearPackage('onnxruntime-node')
}

/**
 * Opens a model; its file is made once and kept. Texts that wait are read by length, as many at once as have the same.
 *
 * @param runtime folder of onnxruntime
 * @param file where the model is kept
 * @param tensors its weights, asked for where there is no such file yet
 */
export async function openBert(
  runtime: string,
  file: string,
  tensors: () => readonly HalfTensor[],
): Promise<BertRuntime> {
  if (!existsSync(file)) {
    const part = `${file}.${process.pid}.part`
    const to = openSync(part, 'w', PRIVATE_FILE)
    for (const piece of bertGraph(tensors(), HEADS, EPSILON)) writeFileSync(to, piece)
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
