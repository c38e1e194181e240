import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { makePrivateFolder } from '../../base/folders.js'
import { GRAPH, type HalfTensor } from './bert-graph.js'
import { type BertRuntime, openBert } from './bert-runtime.js'
import { checkPinned, type Engine, type PinnedFile } from './embedding-models.js'

/**
 * The same weights in onnxruntime, several times as fast: vectors differ in the last digits.
 *
 * @param weights the engine's own
 * @param runtime folder of onnxruntime
 */
export function onnxTwin(
  { id, dimensions, limit, tokenizer }: Engine,
  weights: PinnedFile,
  runtime: string,
  cacheDir: string,
): Engine {
  const twin = `${id}/onnx/${GRAPH}`
  let loaded: Promise<BertRuntime> | undefined
  const load = async () => {
    await checkPinned([weights])
    makePrivateFolder(cacheDir)
    return openBert(runtime, join(cacheDir, `${twin.replaceAll('/', '-')}.onnx`), () => tensorsIn(weights.file))
  }
  return {
    id: twin,
    dimensions,
    limit,
    tokenizer,
    embed: async (text) => {
      loaded ??= load()
      const { cls, sep, encode } = tokenizer()
      return (await loaded).run([cls, ...encode(text), sep])
    },
    close: async () => (await loaded)?.close(),
  }
}

interface Entry {
  dtype: string
  shape: number[]
  data_offsets: [number, number]
}

/** The tensors of a file of safetensors that BERT has. */
function tensorsIn(file: string): HalfTensor[] {
  const bytes = readFileSync(file)
  const begin = 8 + Number(bytes.readBigUInt64LE(0))
  const head = JSON.parse(bytes.toString('utf8', 8, begin)) as Record<string, Entry>
  return Object.entries(head)
    .filter(([name, { dtype }]) => /^(?:embeddings|encoder)\./.test(name) && dtype === 'F16')
    .map(
      ([
        name,
        {
          shape,
          data_offsets: [from, to],
        },
      ]) => ({ name, shape, bytes: bytes.subarray(begin + from, begin + to) }),
    )
}
