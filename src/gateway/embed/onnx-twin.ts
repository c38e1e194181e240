import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '../../base/folders.js'
import type { HalfTensor } from './bert-graph.js'
import { type BertRuntime, openBert } from './bert-runtime.js'
import type { Engine } from './embedding-models.js'

/**
 * The same weights in onnxruntime, several times as fast: vectors differ in the last digits.
 *
 * @param weights file of the engine's weights
 * @param runtime folder of onnxruntime
 */
export function onnxTwin(
  { id, dimensions, limit, tokenizer }: Engine,
  weights: string,
  runtime: string,
  cacheDir: string,
): Engine {
  const twin = `${id}/onnx`
  let loaded: Promise<BertRuntime> | undefined
  const load = () => {
    makeFolder(cacheDir)
    return openBert(runtime, join(cacheDir, `${twin.replaceAll('/', '-')}.onnx`), () => tensorsIn(weights))
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
